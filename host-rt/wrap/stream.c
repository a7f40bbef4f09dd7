/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that make and destroy streams and events, and order streams by events. */
#include "host-rt/streams/life.h"
#include "host-rt/streams/order.h"
#include "host-rt/wrap/do.h"

/* Errors of the driver have the same numbers as the runtime's, its streams and events the same
 * handles. */
#define R(result) ((cudaError_t)(result))

cudaError_t ct_do_cudaStreamCreate(struct ct_call *call, cudaStream_t *stream)
{
	return ct_stream_made(ct_real_cudaStreamCreate(call, stream), stream, cudaStreamDefault);
}

cudaError_t ct_do_cudaStreamCreateWithFlags(struct ct_call *call, cudaStream_t *stream,
					    unsigned flags)
{
	return ct_stream_made(ct_real_cudaStreamCreateWithFlags(call, stream, flags), stream,
			      flags);
}

cudaError_t ct_do_cudaStreamCreateWithPriority(struct ct_call *call, cudaStream_t *stream,
					       unsigned flags, int priority)
{
	return ct_stream_made(ct_real_cudaStreamCreateWithPriority(call, stream, flags, priority),
			      stream, flags);
}

CUresult ct_do_cuStreamCreate(struct ct_call *call, CUstream *stream, unsigned flags)
{
	return (CUresult)ct_stream_made(R(ct_real_cuStreamCreate(call, stream, flags)), stream,
					flags);
}

CUresult ct_do_cuStreamCreateWithPriority(struct ct_call *call, CUstream *stream, unsigned flags,
					  int priority)
{
	return (CUresult)ct_stream_made(
	    R(ct_real_cuStreamCreateWithPriority(call, stream, flags, priority)), stream, flags);
}

cudaError_t ct_do_cudaStreamDestroy(struct ct_call *call, cudaStream_t stream)
{
	uint64_t id = ct_stream_leaving(stream);

	return ct_stream_destroyed(ct_real_cudaStreamDestroy(call, stream), stream, id);
}

CUresult ct_do_cuStreamDestroy_v2(struct ct_call *call, CUstream stream)
{
	uint64_t id = ct_stream_leaving(stream);

	return (CUresult)ct_stream_destroyed(R(ct_real_cuStreamDestroy_v2(call, stream)), stream,
					     id);
}

cudaError_t ct_do_cudaEventDestroy(struct ct_call *call, cudaEvent_t event)
{
	ct_order_forget(event);
	return ct_real_cudaEventDestroy(call, event);
}

CUresult ct_do_cuEventDestroy_v2(struct ct_call *call, CUevent event)
{
	ct_order_forget(event);
	return ct_real_cuEventDestroy_v2(call, event);
}

static cudaError_t recorded(struct ct_call *call, cudaError_t error, cudaEvent_t event,
			    cudaStream_t stream)
{
	return ct_order_called(error, CT_ORDER_RECORD, event, stream, call->per_thread);
}

cudaError_t ct_do_cudaEventRecord(struct ct_call *call, cudaEvent_t event, cudaStream_t stream)
{
	return recorded(call, ct_real_cudaEventRecord(call, event, stream), event, stream);
}

cudaError_t ct_do_cudaEventRecordWithFlags(struct ct_call *call, cudaEvent_t event,
					   cudaStream_t stream, unsigned flags)
{
	return recorded(call, ct_real_cudaEventRecordWithFlags(call, event, stream, flags), event,
			stream);
}

CUresult ct_do_cuEventRecord(struct ct_call *call, CUevent event, CUstream stream)
{
	return (CUresult)recorded(call, R(ct_real_cuEventRecord(call, event, stream)), event,
				  stream);
}

CUresult ct_do_cuEventRecordWithFlags(struct ct_call *call, CUevent event, CUstream stream,
				      unsigned flags)
{
	return (CUresult)recorded(
	    call, R(ct_real_cuEventRecordWithFlags(call, event, stream, flags)), event, stream);
}

cudaError_t ct_do_cudaStreamWaitEvent(struct ct_call *call, cudaStream_t stream, cudaEvent_t event,
				      unsigned flags)
{
	return ct_order_called(ct_real_cudaStreamWaitEvent(call, stream, event, flags),
			       CT_ORDER_WAIT, event, stream, call->per_thread);
}

CUresult ct_do_cuStreamWaitEvent(struct ct_call *call, CUstream stream, CUevent event,
				 unsigned flags)
{
	return (CUresult)ct_order_called(R(ct_real_cuStreamWaitEvent(call, stream, event, flags)),
					 CT_ORDER_WAIT, event, stream, call->per_thread);
}
