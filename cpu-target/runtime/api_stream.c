/* SPDX-License-Identifier: Apache-2.0 */
/* Stream calls of the CUDA runtime API. */
#include "api.h"
#include "event.h"
#include "stream.h"
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
	return ct_api_synchronised(ct_stream_wait(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	cudaError_t error = ct_stream_check(stream);

	if (!error && !ct_stream_is_idle(stream))
		error = cudaErrorNotReady;
	return ct_api_result(error);
}

/* ---- properties ---- */

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
	cudaError_t error = ct_stream_check(stream);

	if (!device)
		return ct_error_set(cudaErrorInvalidValue);
	*device = 0;
	return ct_api_result(error);
}

/* Nothing here captures into graphs, so no stream ever does. */
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	cudaError_t error = ct_stream_check(stream);

	if (!status)
		return ct_error_set(cudaErrorInvalidValue);
	*status = cudaStreamCaptureStatusNone;
	return ct_api_result(error);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
	static __thread enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
	enum cudaStreamCaptureMode previous = current;

	if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
		return ct_error_set(cudaErrorInvalidValue);
	current = *mode;
	*mode = previous;
	return cudaSuccess;
}

/* ---- work without data ---- */

struct callback_work {
	struct ct_work work;
	cudaHostFn_t host_function; /* one of the two */
	cudaStreamCallback_t callback;
	cudaStream_t stream;
	void *user;
};

static void run_nothing(struct ct_work *work, cudaError_t device_error)
{
	(void)work, (void)device_error;
}

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
	return ct_api_result(submit_callback(&work));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
				  unsigned flags)
{
	struct callback_work work = {.callback = callback, .stream = stream, .user = user};

	if (!callback || flags)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(submit_callback(&work));
}

static cudaError_t submit_wait(cudaStream_t stream, const struct ct_point *point)
{
	struct ct_work *work;
	cudaError_t error = ct_stream_check(stream);

	if (error || ct_point_is_done(point))
		return error;
	work = calloc(1, sizeof(*work));
	if (!work)
		return cudaErrorMemoryAllocation;
	work->run = run_nothing;
	error = ct_stream_submit(stream, work, point, NULL);
	if (error)
		free(work);
	return error;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
	struct ct_point point;
	cudaError_t error;

	if (flags > cudaEventWaitExternal)
		return ct_error_set(cudaErrorInvalidValue);
	error = ct_event_point(event, &point);
	if (error)
		return ct_error_set(error);
	error = submit_wait(stream, &point);
	ct_point_release(&point);
	return ct_api_result(error);
}
