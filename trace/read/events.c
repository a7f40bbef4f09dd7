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

static bool transfer_means_something(struct ct_trace *trace, const struct ct_host_event *event)
{
	const struct ct_event_transfer *transfer = event->transfer;

	if (transfer->kind != CT_TRANSFER_COPY && transfer->kind != CT_TRANSFER_SET) {
		ct_trace_warn(trace, "events-%u.ct: transfers of unknown kind %u are left out",
			      event->part, transfer->kind);
		return false;
	}
	if (fits(transfer->target, transfer->target_row, transfer->target_slice, transfer) &&
	    (transfer->kind != CT_TRANSFER_COPY ||
	     fits(transfer->source, transfer->source_row, transfer->source_slice, transfer)))
		return true;
	ct_trace_warn(trace, "events-%u.ct: transfer %u reaches beyond the address space; left out",
		      event->part, transfer->transfer);
	return false;
}

/* Readers must leave these out, and say so. */
static bool means_something(struct ct_trace *trace, const struct ct_host_event *event)
{
	switch (event->header->kind) {
	case CT_EVENT_TRANSFER:
		return transfer_means_something(trace, event);
	case CT_EVENT_ORDER:
		if (event->order->kind >= CT_ORDER_DEVICE && event->order->kind <= CT_ORDER_WAIT)
			return true;
		ct_trace_warn(trace, "events-%u.ct: order events of unknown kind %u are left out",
			      event->part, event->order->kind);
		return false;
	case CT_EVENT_REGION:
		if (event->region->phase <= CT_REGION_RESUME)
			return true;
		ct_trace_warn(trace, "events-%u.ct: marks of unknown kind %u are left out",
			      event->part, event->region->phase);
		return false;
	default:
		return true;
	}
}

static int keep(struct ct_buffer *table, const void *entry, size_t bytes)
{
	return ct_buffer_append(table, entry, bytes) ? 0 : -ENOMEM;
}

static int load_event(struct ct_trace *trace, struct ct_part *part,
		      const struct ct_host_event *event)
{
	uint16_t kind = event->header->kind;
	int err;

	if (!means_something(trace, event))
		return 0;
	err = keep(&trace->events[kind], event, sizeof(*event));
	part->count[kind]++;
	if (err == 0 && kind == CT_EVENT_ALLOC)
		err = ct_part_note_alloc(trace, part, event);
	if (err == 0 && kind == CT_EVENT_FREE)
		err = ct_part_note_free(trace, part, event);
	return err;
}

int ct_part_load_events(struct ct_trace *trace, struct ct_part *part, const char *raw,
			const struct ct_chunk_header *header)
{
	struct ct_event_block block = {.raw = raw, .first_index = header->first_sequence};
	struct ct_host_event event = {.part = part->part, .index = block.first_index};
	int err = 0;

	while (err == 0 && (event.header = ct_event_next(raw, header->raw_bytes, &block.bytes))) {
		const struct ct_event_layout *layout = ct_event_layout(event.header->kind);

		if (layout && event.header->bytes < layout->bytes)
			event.header = widen(trace, event.header, layout->bytes);
		if (!event.header)
			err = -ENOMEM;
		else if (layout)
			err = load_event(trace, part, &event);
		trace->event_count++;
		event.index++;
	}
	if (err == 0)
		err = keep(&part->event_blocks, &block, sizeof(block));
	if (err == 0 &&
	    (block.bytes < header->raw_bytes || event.index != header->last_sequence + 1))
		err = -CT_EFORMAT;
	return err;
}

size_t ct_trace_events(const struct ct_trace *trace, enum ct_event_kind kind,
		       const struct ct_host_event **events)
{
	*events = CT_ARRAY(const struct ct_host_event, &trace->events[kind]);
	return CT_COUNT(struct ct_host_event, &trace->events[kind]);
}

static int each_of_part(const struct ct_part *part,
			int (*each)(void *user, const struct ct_host_event *event), void *user)
{
	const struct ct_event_block *block = CT_ARRAY(struct ct_event_block, &part->event_blocks);
	int result;

	for (size_t i = 0; i < CT_COUNT(*block, &part->event_blocks); i++, block++) {
		struct ct_host_event event = {.part = part->part, .index = block->first_index};
		size_t at = 0;

		while ((event.header = ct_event_next(block->raw, block->bytes, &at))) {
			result = each(user, &event);
			if (result)
				return result;
			event.index++;
		}
	}
	return 0;
}

int ct_trace_each_event(const struct ct_trace *trace,
			int (*each)(void *user, const struct ct_host_event *event), void *user)
{
	const struct ct_part *parts = CT_ARRAY(struct ct_part, &trace->parts);
	int result = 0;

	for (size_t i = 0; i < CT_COUNT(struct ct_part, &trace->parts) && result == 0; i++)
		result = each_of_part(&parts[i], each, user);
	return result;
}
