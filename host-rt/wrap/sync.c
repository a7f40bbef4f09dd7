/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped calls by which the host waits or asks whether it would have to, and cudaDeviceReset. */
#include "host-rt/streams/sync.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/real.h"
#include "host-rt/events/device.h"
#include "host-rt/events/objects.h"
#include "host-rt/events/session.h"
#include "host-rt/graph/ids.h"

cudaError_t __wrap_cudaDeviceSynchronize(void)
{
	return ct_sync_device(__real_cudaDeviceSynchronize());
}

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream)
{
	return ct_sync_stream(__real_cudaStreamSynchronize(stream), stream, false);
}

cudaError_t __wrap_cudaStreamSynchronize_ptsz(cudaStream_t stream)
{
	return ct_sync_stream(__real_cudaStreamSynchronize_ptsz(stream), stream, true);
}

cudaError_t __wrap_cudaStreamQuery(cudaStream_t stream)
{
	return ct_sync_stream(__real_cudaStreamQuery(stream), stream, false);
}

cudaError_t __wrap_cudaStreamQuery_ptsz(cudaStream_t stream)
{
	return ct_sync_stream(__real_cudaStreamQuery_ptsz(stream), stream, true);
}

cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event)
{
	return ct_sync_event(__real_cudaEventSynchronize(event), event);
}

cudaError_t __wrap_cudaEventQuery(cudaEvent_t event)
{
	return ct_sync_event(__real_cudaEventQuery(event), event);
}

/* The context goes, and our memory with it: take everything first. The lock
 * is kept until it is gone, so that no launch sets the device up in between. */
cudaError_t __wrap_cudaDeviceReset(void)
{
	struct ct_device *device;
	struct ct_quiet quiet;
	cudaError_t error;

	if (!ct_session_is_open())
		return __real_cudaDeviceReset();
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
	error = __real_cudaDeviceReset();
	ct_session_unlock();
	return error;
}
