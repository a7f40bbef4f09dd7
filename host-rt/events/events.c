/* SPDX-License-Identifier: Apache-2.0 */
/* Events, strings and units go into the trace, and to the user's sink. */
#include "host-rt/events/events.h"
#include "base/clock.h"
#include "host-rt/base/registry.h"
#include "host-rt/events/session.h"
#include "host-rt/events/sink.h"
#include "trace/write/writer.h"

static uint64_t units_written;

uint32_t ct_events_string(const char *string)
{
	uint32_t id = 0;

	ct_session_check(ct_writer_string(ct_session_writer(), string, &id));
	ct_sink_string(id, string);
	return id;
}

void ct_events_write(struct ct_event_header *event)
{
	if (!event->time_ns)
		event->time_ns = ct_clock_real_ns();
	ct_sink_event(event);
	ct_session_check(ct_writer_event(ct_session_writer(), event));
}

void ct_events_units(void)
{
	uint64_t count = ct_registry_unit_count();

	if (units_written == count)
		return;
	for (struct ct_registered_unit *unit = ct_registry_units(); unit; unit = unit->next)
		if (!unit->written) {
			unit->written = true;
			ct_session_check(
			    ct_writer_unit(ct_session_writer(), unit->blob, unit->bytes));
			ct_sink_unit(unit->blob, unit->bytes);
		}
	units_written = count;
}

static void write_loss(uint64_t chunks, uint32_t launch, uint32_t last, const char *reason)
{
	struct ct_event_loss event = {
	    .chunks = chunks, .launch = launch, .last_launch = last > launch ? last : 0};

	event.reason = ct_events_string(reason);
	ct_events_write(ct_event_loss_header(&event));
}

void ct_events_loss_among(uint64_t chunks, uint32_t first, uint32_t last, const char *reason)
{
	/* An unknown number counts as one: enough to say that not all is there. */
	ct_session_count(&ct_session_totals.lost_chunks, chunks == UINT64_MAX ? 1 : chunks);
	write_loss(chunks, first, last, reason);
}

void ct_events_loss(uint64_t chunks, uint32_t launch, const char *reason)
{
	ct_events_loss_among(chunks, launch, launch, reason);
}

void ct_events_unstored(const char *reason)
{
	write_loss(UINT64_MAX, 0, 0, reason);
}
