/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by which the host waits, or asks whether it would have to; and the end of a context. */
#include "host-rt/base/quiet.h"
#include "host-rt/events/objects.h"
#include "host-rt/events/session.h"
#include "host-rt/graph/ids.h"
#include "host-rt/streams/sync.h"
#include "host-rt/watch/watch.h"
#include "host-rt/wrap/do.h"

/* Errors of the driver have the same numbers as the runtime's, its streams and events the same
 * handles. */
#define R(result) ((cudaError_t)(result))

cudaError_t ct_do_cudaDeviceSynchronize(struct ct_call *call)
{
	return ct_sync_device(ct_real_cudaDeviceSynchronize(call));
}

CUresult ct_do_cuCtxSynchronize(struct ct_call *call)
{
	return (CUresult)ct_sync_device(R(ct_real_cuCtxSynchronize(call)));
}

cudaError_t ct_do_cudaStreamSynchronize(struct ct_call *call, cudaStream_t stream)
{
	return ct_sync_stream(ct_real_cudaStreamSynchronize(call, stream), stream,
			      call->per_thread);
}

CUresult ct_do_cuStreamSynchronize(struct ct_call *call, CUstream stream)
{
	return (CUresult)ct_sync_stream(R(ct_real_cuStreamSynchronize(call, stream)), stream,
					call->per_thread);
}

cudaError_t ct_do_cudaStreamQuery(struct ct_call *call, cudaStream_t stream)
{
	return ct_sync_stream(ct_real_cudaStreamQuery(call, stream), stream, call->per_thread);
}

CUresult ct_do_cuStreamQuery(struct ct_call *call, CUstream stream)
{
	return (CUresult)ct_sync_stream(R(ct_real_cuStreamQuery(call, stream)), stream,
					call->per_thread);
}

cudaError_t ct_do_cudaEventSynchronize(struct ct_call *call, cudaEvent_t event)
{
	return ct_sync_event(ct_real_cudaEventSynchronize(call, event), event);
}

CUresult ct_do_cuEventSynchronize(struct ct_call *call, CUevent event)
{
	return (CUresult)ct_sync_event(R(ct_real_cuEventSynchronize(call, event)), event);
}

cudaError_t ct_do_cudaEventQuery(struct ct_call *call, cudaEvent_t event)
{
	return ct_sync_event(ct_real_cudaEventQuery(call, event), event);
}

CUresult ct_do_cuEventQuery(struct ct_call *call, CUevent event)
{
	return (CUresult)ct_sync_event(R(ct_real_cuEventQuery(call, event)), event);
}

/* Both events must have been reached. */
static cudaError_t timed(cudaError_t error, const void *start, const void *end)
{
	if (error == cudaSuccess) {
		ct_watch_timed(start);
		ct_watch_timed(end);
	}
	return error;
}

cudaError_t ct_do_cudaEventElapsedTime(struct ct_call *call, float *ms, cudaEvent_t start,
				       cudaEvent_t end)
{
	return timed(ct_real_cudaEventElapsedTime(call, ms, start, end), start, end);
}

CUresult ct_do_cuEventElapsedTime_v2(struct ct_call *call, float *ms, CUevent start, CUevent end)
{
	return (CUresult)timed(R(ct_real_cuEventElapsedTime_v2(call, ms, start, end)), start, end);
}

/* The context goes, and our memory with it: take everything first. The lock
 * is kept until it is gone, so that no launch sets the device up in between. */
cudaError_t ct_do_cudaDeviceReset(struct ct_call *call)
{
	struct ct_device *device;
	struct ct_quiet quiet;
	cudaError_t error;

	if (!ct_session_is_open())
		return ct_real_cudaDeviceReset(call);
	ct_quiet_begin(&quiet);
	ct_session_lock();
	device = ct_session_is_open() ? ct_device_current() : NULL;
	if (device) {
		ct_sync_finish(device, false);
		ct_objects_forget(device);
		ct_graph_ids_forget(device);
		ct_device_renew(device);
	}
	ct_quiet_end(&quiet);
	error = ct_real_cudaDeviceReset(call);
	if (error == cudaSuccess)
		ct_watch_waited(CT_WATCH_ALL, 0, 0, NULL);
	ct_session_unlock();
	return error;
}
