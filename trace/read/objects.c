/* SPDX-License-Identifier: Apache-2.0 */
/* Lifetimes of objects, and which one held an address when a launch started. */
#include "trace/read/reader_state.h"

#include <errno.h>

static struct ct_object_info *object_of(const struct ct_trace *trace, size_t object)
{
	return &CT_ARRAY(struct ct_object_info, &trace->objects)[object];
}

static struct ct_live_range range_of(const struct ct_trace *trace, uint32_t object)
{
	const struct ct_event_alloc *event = object_of(trace, object)->event;
	uint64_t room = UINT64_MAX - event->address;

	return (struct ct_live_range){
	    .begin = event->address,
	    .end = event->address + (event->bytes < room ? event->bytes : room),
	    .object = object,
	};
}

/* Bring an object to life or end its life, in part->live. */
static int apply(const struct ct_trace *trace, struct ct_part *part, uint32_t object, bool is_death)
{
	struct ct_live_range range = range_of(trace, object);

	if (!is_death)
		return ct_live_insert(&part->live, &range);
	ct_live_remove(&part->live, range.begin, object);
	return 0;
}

static int note_change(struct ct_trace *trace, struct ct_part *part, uint32_t object, bool is_death,
		       uint64_t event_index)
{
	struct ct_object_change change = {event_index, object, is_death};
	int err = apply(trace, part, object, is_death);

	if (err < 0)
		return err;
	if (is_death)
		object_of(trace, object)->freed_at = event_index;
	if (!ct_buffer_append(&part->changes, &change, sizeof(change)))
		return -ENOMEM;
	part->changes_done++;
	return 0;
}

/* Whatever still lived in the new object's addresses must have been freed, in
 * an event that is lost or by a call that was not seen. */
int ct_part_note_alloc(struct ct_trace *trace, struct ct_part *part,
		       const struct ct_host_event *event)
{
	const struct ct_object_info info = {.event = event->alloc,
					    .part = event->part,
					    .allocated_at = event->index,
					    .freed_at = UINT64_MAX};
	size_t object = CT_COUNT(struct ct_object_info, &trace->objects);
	const struct ct_live_range *old;
	struct ct_live_range range;

	if (!ct_buffer_append(&trace->objects, &info, sizeof(info)))
		return -ENOMEM;
	range = range_of(trace, (uint32_t)object);
	if (range.begin >= range.end)
		return 0;
	while ((old = ct_live_overlap(&part->live, range.begin, range.end))) {
		int err = note_change(trace, part, old->object, true, info.allocated_at);

		if (err < 0)
			return err;
	}
	return note_change(trace, part, (uint32_t)object, false, info.allocated_at);
}

/* A free of an object that is not known to live is ignored. */
int ct_part_note_free(struct ct_trace *trace, struct ct_part *part,
		      const struct ct_host_event *event)
{
	const struct ct_event_free *end = event->free;
	const struct ct_live_range *range = ct_live_find(&part->live, end->address);

	if (!range || range->begin != end->address ||
	    (end->object && object_of(trace, range->object)->event->object != end->object))
		return 0;
	return note_change(trace, part, range->object, true, event->index);
}

/* Move part->live to just before the event of that index. */
static int move_to(const struct ct_trace *trace, struct ct_part *part, uint64_t event_index)
{
	const struct ct_object_change *changes = CT_ARRAY(struct ct_object_change, &part->changes);
	size_t count = CT_COUNT(struct ct_object_change, &part->changes), i;
	int err = 0;

	while (err == 0 && part->changes_done > 0 &&
	       changes[part->changes_done - 1].event_index >= event_index) {
		i = --part->changes_done;
		err = apply(trace, part, changes[i].object, !changes[i].is_death);
	}
	while (err == 0 && part->changes_done < count &&
	       changes[part->changes_done].event_index < event_index) {
		i = part->changes_done++;
		err = apply(trace, part, changes[i].object, changes[i].is_death);
	}
	return err;
}

const struct ct_object_info *ct_trace_object_at(const struct ct_trace *trace,
						const struct ct_launch_info *launch,
						uint64_t address)
{
	struct ct_part *part = ct_trace_part(trace, launch->part);
	const struct ct_live_range *range;

	if (CT_ADDRESS_SPACE(address) != CT_SPACE_GLOBAL)
		return NULL;
	if (!part || move_to(trace, part, launch->event_index) < 0)
		return NULL;
	range = ct_live_find(&part->live, address);
	return range ? object_of(trace, range->object) : NULL;
}
