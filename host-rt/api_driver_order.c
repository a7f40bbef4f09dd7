/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped waits, streams and events of the driver: handles are those of the runtime. */
#include "order.h"
#include "real_driver.h"
#include "stream_life.h"
#include "sync.h"

/* Errors of the driver have the same numbers as the runtime's. */
#define R(result) ((cudaError_t)(result))

CUresult __wrap_cuCtxSynchronize(void)
{
	return (CUresult)ct_sync_device(R(__real_cuCtxSynchronize()));
}

CUresult __wrap_cuStreamSynchronize(CUstream stream)
{
	return (CUresult)ct_sync_stream(R(__real_cuStreamSynchronize(stream)), stream, false);
}

CUresult __wrap_cuStreamSynchronize_ptsz(CUstream stream)
{
	return (CUresult)ct_sync_stream(R(__real_cuStreamSynchronize_ptsz(stream)), stream, true);
}

CUresult __wrap_cuStreamQuery(CUstream stream)
{
	return (CUresult)ct_sync_stream(R(__real_cuStreamQuery(stream)), stream, false);
}

CUresult __wrap_cuStreamQuery_ptsz(CUstream stream)
{
	return (CUresult)ct_sync_stream(R(__real_cuStreamQuery_ptsz(stream)), stream, true);
}

CUresult __wrap_cuEventSynchronize(CUevent event)
{
	return (CUresult)ct_sync_event(R(__real_cuEventSynchronize(event)), event);
}

CUresult __wrap_cuEventQuery(CUevent event)
{
	return (CUresult)ct_sync_event(R(__real_cuEventQuery(event)), event);
}

CUresult __wrap_cuStreamCreate(CUstream *stream, unsigned flags)
{
	return (CUresult)ct_stream_made(R(__real_cuStreamCreate(stream, flags)), stream, flags);
}

CUresult __wrap_cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
	CUresult result = __real_cuStreamCreateWithPriority(stream, flags, priority);

	return (CUresult)ct_stream_made(R(result), stream, flags);
}

CUresult __wrap_cuStreamDestroy_v2(CUstream stream)
{
	uint64_t id = ct_stream_leaving(stream);

	return (CUresult)ct_stream_gone(R(__real_cuStreamDestroy_v2(stream)), stream, id);
}

CUresult __wrap_cuEventDestroy_v2(CUevent event)
{
	ct_order_forget(event);
	return __real_cuEventDestroy_v2(event);
}

static CUresult recorded(CUresult result, CUevent event, CUstream stream, bool per_thread)
{
	return (CUresult)ct_order_called(R(result), CT_ORDER_RECORD, event, stream, per_thread);
}

CUresult __wrap_cuEventRecord(CUevent event, CUstream stream)
{
	return recorded(__real_cuEventRecord(event, stream), event, stream, false);
}

CUresult __wrap_cuEventRecord_ptsz(CUevent event, CUstream stream)
{
	return recorded(__real_cuEventRecord_ptsz(event, stream), event, stream, true);
}

CUresult __wrap_cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
	return recorded(__real_cuEventRecordWithFlags(event, stream, flags), event, stream, false);
}

CUresult __wrap_cuEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned flags)
{
	return recorded(__real_cuEventRecordWithFlags_ptsz(event, stream, flags), event, stream,
			true);
}

static CUresult waited(CUresult result, CUevent event, CUstream stream, bool per_thread)
{
	return (CUresult)ct_order_called(R(result), CT_ORDER_WAIT, event, stream, per_thread);
}

CUresult __wrap_cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
	return waited(__real_cuStreamWaitEvent(stream, event, flags), event, stream, false);
}

CUresult __wrap_cuStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned flags)
{
	return waited(__real_cuStreamWaitEvent_ptsz(stream, event, flags), event, stream, true);
}
