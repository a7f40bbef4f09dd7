/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped synchronising calls and cudaDeviceReset. */
#include "graph_ids.h"
#include "objects.h"
#include "quiet.h"
#include "real.h"
#include "session.h"
#include "sync.h"

cudaError_t __wrap_cudaDeviceSynchronize(void)
{
	cudaError_t error = __real_cudaDeviceSynchronize();

	ct_sync_after(error, CT_SYNC_DEVICE, NULL, false);
	return error;
}

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream)
{
	cudaError_t error = __real_cudaStreamSynchronize(stream);

	ct_sync_after(error, CT_SYNC_STREAM, stream, false);
	return error;
}

cudaError_t __wrap_cudaStreamSynchronize_ptsz(cudaStream_t stream)
{
	cudaError_t error = __real_cudaStreamSynchronize_ptsz(stream);

	ct_sync_after(error, CT_SYNC_STREAM, stream, true);
	return error;
}

cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event)
{
	cudaError_t error = __real_cudaEventSynchronize(event);

	ct_sync_after(error, CT_SYNC_NOTHING, NULL, false);
	return error;
}

/* Only a copy to the host is sure to have waited for what its stream did before. */
static enum ct_sync_scope scope_of(enum cudaMemcpyKind kind)
{
	return kind == cudaMemcpyDeviceToHost ? CT_SYNC_STREAM : CT_SYNC_NOTHING;
}

cudaError_t __wrap_cudaMemcpy(void *target, const void *source, size_t bytes,
			      enum cudaMemcpyKind kind)
{
	cudaError_t error = __real_cudaMemcpy(target, source, bytes, kind);

	ct_sync_after(error, scope_of(kind), NULL, false);
	return error;
}

cudaError_t __wrap_cudaMemcpy_ptds(void *target, const void *source, size_t bytes,
				   enum cudaMemcpyKind kind)
{
	cudaError_t error = __real_cudaMemcpy_ptds(target, source, bytes, kind);

	ct_sync_after(error, scope_of(kind), NULL, true);
	return error;
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
