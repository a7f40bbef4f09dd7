/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped calls that make and destroy streams and events, and order streams by events. */
#include "host-rt/calls/real.h"
#include "host-rt/streams/life.h"
#include "host-rt/streams/order.h"

cudaError_t __wrap_cudaStreamCreate(cudaStream_t *stream)
{
	return ct_stream_made(__real_cudaStreamCreate(stream), stream, cudaStreamDefault);
}

cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	return ct_stream_made(__real_cudaStreamCreateWithFlags(stream, flags), stream, flags);
}

cudaError_t __wrap_cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
						int priority)
{
	return ct_stream_made(__real_cudaStreamCreateWithPriority(stream, flags, priority), stream,
			      flags);
}

cudaError_t __wrap_cudaStreamDestroy(cudaStream_t stream)
{
	uint64_t id = ct_stream_leaving(stream);

	return ct_stream_gone(__real_cudaStreamDestroy(stream), stream, id);
}

cudaError_t __wrap_cudaEventDestroy(cudaEvent_t event)
{
	ct_order_forget(event);
	return __real_cudaEventDestroy(event);
}

cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return ct_order_called(__real_cudaEventRecord(event, stream), CT_ORDER_RECORD, event,
			       stream, false);
}

cudaError_t __wrap_cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream)
{
	return ct_order_called(__real_cudaEventRecord_ptsz(event, stream), CT_ORDER_RECORD, event,
			       stream, true);
}

cudaError_t __wrap_cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
					    unsigned int flags)
{
	return ct_order_called(__real_cudaEventRecordWithFlags(event, stream, flags),
			       CT_ORDER_RECORD, event, stream, false);
}

cudaError_t __wrap_cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream,
						 unsigned int flags)
{
	return ct_order_called(__real_cudaEventRecordWithFlags_ptsz(event, stream, flags),
			       CT_ORDER_RECORD, event, stream, true);
}

cudaError_t __wrap_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	return ct_order_called(__real_cudaStreamWaitEvent(stream, event, flags), CT_ORDER_WAIT,
			       event, stream, false);
}

cudaError_t __wrap_cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event,
					    unsigned int flags)
{
	return ct_order_called(__real_cudaStreamWaitEvent_ptsz(stream, event, flags), CT_ORDER_WAIT,
			       event, stream, true);
}
