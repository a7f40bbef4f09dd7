/* SPDX-License-Identifier: Apache-2.0 */
/* Take the events of a chunk into the trace's tables. */
#include "trace/codec/event.h"
#include "trace/read/reader_state.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An event of an earlier version: a copy with zeros for what it lacks. */
static const void *widen(struct ct_trace *trace, const struct ct_event_header *event, size_t known)
{
	void *copy = calloc(1, known);

	if (!copy || ct_trace_own(trace, copy) < 0)
		return NULL;
	return memcpy(copy, event, event->bytes);
}

static int keep(struct ct_buffer *table, const void *entry, size_t bytes)
{
	return ct_buffer_append(table, entry, bytes) ? 0 : -ENOMEM;
}

static int load_alloc(struct ct_trace *trace, struct ct_part *part,
		      const struct ct_event_alloc *event, uint64_t event_index)
{
	const struct ct_object_info object = {
	    .event = event, .part = part->part, .born = event_index, .died = UINT64_MAX};
	size_t number = part->first_object + part->object_count++;

	if (keep(&trace->objects, &object, sizeof(object)) < 0)
		return -ENOMEM;
	return ct_part_note_alloc(trace, part, number);
}

/* Whether an area ends within the address space; an empty one does. */
static bool fits(uint64_t address, uint64_t row, uint64_t slice,
		 const struct ct_event_transfer *event)
{
	uint64_t rows, slices, end;

	if (!event->width || !event->height || !event->depth)
		return true;
	return !__builtin_mul_overflow(event->height - 1, row, &rows) &&
	       !__builtin_mul_overflow(event->depth - 1, slice, &slices) &&
	       !__builtin_add_overflow(address, event->width - 1, &end) &&
	       !__builtin_add_overflow(end, rows, &end) &&
	       !__builtin_add_overflow(end, slices, &end);
}

static int load_transfer(struct ct_trace *trace, struct ct_part *part,
			 const struct ct_event_transfer *event, uint64_t event_index)
{
	const struct ct_transfer_info transfer = {
	    .event = event, .part = part->part, .event_index = event_index};

	if (event->kind != CT_TRANSFER_COPY && event->kind != CT_TRANSFER_SET) {
		ct_trace_warn(trace, "events-%u.ct: transfers of unknown kind %u are left out",
			      part->part, event->kind);
		return 0;
	}
	if (!fits(event->target, event->target_row, event->target_slice, event) ||
	    (event->kind == CT_TRANSFER_COPY &&
	     !fits(event->source, event->source_row, event->source_slice, event))) {
		ct_trace_warn(
		    trace, "events-%u.ct: transfer %u reaches beyond the address space; left out",
		    part->part, event->transfer);
		return 0;
	}
	part->transfer_count++;
	return keep(&trace->transfers, &transfer, sizeof(transfer));
}

static int load_order(struct ct_trace *trace, struct ct_part *part,
		      const struct ct_event_order *event, uint64_t event_index)
{
	const struct ct_order_info order = {
	    .event = event, .part = part->part, .event_index = event_index};

	if (event->kind >= CT_ORDER_DEVICE && event->kind <= CT_ORDER_WAIT)
		return keep(&trace->orders, &order, sizeof(order));
	ct_trace_warn(trace, "events-%u.ct: order events of unknown kind %u are left out",
		      part->part, event->kind);
	return 0;
}

static int load_region(struct ct_trace *trace, struct ct_part *part,
		       const struct ct_event_region *event, uint64_t event_index)
{
	const struct ct_region_info region = {
	    .event = event, .part = part->part, .event_index = event_index};

	if (event->phase > CT_REGION_RESUME) {
		ct_trace_warn(trace, "events-%u.ct: marks of unknown kind %u are left out",
			      part->part, event->phase);
		return 0;
	}
	part->region_count++;
	return keep(&trace->regions, &region, sizeof(region));
}

/* The last one of each device. */
static int load_stored(struct ct_part *part, const struct ct_event_stored *event)
{
	const struct ct_event_stored **stored =
	    CT_ARRAY(const struct ct_event_stored *, &part->stored);

	for (size_t i = 0; i < CT_COUNT(*stored, &part->stored); i++)
		if (stored[i]->device == event->device) {
			stored[i] = event;
			return 0;
		}
	return keep(&part->stored, &event, sizeof(event));
}

static int load_event(struct ct_trace *trace, struct ct_part *part, const void *event,
		      uint64_t event_index)
{
	const struct ct_event_header *header = event;
	const struct ct_launch_info launch = {
	    .event = event, .part = part->part, .event_index = event_index};
	const struct ct_stream_info stream = {
	    .event = event, .part = part->part, .event_index = event_index};
	const struct ct_device_info device = {.event = event, .part = part->part};
	const struct ct_loss_info loss = {.event = event, .part = part->part};
	const struct ct_count_info count = {.event = event, .part = part->part};
	const struct ct_touched_info touched = {.event = event, .part = part->part};

	switch (header->kind) {
	case CT_EVENT_DEVICE:
		return keep(&trace->devices, &device, sizeof(device));
	case CT_EVENT_LAUNCH:
		part->launch_count++;
		return keep(&trace->launches, &launch, sizeof(launch));
	case CT_EVENT_LAUNCH_DONE:
		return keep(&part->done, &event, sizeof(event));
	case CT_EVENT_ALLOC:
		return load_alloc(trace, part, event, event_index);
	case CT_EVENT_FREE:
		return ct_part_note_free(trace, part, event, event_index);
	case CT_EVENT_LOSS:
		return keep(&trace->losses, &loss, sizeof(loss));
	case CT_EVENT_TRANSFER:
		return load_transfer(trace, part, event, event_index);
	case CT_EVENT_ORDER:
		return load_order(trace, part, event, event_index);
	case CT_EVENT_STREAM:
		return keep(&trace->streams, &stream, sizeof(stream));
	case CT_EVENT_REGION:
		return load_region(trace, part, event, event_index);
	case CT_EVENT_COUNT:
		part->count_count++;
		return keep(&trace->counts, &count, sizeof(count));
	case CT_EVENT_TOUCHED:
		part->touched_count++;
		return keep(&trace->touched, &touched, sizeof(touched));
	case CT_EVENT_STORED:
		return load_stored(part, event);
	case CT_EVENT_PROCESS:
		part->process = event;
		return 0;
	default:
		return 0; /* a later version's */
	}
}

int ct_part_load_events(struct ct_trace *trace, struct ct_part *part, const char *raw,
			const struct ct_chunk_header *header)
{
	uint64_t index = header->first_sequence;
	const struct ct_event_header *event;
	size_t at = 0;
	int err = 0;

	while (err == 0 && (event = ct_event_next(raw, header->raw_bytes, &at))) {
		const struct ct_event_layout *layout = ct_event_layout(event->kind);

		if (layout && event->bytes < layout->bytes)
			event = widen(trace, event, layout->bytes);
		err = event ? load_event(trace, part, event, index) : -ENOMEM;
		trace->event_count++;
		index++;
	}
	if (err == 0 && (at < header->raw_bytes || index != header->last_sequence + 1))
		err = -CT_EFORMAT;
	return err;
}
