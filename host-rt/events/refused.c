/* SPDX-License-Identifier: Apache-2.0 */
/* REFUSED events. */
#include "host-rt/events/refused.h"
#include "host-rt/base/quiet.h"
#include "host-rt/base/thread.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/device.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"

bool ct_refused_is_on(void)
{
	return ct_session_is_active() && ct_session_options()->check;
}

static void write_event(struct ct_event_refused *event)
{
	const struct ct_call *call = ct_call_innermost;

	ct_session_lock();
	if (ct_session_is_open() && ct_device_current()) {
		event->call = call ? ct_events_string(ct_call_name(call->number)) : 0;
		event->stack = call && call->log ? call->stack : 0;
		event->thread = ct_thread_id();
		ct_events_write(ct_event_refused_header(event));
	}
	ct_session_unlock();
}

void ct_refused_free(uint64_t address, int error)
{
	struct ct_event_refused event = {.target = address,
					 .kind = CT_REFUSED_FREE,
					 .direction = CT_REFUSED_NO_DIRECTION,
					 .error = error};
	struct ct_quiet quiet;

	if (!ct_refused_is_on())
		return;
	ct_quiet_begin(&quiet);
	write_event(&event);
	ct_quiet_end(&quiet);
}

void ct_refused_transfer(const struct ct_event_transfer *transfer, uint32_t direction, int error)
{
	struct ct_event_refused event = {
	    .target = transfer->target,
	    .source = transfer->source,
	    .width = transfer->width,
	    .height = transfer->height,
	    .depth = transfer->depth,
	    .target_row = transfer->target_row,
	    .target_slice = transfer->target_slice,
	    .source_row = transfer->source_row,
	    .source_slice = transfer->source_slice,
	    .kind = transfer->kind == CT_TRANSFER_COPY ? CT_REFUSED_COPY : CT_REFUSED_SET,
	    .direction = direction,
	    .error = error,
	};

	write_event(&event);
}
