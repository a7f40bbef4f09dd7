/* SPDX-License-Identifier: Apache-2.0 */
/* Event calls of the CUDA runtime API. */
#include "cpu-target/runtime/stream/event.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/graph/capture.h"

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned flags)
{
	const unsigned known =
	    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

	if (!handle || (flags & ~known))
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_event_create(handle, flags));
}

cudaError_t cudaEventCreate(cudaEvent_t *handle)
{
	return cudaEventCreateWithFlags(handle, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	ct_capture_forget_event(event);
	return ct_api_result(ct_event_destroy(event));
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
	if (ct_capture_is_active(stream))
		return ct_api_result(
		    ct_capture_record(stream, event, flags == cudaEventRecordExternal));
	ct_capture_forget_event(event);
	return ct_api_result(ct_event_record(event, stream));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return record(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
	if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal)
		return ct_error_set(cudaErrorInvalidValue);
	return record(event, stream, flags);
}

cudaError_t cudaEventQuery(cudaEvent_t handle)
{
	struct ct_point point;
	cudaError_t error = ct_event_point(handle, &point);

	if (error)
		return ct_error_set(error);
	if (!ct_point_is_done(&point))
		error = cudaErrorNotReady;
	ct_point_release(&point);
	return ct_api_result(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle)
{
	struct ct_point point;
	cudaError_t error = ct_event_point(handle, &point);

	if (error)
		return ct_error_set(error);
	error = ct_point_wait(&point);
	ct_point_release(&point);
	return ct_api_synchronised(error);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	if (!ms)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_event_elapsed(ms, start, end));
}
