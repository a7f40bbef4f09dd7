/* SPDX-License-Identifier: Apache-2.0 */
/* Stream calls of the CUDA runtime API. */
#include "cpu-target/runtime/stream/stream.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/graph/capture.h"
#include "cpu-target/runtime/stream/event.h"
#include <stdlib.h>

#define PRIORITY_LEAST 0
#define PRIORITY_GREATEST (-5)

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
	if (!stream || (flags & ~(unsigned)cudaStreamNonBlocking))
		return ct_error_set(cudaErrorInvalidValue);
	if (priority > PRIORITY_LEAST)
		priority = PRIORITY_LEAST;
	if (priority < PRIORITY_GREATEST)
		priority = PRIORITY_GREATEST;
	return ct_api_result(ct_stream_create(stream, flags, priority));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
	return cudaStreamCreateWithPriority(stream, flags, PRIORITY_LEAST);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	if (least)
		*least = PRIORITY_LEAST;
	if (greatest)
		*greatest = PRIORITY_GREATEST;
	return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	return ct_api_result(ct_stream_destroy(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	cudaError_t error = ct_capture_refuse(stream);

	return ct_api_synchronised(error ? error : ct_stream_wait(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	cudaError_t error = ct_capture_refuse(stream);

	if (!error)
		error = ct_stream_check(stream);
	if (!error && !ct_stream_is_idle(stream))
		error = cudaErrorNotReady;
	return ct_api_result(error);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
	unsigned long long id;
	int priority;

	if (!flags)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_stream_properties(stream, flags, &priority, &id));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
	unsigned long long id;
	unsigned flags;

	if (!priority)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_stream_properties(stream, &flags, priority, &id));
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
	unsigned flags;
	int priority;

	if (!id)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_stream_properties(stream, &flags, &priority, id));
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
	int found = ct_stream_device(stream);

	if (!device)
		return ct_error_set(cudaErrorInvalidValue);
	*device = found < 0 ? 0 : found;
	return ct_api_result(found < 0 ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

struct callback_work {
	struct ct_work work;
	cudaHostFn_t host_function; /* one of the two */
	cudaStreamCallback_t callback;
	cudaStream_t stream;
	void *user;
};

static void run_callback(struct ct_work *work, cudaError_t device_error)
{
	struct callback_work *callback = (struct callback_work *)work;

	if (callback->callback)
		callback->callback(callback->stream, device_error, callback->user);
	else if (!device_error)
		callback->host_function(callback->user);
}

static cudaError_t submit_callback(const struct callback_work *callback)
{
	struct callback_work *work = malloc(sizeof(*work));
	cudaError_t error;

	if (!work)
		return cudaErrorMemoryAllocation;
	*work = *callback;
	work->work.run = run_callback;
	error = ct_stream_submit(callback->stream, &work->work, NULL, NULL);
	if (error)
		free(work);
	return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user)
{
	struct callback_work work = {.host_function = function, .stream = stream, .user = user};

	if (!function)
		return ct_error_set(cudaErrorInvalidValue);
	if (ct_capture_is_active(stream))
		return ct_api_result(ct_capture_host(stream, function, user));
	return ct_api_result(submit_callback(&work));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
				  unsigned flags)
{
	struct callback_work work = {.callback = callback, .stream = stream, .user = user};

	cudaError_t error;

	if (!callback || flags)
		return ct_error_set(cudaErrorInvalidValue);
	error = ct_capture_refuse(stream);
	return ct_api_result(error ? error : submit_callback(&work));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
	int captured;

	if (flags > cudaEventWaitExternal)
		return ct_error_set(cudaErrorInvalidValue);
	captured = ct_capture_wait(stream, event, flags == cudaEventWaitExternal);
	if (captured)
		return ct_api_result(captured < 0 ? (cudaError_t)-captured : cudaSuccess);
	return ct_api_result(ct_event_wait(stream, event));
}

/* Attributes are hints about caches and memory, of which there is one here. */

static int is_attribute(cudaStreamAttrID id)
{
	return id == cudaLaunchAttributeAccessPolicyWindow ||
	       id == cudaLaunchAttributeSynchronizationPolicy ||
	       id == cudaLaunchAttributePriority || id == cudaLaunchAttributeMemSyncDomain ||
	       id == cudaLaunchAttributeMemSyncDomainMap;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
				   const cudaStreamAttrValue *value)
{
	if (!value || !is_attribute(id))
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_stream_check(stream));
}
