/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks and activity records, on the host alone. */
#include "tests/cli/inject/fake_cupti.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PENDING_MAX 65536u
#define RECORD_BYTES 512u

static const struct {
	CUpti_CallbackDomain domain;
	const char *name;
} calls[FAKE_CALLS] = {
    [FAKE_cudaMalloc] = {CUPTI_CB_DOMAIN_RUNTIME_API, "cudaMalloc_v3020"},
    [FAKE_cudaMemcpy] = {CUPTI_CB_DOMAIN_RUNTIME_API, "cudaMemcpy_v3020"},
    [FAKE_cudaLaunchKernel] = {CUPTI_CB_DOMAIN_RUNTIME_API, "cudaLaunchKernel_ptsz_v7000"},
    [FAKE_cudaStreamSynchronize] = {CUPTI_CB_DOMAIN_RUNTIME_API, "cudaStreamSynchronize_v3020"},
    [FAKE_cudaGetLastError] = {CUPTI_CB_DOMAIN_RUNTIME_API, "cudaGetLastError_v3020"},
    [FAKE_cudaStreamBeginCapture] = {CUPTI_CB_DOMAIN_RUNTIME_API, "cudaStreamBeginCapture_v10000"},
    [FAKE_cuMemAlloc] = {CUPTI_CB_DOMAIN_DRIVER_API, "cuMemAlloc_v2"},
    [FAKE_cuMemcpyHtoD] = {CUPTI_CB_DOMAIN_DRIVER_API, "cuMemcpyHtoD_v2"},
    [FAKE_cuLaunchKernel] = {CUPTI_CB_DOMAIN_DRIVER_API, "cuLaunchKernel"},
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUpti_CallbackFunc callback;
static void *callback_user;
static bool is_enabled[FAKE_CALLS];
static uint32_t correlations;
static CUpti_TimestampCallbackFunc clock_of_tool;
static CUpti_BuffersCallbackRequestFunc want_buffer;
static CUpti_BuffersCallbackCompleteFunc take_buffer;
static char pending[PENDING_MAX][RECORD_BYTES];
static size_t pendings;
static bool is_kind_enabled[CUPTI_ACTIVITY_KIND_COUNT];

static bool is(const char *what)
{
	const char *mode = getenv("FAKE_CUPTI");

	return mode && strcmp(mode, what) == 0;
}

CUptiResult cuptiGetVersion(uint32_t *version)
{
	*version = 130000;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
	*text = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
		    ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
		    : "CUPTI_ERROR";
	return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc function, void *user)
{
	if (callback || is("busy"))
		return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
	callback = function;
	callback_user = user;
	*handle = (CUpti_SubscriberHandle)&callback;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle handle)
{
	(void)handle;
	__atomic_store_n(&callback, NULL, __ATOMIC_SEQ_CST);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle handle,
				CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
	(void)handle;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
		fake_sampling_wanted(callback, callback_user, id);
		return CUPTI_SUCCESS;
	}
	if (id >= FAKE_CALLS || calls[id].domain != domain)
		return CUPTI_ERROR_INVALID_PARAMETER;
	is_enabled[id] = enable;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char **name)
{
	if (id >= FAKE_CALLS || !calls[id].name || calls[id].domain != domain)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*name = calls[id].name;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc function)
{
	clock_of_tool = function;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc want,
					   CUpti_BuffersCallbackCompleteFunc take)
{
	want_buffer = want;
	take_buffer = take;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
	is_kind_enabled[kind] = true;
	return is("denied") ? CUPTI_ERROR_INSUFFICIENT_PRIVILEGES : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
	is_kind_enabled[kind] = false;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t bytes, CUpti_Activity **record)
{
	uint8_t *next = *record ? (uint8_t *)*record + RECORD_BYTES : buffer;

	if (next + RECORD_BYTES > buffer + bytes)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	*record = (CUpti_Activity *)next;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *dropped)
{
	(void)context;
	(void)stream;
	*dropped = is("lossy");
	return CUPTI_SUCCESS;
}

#ifndef FAKE_OLD /* an earlier CUPTI lacks it */
CUptiResult cuptiActivityFlushAll(uint32_t flags)
{
	size_t room = 0, limit, used = 0;
	uint8_t *buffer = NULL;

	(void)flags;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < pendings; i++) {
		if (used + RECORD_BYTES > room) {
			if (buffer)
				take_buffer(NULL, 0, buffer, room, used);
			want_buffer(&buffer, &room, &limit);
			used = 0;
		}
		memcpy(buffer + used, pending[i], RECORD_BYTES);
		used += RECORD_BYTES;
	}
	if (buffer)
		take_buffer(NULL, 0, buffer, room, used);
	pendings = 0;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}
#endif

static void tell_call(enum fake_call call, bool begins, uint32_t *correlation, int result)
{
	CUpti_CallbackFunc function = __atomic_load_n(&callback, __ATOMIC_SEQ_CST);
	CUpti_CallbackData data = {
	    .context = FAKE_CONTEXT,
	    .callbackSite = begins ? CUPTI_API_ENTER : CUPTI_API_EXIT,
	    .functionName = calls[call].name,
	    .functionReturnValue = &result,
	};

	if (begins)
		*correlation = __atomic_add_fetch(&correlations, 1, __ATOMIC_RELAXED);
	data.correlationId = *correlation;
	if (call == FAKE_cudaLaunchKernel)
		fake_sampling_launch(begins, *correlation);
	if (function && is_enabled[call])
		function(callback_user, calls[call].domain, call, &data);
	__asm__ volatile("" ::: "memory"); /* a frame of its own, whatever the compiler does */
}

static void add_record(const void *record, size_t bytes)
{
	pthread_mutex_lock(&lock);
	if (want_buffer && pendings < PENDING_MAX &&
	    is_kind_enabled[((const CUpti_Activity *)record)->kind])
		memcpy(pending[pendings++], record, bytes);
	pthread_mutex_unlock(&lock);
}

static uint64_t now(void)
{
	struct timespec time;

	if (clock_of_tool)
		return clock_of_tool();
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

const struct fake_cupti fake_cupti = {tell_call, add_record, now};
