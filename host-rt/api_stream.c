/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped calls that make and destroy streams and events, and order streams by events. */
#include "device.h"
#include "order.h"
#include "quiet.h"
#include "real.h"
#include "session.h"
#include "streams.h"

static void write_event(uint64_t stream, uint32_t flags)
{
	struct ct_device *device = ct_device_current();
	struct ct_event_stream event = {.stream = stream, .flags = flags};

	event.device = device ? (uint32_t)device->ordinal : 0;
	ct_session_event(&event.header, CT_EVENT_STREAM, sizeof(event));
}

static cudaError_t made(cudaError_t error, const cudaStream_t *stream, unsigned flags)
{
	struct ct_quiet quiet;

	if (error != cudaSuccess || !ct_session_is_active())
		return error;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	if (ct_session_is_open())
		write_event(ct_streams_made(*stream),
			    flags & cudaStreamNonBlocking ? CT_STREAM_NON_BLOCKING : 0);
	ct_session_unlock();
	ct_quiet_end(&quiet);
	return error;
}

static uint64_t before_destroy(cudaStream_t stream)
{
	uint64_t id;

	if (!ct_session_is_open())
		return 0;
	ct_session_lock();
	id = ct_streams_forget(stream);
	ct_session_unlock();
	return id;
}

static cudaError_t destroyed(cudaError_t error, cudaStream_t stream, uint64_t id)
{
	struct ct_quiet quiet;

	if (!id)
		return error;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	if (error != cudaSuccess)
		ct_streams_keep(stream, id);
	else if (ct_session_is_open())
		write_event(id, CT_STREAM_DESTROYED);
	ct_session_unlock();
	ct_quiet_end(&quiet);
	return error;
}

static cudaError_t ordered(cudaError_t error, enum ct_order_kind kind, cudaEvent_t event,
			   cudaStream_t stream, bool per_thread)
{
	if (error == cudaSuccess)
		ct_order_called(kind, event, stream, per_thread);
	return error;
}

cudaError_t __wrap_cudaStreamCreate(cudaStream_t *stream)
{
	return made(__real_cudaStreamCreate(stream), stream, cudaStreamDefault);
}

cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	return made(__real_cudaStreamCreateWithFlags(stream, flags), stream, flags);
}

cudaError_t __wrap_cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
						int priority)
{
	return made(__real_cudaStreamCreateWithPriority(stream, flags, priority), stream, flags);
}

cudaError_t __wrap_cudaStreamDestroy(cudaStream_t stream)
{
	uint64_t id = before_destroy(stream);

	return destroyed(__real_cudaStreamDestroy(stream), stream, id);
}

cudaError_t __wrap_cudaEventDestroy(cudaEvent_t event)
{
	ct_order_forget(event);
	return __real_cudaEventDestroy(event);
}

cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return ordered(__real_cudaEventRecord(event, stream), CT_ORDER_RECORD, event, stream,
		       false);
}

cudaError_t __wrap_cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream)
{
	return ordered(__real_cudaEventRecord_ptsz(event, stream), CT_ORDER_RECORD, event, stream,
		       true);
}

cudaError_t __wrap_cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
					    unsigned int flags)
{
	return ordered(__real_cudaEventRecordWithFlags(event, stream, flags), CT_ORDER_RECORD,
		       event, stream, false);
}

cudaError_t __wrap_cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream,
						 unsigned int flags)
{
	return ordered(__real_cudaEventRecordWithFlags_ptsz(event, stream, flags), CT_ORDER_RECORD,
		       event, stream, true);
}

cudaError_t __wrap_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	return ordered(__real_cudaStreamWaitEvent(stream, event, flags), CT_ORDER_WAIT, event,
		       stream, false);
}

cudaError_t __wrap_cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event,
					    unsigned int flags)
{
	return ordered(__real_cudaStreamWaitEvent_ptsz(stream, event, flags), CT_ORDER_WAIT, event,
		       stream, true);
}
