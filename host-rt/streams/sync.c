/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation points: note what is done, notice faults. */
#include "host-rt/streams/sync.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/call.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/drain/drain.h"
#include "host-rt/events/pending.h"
#include "host-rt/events/session.h"
#include "host-rt/streams/order.h"
#include "host-rt/streams/streams.h"
#include "host-rt/watch/watch.h"

/* After a fault every call on the context fails, even this one. */
static bool is_faulty(const struct ct_drain *drain)
{
	cudaError_t error = __real_cudaStreamQuery(drain->stream);

	return error != cudaSuccess && error != cudaErrorNotReady;
}

static void note_wait(const struct ct_device *device, const struct ct_sync *sync)
{
	static const enum ct_watch_scope scopes[] = {[CT_SYNC_EVENT] = CT_WATCH_EVENT,
						     [CT_SYNC_STREAM] = CT_WATCH_STREAM,
						     [CT_SYNC_DEVICE] = CT_WATCH_DEVICE};
	uint64_t stream = ct_streams_id(sync->stream, sync->per_thread);
	int home = ct_streams_device(stream, device->ordinal);

	if (sync->scope == CT_SYNC_STREAM)
		ct_call_note_stream(stream);
	if (sync->scope >= CT_SYNC_EVENT)
		ct_watch_waited(scopes[sync->scope], home, stream, sync->event);
	if (sync->scope == CT_SYNC_EVENT)
		ct_order_write(CT_ORDER_EVENT, device->ordinal, 0, sync->event);
	if (sync->scope == CT_SYNC_STREAM)
		ct_order_write(CT_ORDER_STREAM, home, stream, NULL);
	if (sync->scope == CT_SYNC_DEVICE)
		ct_order_write(CT_ORDER_DEVICE, device->ordinal, 0, NULL);
	if (sync->scope == CT_SYNC_COPY || sync->scope == CT_SYNC_STREAM)
		ct_pending_done(home, stream, 0);
	if (sync->scope == CT_SYNC_DEVICE)
		ct_pending_done(device->ordinal, CT_ANY_STREAM, 0);
	ct_drain_look(ct_drain_of(device));
	ct_call_note_wait();
}

static void note_error(const struct ct_device *device, cudaError_t error)
{
	struct ct_drain *drain = ct_drain_of(device);

	if (drain->phase != CT_DRAIN_READY || !is_faulty(drain))
		return;
	ct_pending_done(device->ordinal, CT_ANY_STREAM, (int)error);
	ct_drain_abandon(drain, CT_KERNEL_FAILED);
}

void ct_sync_after(cudaError_t error, const struct ct_sync *sync)
{
	struct ct_device *device;
	struct ct_quiet quiet;

	if (!ct_session_is_open())
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	device = ct_session_is_open() ? ct_device_current() : NULL;
	if (device && error == cudaSuccess)
		note_wait(device, sync);
	else if (device)
		note_error(device, error);
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

cudaError_t ct_sync_device(cudaError_t error)
{
	ct_sync_after(error, &(struct ct_sync){.scope = CT_SYNC_DEVICE});
	return error;
}

cudaError_t ct_sync_stream(cudaError_t error, cudaStream_t stream, bool per_thread)
{
	struct ct_sync sync = {.scope = CT_SYNC_STREAM, .stream = stream, .per_thread = per_thread};

	if (error != cudaErrorNotReady)
		ct_sync_after(error, &sync);
	return error;
}

cudaError_t ct_sync_event(cudaError_t error, cudaEvent_t event)
{
	if (error != cudaErrorNotReady)
		ct_sync_after(error, &(struct ct_sync){.scope = CT_SYNC_EVENT, .event = event});
	return error;
}

void ct_sync_wait(const struct ct_device *device)
{
	if (cudaSetDevice(device->ordinal) == cudaSuccess)
		(void)__real_cudaDeviceSynchronize();
}

void ct_sync_finish(const struct ct_device *device, bool release)
{
	cudaError_t error = cudaSetDevice(device->ordinal);
	struct ct_drain *drain = ct_drain_of(device);

	if (error == cudaSuccess)
		error = __real_cudaDeviceSynchronize();
	ct_pending_done(device->ordinal, CT_ANY_STREAM, (int)error);
	if (error == cudaSuccess)
		ct_drain_empty(drain);
	else
		ct_drain_abandon(drain, CT_KERNEL_FAILED);
	if (drain->phase == CT_DRAIN_READY || (drain->phase == CT_DRAIN_DEAD && !release))
		ct_drain_close(drain, release);
}
