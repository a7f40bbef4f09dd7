/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the host that streams call: what they leave behind is not watched. */
#include "host-rt/streams/streams.h"
#include "host-rt/watch/watch.h"
#include "host-rt/wrap/do.h"

/* Errors of the driver have the same numbers as the runtime's, its streams the same handles. */
#define R(result) ((cudaError_t)(result))

/* The wait behind it may be for what the function has done. */
static cudaError_t called(const struct ct_call *call, cudaError_t error, cudaStream_t stream)
{
	uint64_t id;

	if (error != cudaSuccess || !ct_watch_is_on())
		return error;
	id = ct_streams_id(stream, call->per_thread);
	ct_watch_hidden("a function of the host runs before it (cudaLaunchHostFunc, "
			"cudaStreamAddCallback)",
			ct_streams_device(id, 0), id);
	return error;
}

cudaError_t ct_do_cudaLaunchHostFunc(struct ct_call *call, cudaStream_t stream,
				     cudaHostFn_t function, void *user)
{
	return called(call, ct_real_cudaLaunchHostFunc(call, stream, function, user), stream);
}

cudaError_t ct_do_cudaStreamAddCallback(struct ct_call *call, cudaStream_t stream,
					cudaStreamCallback_t function, void *user, unsigned flags)
{
	return called(call, ct_real_cudaStreamAddCallback(call, stream, function, user, flags),
		      stream);
}

CUresult ct_do_cuLaunchHostFunc(struct ct_call *call, CUstream stream, CUhostFn function,
				void *user)
{
	return (CUresult)called(call, R(ct_real_cuLaunchHostFunc(call, stream, function, user)),
				stream);
}

CUresult ct_do_cuStreamAddCallback(struct ct_call *call, CUstream stream, CUstreamCallback function,
				   void *user, unsigned flags)
{
	return (CUresult)called(
	    call, R(ct_real_cuStreamAddCallback(call, stream, function, user, flags)), stream);
}
