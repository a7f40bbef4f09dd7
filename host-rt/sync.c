/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation points: note what is done, flush now and then, notice faults. */
#include "sync.h"
#include "flush.h"
#include "pending.h"
#include "quiet.h"
#include "real.h"
#include "session.h"
#include "streams.h"
#include <time.h>

/* A flush costs some microseconds: programs that synchronise after every
 * launch shall not pay for each. */
#define FLUSH_EVERY_NS 10000000u

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* After a fault every call on the context fails, even this one. */
static bool is_faulty(const struct ct_device *device)
{
	cudaError_t error = cudaStreamQuery(device->stream);

	return error != cudaSuccess && error != cudaErrorNotReady;
}

static void flush_if_due(struct ct_device *device)
{
	uint64_t now;

	if (device->state != CT_DEVICE_READY || !device->unflushed_launches)
		return;
	now = now_ns();
	if (now - device->flushed_ns < FLUSH_EVERY_NS)
		return;
	device->flushed_ns = now;
	ct_flush_start(device);
}

static void note(struct ct_device *device, cudaError_t error, enum ct_sync_scope scope,
		 uint64_t stream)
{
	if (error != cudaSuccess) {
		if (device->state != CT_DEVICE_READY || !is_faulty(device))
			return;
		ct_pending_done(device->ordinal, CT_ANY_STREAM, (int)error);
		ct_device_bury(device);
		return;
	}
	if (scope != CT_SYNC_NOTHING)
		ct_pending_done(device->ordinal, scope == CT_SYNC_DEVICE ? CT_ANY_STREAM : stream,
				0);
	flush_if_due(device);
}

void ct_sync_after(cudaError_t error, enum ct_sync_scope scope, cudaStream_t stream,
		   bool per_thread)
{
	struct ct_device *device;
	struct ct_quiet quiet;
	bool failed = error != cudaSuccess;

	if (!ct_session_is_open())
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	device = ct_session_is_open() ? ct_device_current() : NULL;
	if (device)
		note(device, error, scope, failed ? 0 : ct_streams_id(stream, per_thread));
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

void ct_sync_finish(struct ct_device *device, bool release)
{
	cudaError_t error;

	if (!device->announced)
		return;
	error = cudaSetDevice(device->ordinal);
	if (error == cudaSuccess)
		error = __real_cudaDeviceSynchronize();
	ct_pending_done(device->ordinal, CT_ANY_STREAM, (int)error);
	if (error == cudaSuccess)
		ct_device_drain(device);
	else
		ct_device_bury(device);
	if (device->state == CT_DEVICE_READY || (device->state == CT_DEVICE_DEAD && !release))
		ct_device_close(device, release);
}
