/* SPDX-License-Identifier: Apache-2.0 */
/* Activity records of CUPTI: what they say of kernels, copies, memsets and compilations. Later
 * versions only append to their structs. */
#include "host-rt/activities/activities.h"
#include "host-rt/activities/reported.h"
#include "host-rt/cupti/library.h"
#include <cudatrace/activity.h>
#include <cudatrace/format.h>
#include <stdlib.h>

#define BUFFER_BYTES ((size_t)1 << 20)
#define ALIGNMENT 8u

void CUPTIAPI ct_cupti_want_buffer(uint8_t **buffer, size_t *bytes, size_t *records_max)
{
	*buffer = aligned_alloc(ALIGNMENT, BUFFER_BYTES);
	*bytes = *buffer ? BUFFER_BYTES : 0;
	*records_max = 0;
}

static uint32_t copy_kind(uint8_t kind)
{
	switch (kind) {
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
		return CT_COPY_TO_DEVICE;
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
	case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
		return CT_COPY_TO_HOST;
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
		return CT_COPY_ON_HOST;
	case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
		return CT_COPY_PEER;
	default:
		return CT_COPY_ON_DEVICE;
	}
}

static struct ct_cause cause_of(uint32_t correlation, uint32_t device, uint32_t stream)
{
	return (struct ct_cause){.correlation = correlation,
				 .device = (int32_t)device,
				 .stream = CT_STREAM_OF_DEVICE + stream,
				 .is_known = true};
}

/* All records have these under the same names. */
#define WHEN_AND_WHY(record)                                                                       \
	.cause = cause_of((record)->correlationId, (record)->deviceId, (record)->streamId),        \
	.begin_ns = (record)->start, .end_ns = (record)->end

static struct ct_activity of_kernel(const CUpti_ActivityKernel10 *kernel)
{
	return (struct ct_activity){
	    WHEN_AND_WHY(kernel),
	    .kernel = kernel->name,
	    .grid = {(uint32_t)kernel->gridX, (uint32_t)kernel->gridY, (uint32_t)kernel->gridZ},
	    .block = {(uint32_t)kernel->blockX, (uint32_t)kernel->blockY, (uint32_t)kernel->blockZ},
	    .registers = kernel->registersPerThread,
	    .shared_bytes =
		(uint32_t)kernel->staticSharedMemory + (uint32_t)kernel->dynamicSharedMemory,
	    .kind = CT_ACTIVITY_KERNEL,
	};
}

static struct ct_activity of_copy(const CUpti_ActivityMemcpy6 *copy)
{
	return (struct ct_activity){
	    WHEN_AND_WHY(copy),
	    .bytes = copy->bytes,
	    .kind = CT_ACTIVITY_COPY,
	    .copy = copy_kind(copy->copyKind),
	    .is_pageable = copy->srcKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ||
			   copy->dstKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
	};
}

static struct ct_activity of_peer_copy(const CUpti_ActivityMemcpyPtoP4 *copy)
{
	return (struct ct_activity){
	    WHEN_AND_WHY(copy),
	    .bytes = copy->bytes,
	    .kind = CT_ACTIVITY_COPY,
	    .copy = CT_COPY_PEER,
	};
}

static struct ct_activity of_set(const CUpti_ActivityMemset4 *set)
{
	return (struct ct_activity){
	    WHEN_AND_WHY(set),
	    .bytes = set->bytes,
	    .kind = CT_ACTIVITY_SET,
	};
}

static struct ct_activity read_record(const CUpti_Activity *record)
{
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
	case CUPTI_ACTIVITY_KIND_KERNEL:
		return of_kernel((const void *)record);
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		return of_copy((const void *)record);
	case CUPTI_ACTIVITY_KIND_MEMCPY2:
		return of_peer_copy((const void *)record);
	case CUPTI_ACTIVITY_KIND_MEMSET:
		return of_set((const void *)record);
	default:
		return (struct ct_activity){.kind = 0};
	}
}

/* Without times CUPTI could not take them. */
static void take_compile(const CUpti_ActivityJit2 *jit)
{
	struct ct_row_compile row = {
	    .begin_ns = jit->start,
	    .duration_ns = jit->end > jit->start ? jit->end - jit->start : 0,
	    .bytes = jit->cacheSize,
	    .device = jit->deviceId,
	    .correlation = jit->correlationId,
	};

	if (jit->jitEntryType == CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN)
		row.kind = CT_COMPILE_PTX;
	else if (jit->jitEntryType == CUPTI_ACTIVITY_JIT_ENTRY_NVVM_IR_TO_PTX)
		row.kind = CT_COMPILE_NVVM;
	if (jit->jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_CACHE_LOAD)
		row.operation = CT_COMPILE_LOAD;
	else if (jit->jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE)
		row.operation = CT_COMPILE_STORE;
	else if (jit->jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_COMPILE)
		row.operation = CT_COMPILE_COMPILE;
	if (row.begin_ns && row.operation)
		ct_reported_compile(&row);
}

static uint32_t sync_kind(CUpti_ActivitySynchronizationType type)
{
	switch (type) {
	case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
		return CT_SYNC_FOR_EVENT;
	case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
		return CT_SYNC_IN_STREAM;
	case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
		return CT_SYNC_FOR_STREAM;
	case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
		return CT_SYNC_FOR_CONTEXT;
	default:
		return CT_SYNC_FOR_OTHER;
	}
}

/* Earlier versions have the same up to the event. */
static void take_sync(const CUpti_ActivitySynchronization2 *sync)
{
	struct ct_row_sync row = {
	    .begin_ns = sync->start,
	    .duration_ns = sync->end > sync->start ? sync->end - sync->start : 0,
	    .stream = sync->streamId == CUPTI_SYNCHRONIZATION_INVALID_VALUE
			  ? 0
			  : CT_STREAM_OF_DEVICE + sync->streamId,
	    .correlation = sync->correlationId,
	    .kind = sync_kind(sync->type),
	};

	if (row.begin_ns && !ct_cupti_is_ours(row.correlation))
		ct_reported_sync(&row);
}

/* begin_ns 0: it was not finished when the buffers were forced out. */
void CUPTIAPI ct_cupti_take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer,
				   size_t bytes, size_t valid_bytes)
{
	CUpti_Activity *record = NULL;
	struct ct_activity activity;
	size_t dropped = 0;

	(void)bytes;
	while (valid_bytes &&
	       ct_cupti.cuptiActivityGetNextRecord(buffer, valid_bytes, &record) == CUPTI_SUCCESS) {
		if (record->kind == CUPTI_ACTIVITY_KIND_JIT)
			take_compile((const void *)record);
		if (record->kind == CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)
			take_sync((const void *)record);
		activity = read_record(record);
		activity.is_ours = ct_cupti_is_ours(activity.cause.correlation);
		if (activity.kind && activity.begin_ns)
			ct_activities_happened(&activity);
	}
	free(buffer);
	if (ct_cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
		ct_activities_lose(dropped);
}
