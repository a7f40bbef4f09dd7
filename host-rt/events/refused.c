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

/* call: its name; NULL: not known. */
static void write_event(struct ct_event_refused *event, const char *call, uint32_t stack)
{
	ct_session_lock();
	if (ct_session_is_open() && ct_device_current()) {
		event->call = call ? ct_events_string(call) : 0;
		event->stack = stack;
		event->thread = ct_thread_id();
		ct_events_write(ct_event_refused_header(event));
	}
	ct_session_unlock();
}

static void write_of_call(struct ct_event_refused *event)
{
	const struct ct_call *call = ct_call_innermost;

	write_event(event, call ? ct_call_name(call->number) : NULL,
		    call && call->log ? call->stack : 0);
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
	write_of_call(&event);
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

	write_of_call(&event);
}

void ct_refused_access(const struct ct_watch_early *early)
{
	struct ct_event_refused event = {
	    .target = early->at,
	    .source = early->start,
	    .width = early->bytes,
	    .height = 1,
	    .depth = 1,
	    .kind = early->writes ? CT_REFUSED_STORE : CT_REFUSED_LOAD,
	    .direction = CT_REFUSED_NO_DIRECTION,
	};
	struct ct_quiet quiet;

	ct_quiet_begin(&quiet);
	write_event(&event, ct_call_name((enum ct_call_number)early->call), early->stack);
	ct_quiet_end(&quiet);
}
