/* SPDX-License-Identifier: Apache-2.0 */
/* ORDER events, and ids of the program's CUDA events. */
#include "host-rt/streams/order.h"
#include "host-rt/base/ids.h"
#include "host-rt/base/quiet.h"
#include "host-rt/base/thread.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/device.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/streams/streams.h"
#include "host-rt/watch/watch.h"

static struct ct_ids ids;

void ct_order_write(enum ct_order_kind kind, int device, uint64_t stream, const void *event)
{
	struct ct_event_order order = {
	    .stream = stream,
	    .event = event ? ct_ids_of(&ids, event, 0) : 0,
	    .kind = kind,
	    .device = (uint32_t)device,
	    .thread = ct_thread_id(),
	};

	ct_events_write(ct_event_order_header(&order));
}

cudaError_t ct_order_called(cudaError_t error, enum ct_order_kind kind, cudaEvent_t event,
			    cudaStream_t stream, bool per_thread)
{
	struct ct_device *device;
	struct ct_quiet quiet;
	uint64_t id;
	int ordinal;

	if (error != cudaSuccess || !ct_session_is_active())
		return error;
	ct_quiet_begin(&quiet);
	if (!ct_streams_are_capturing(stream, per_thread)) {
		ct_session_lock();
		device = ct_session_is_open() ? ct_device_current() : NULL;
		if (device) {
			id = ct_streams_id(stream, per_thread);
			ct_call_note_stream(id);
			ordinal = ct_streams_device(id, device->ordinal);
			ct_order_write(kind, ordinal, id, event);
			if (kind == CT_ORDER_RECORD)
				ct_watch_record(ordinal, id, event);
			else
				ct_watch_wait_for(ordinal, id, event);
		}
		ct_session_unlock();
	}
	ct_quiet_end(&quiet);
	return error;
}

void ct_order_drop(const void *event)
{
	ct_ids_forget(&ids, event);
	ct_watch_drop(event);
}

void ct_order_forget(cudaEvent_t event)
{
	if (!ct_session_is_open())
		return;
	ct_session_lock();
	ct_order_drop(event);
	ct_session_unlock();
}
