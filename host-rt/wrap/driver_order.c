/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped waits, streams and events of the driver: handles are those of the runtime. */
#include "host-rt/calls/driver.h"
#include "host-rt/calls/real_driver.h"
#include "host-rt/streams/life.h"
#include "host-rt/streams/order.h"
#include "host-rt/streams/sync.h"

/* Errors of the driver have the same numbers as the runtime's. */
#define R(result) ((cudaError_t)(result))

CUresult __wrap_cuCtxSynchronize(void)
{
	return (CUresult)ct_sync_device(
	    R(CT_DRIVER_CALL(cuCtxSynchronize, "cuCtxSynchronize", false, ())));
}

CUresult __wrap_cuStreamSynchronize(CUstream stream)
{
	return (CUresult)ct_sync_stream(
	    R(CT_DRIVER_CALL(cuStreamSynchronize, "cuStreamSynchronize", false, (stream))), stream,
	    false);
}

CUresult __wrap_cuStreamSynchronize_ptsz(CUstream stream)
{
	return (CUresult)ct_sync_stream(
	    R(CT_DRIVER_CALL(cuStreamSynchronize_ptsz, "cuStreamSynchronize", true, (stream))),
	    stream, true);
}

CUresult __wrap_cuStreamQuery(CUstream stream)
{
	return (CUresult)ct_sync_stream(
	    R(CT_DRIVER_CALL(cuStreamQuery, "cuStreamQuery", false, (stream))), stream, false);
}

CUresult __wrap_cuStreamQuery_ptsz(CUstream stream)
{
	return (CUresult)ct_sync_stream(
	    R(CT_DRIVER_CALL(cuStreamQuery_ptsz, "cuStreamQuery", true, (stream))), stream, true);
}

CUresult __wrap_cuEventSynchronize(CUevent event)
{
	return (CUresult)ct_sync_event(
	    R(CT_DRIVER_CALL(cuEventSynchronize, "cuEventSynchronize", false, (event))), event);
}

CUresult __wrap_cuEventQuery(CUevent event)
{
	return (CUresult)ct_sync_event(
	    R(CT_DRIVER_CALL(cuEventQuery, "cuEventQuery", false, (event))), event);
}

CUresult __wrap_cuStreamCreate(CUstream *stream, unsigned flags)
{
	return (CUresult)ct_stream_made(
	    R(CT_DRIVER_CALL(cuStreamCreate, "cuStreamCreate", false, (stream, flags))), stream,
	    flags);
}

CUresult __wrap_cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
	CUresult result = CT_DRIVER_CALL(cuStreamCreateWithPriority, "cuStreamCreateWithPriority",
					 false, (stream, flags, priority));

	return (CUresult)ct_stream_made(R(result), stream, flags);
}

CUresult __wrap_cuStreamDestroy_v2(CUstream stream)
{
	uint64_t id = ct_stream_leaving(stream);

	return (CUresult)ct_stream_gone(
	    R(CT_DRIVER_CALL(cuStreamDestroy_v2, "cuStreamDestroy", false, (stream))), stream, id);
}

CUresult __wrap_cuEventDestroy_v2(CUevent event)
{
	ct_order_forget(event);
	return CT_DRIVER_CALL(cuEventDestroy_v2, "cuEventDestroy", false, (event));
}

static CUresult recorded(CUresult result, CUevent event, CUstream stream, bool per_thread)
{
	return (CUresult)ct_order_called(R(result), CT_ORDER_RECORD, event, stream, per_thread);
}

CUresult __wrap_cuEventRecord(CUevent event, CUstream stream)
{
	return recorded(CT_DRIVER_CALL(cuEventRecord, "cuEventRecord", false, (event, stream)),
			event, stream, false);
}

CUresult __wrap_cuEventRecord_ptsz(CUevent event, CUstream stream)
{
	return recorded(CT_DRIVER_CALL(cuEventRecord_ptsz, "cuEventRecord", true, (event, stream)),
			event, stream, true);
}

CUresult __wrap_cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
	return recorded(CT_DRIVER_CALL(cuEventRecordWithFlags, "cuEventRecordWithFlags", false,
				       (event, stream, flags)),
			event, stream, false);
}

CUresult __wrap_cuEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned flags)
{
	return recorded(CT_DRIVER_CALL(cuEventRecordWithFlags_ptsz, "cuEventRecordWithFlags", true,
				       (event, stream, flags)),
			event, stream, true);
}

static CUresult waited(CUresult result, CUevent event, CUstream stream, bool per_thread)
{
	return (CUresult)ct_order_called(R(result), CT_ORDER_WAIT, event, stream, per_thread);
}

CUresult __wrap_cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
	return waited(
	    CT_DRIVER_CALL(cuStreamWaitEvent, "cuStreamWaitEvent", false, (stream, event, flags)),
	    event, stream, false);
}

CUresult __wrap_cuStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned flags)
{
	return waited(CT_DRIVER_CALL(cuStreamWaitEvent_ptsz, "cuStreamWaitEvent", true,
				     (stream, event, flags)),
		      event, stream, true);
}
