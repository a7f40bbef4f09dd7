/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a process has of waits: streams, records of the driver, names of calls,
 * coincidences. */
#include "postproc/analysis/calls/blocking.h"
#include "postproc/analysis/calls/coincidence.h"
#include "postproc/analysis/calls/waits.h"
#include <errno.h>
#include <string.h>

static int read_streams(struct ct_waits *waits, const struct ct_trace *trace, uint32_t part)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_STREAM, &events);

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_stream *stream = events[i].stream;

		if (events[i].part == part && stream->flags & CT_STREAM_NON_BLOCKING &&
		    !ct_map_put(&waits->independent, stream->stream, 0))
			return -ENOMEM;
	}
	count = ct_trace_events(trace, CT_EVENT_CLOCK, &events);
	for (size_t i = 0; i < count; i++)
		if (events[i].part == part && events[i].clock->error_ns > waits->error_ns)
			waits->error_ns = events[i].clock->error_ns;
	return 0;
}

/* It is not known what is before an event; a stream that waits is no wait of the host. */
static enum ct_wait recorded_wait(uint32_t kind)
{
	switch (kind) {
	case CT_SYNC_FOR_CONTEXT:
	case CT_SYNC_FOR_EVENT:
		return CT_WAIT_FOR_DEVICE;
	case CT_SYNC_FOR_STREAM:
		return CT_WAIT_FOR_STREAM;
	default:
		return CT_WAIT_FOR_NONE;
	}
}

static int read_syncs(struct ct_waits *waits, struct ct_trace *trace, uint32_t part)
{
	struct ct_by_number_range range = {.count = 0};
	const void *rows;
	size_t count;
	int err = ct_trace_rows(trace, part, CT_TABLE_SYNC, &rows, &count);
	const struct ct_row_sync *sync = rows;

	for (size_t i = 0; i < count && err == 0; i++)
		if (sync[i].correlation)
			ct_by_number_expect(&range, sync[i].correlation);
	if (err == 0)
		err = ct_by_number_init(&waits->recorded, &range);
	for (size_t i = 0; i < count && err == 0; i++)
		if (sync[i].correlation)
			err = ct_by_number_set(&waits->recorded, sync[i].correlation,
					       1u + recorded_wait(sync[i].kind));
	return err;
}

static uint64_t pack(struct ct_wait_kind kind)
{
	return (uint64_t)kind.what | (uint64_t)kind.evidence << 8 |
	       (uint64_t)kind.is_synchronize << 16 | (uint64_t)kind.is_query << 17;
}

/* Each name once. */
static int name_calls(struct ct_waits *waits, struct ct_trace *trace, uint32_t part,
		      const struct ct_row_call *call, size_t count)
{
	struct ct_blocking blocking;
	int err = ct_blocking_of(&blocking, trace);

	for (size_t i = 0; i < count && err == 0; i++) {
		union ct_map_value *kind;

		if (ct_map_find(&waits->named, call[i].name, 0))
			continue;
		kind = ct_map_put(&waits->named, call[i].name, 0);
		if (kind)
			kind->number = pack(ct_wait_kind_calibrated(
			    ct_trace_string(trace, part, call[i].name), &blocking));
		else
			err = -ENOMEM;
	}
	ct_blocking_fini(&blocking);
	return err;
}

static int look_at_calls(struct ct_waits *waits, struct ct_trace *trace, uint32_t part)
{
	const void *calls;
	size_t count;
	int err = ct_trace_rows(trace, part, CT_TABLE_CALL, &calls, &count);

	if (err == 0)
		err = name_calls(waits, trace, part, calls, count);
	return err == 0 ? ct_waits_coincide(waits, calls, count) : err;
}

int ct_waits_init(struct ct_waits *waits, struct ct_trace *trace, uint32_t part,
		  const struct ct_row_activity *rows, size_t count)
{
	int err;

	*waits = (struct ct_waits){.activity = rows};
	err = ct_ends_init(&waits->ends, rows, count);
	if (err == 0)
		err = read_streams(waits, trace, part);
	if (err == 0)
		err = read_syncs(waits, trace, part);
	if (err == 0)
		err = look_at_calls(waits, trace, part);
	if (err < 0)
		ct_waits_fini(waits);
	return err;
}
