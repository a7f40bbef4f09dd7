/* SPDX-License-Identifier: Apache-2.0 */
/* Join a part's counts with its launches, units and objects. */
#include "trace/read/reader_state.h"

#include <stdlib.h>

/* The unit that has the site of a count, compiled for the launch's architecture. */
static const struct ct_unit *unit_of(const struct ct_trace *trace, const struct ct_part *part,
				     const struct ct_launch_info *launch, uint64_t unit_id,
				     uint32_t site)
{
	uint32_t arch = launch ? launch->event->unit_arch : 0;
	const struct ct_unit *unit = launch ? ct_part_unit(trace, part, unit_id, arch) : NULL;

	if (launch && !unit && unit_id)
		unit = ct_part_tagged_unit(trace, part, ct_unit_tag(unit_id), arch);
	return unit && site < unit->header->site_count ? unit : NULL;
}

static void link_counts(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_count_info *count =
	    CT_ARRAY_FROM(struct ct_count_info, &trace->counts, part->first[CT_EVENT_COUNT]);
	const struct ct_host_event *event;
	size_t events;

	event = ct_part_events(trace, part, CT_EVENT_COUNT, &events);
	for (size_t i = 0; i < events; i++, count++) {
		*count = (struct ct_count_info){
		    .event = event[i].count,
		    .launch = ct_part_launch(trace, part, event[i].count->launch),
		    .part = part->part,
		};
		count->unit = unit_of(trace, part, count->launch, event[i].count->unit_id,
				      event[i].count->site);
	}
}

static int compare_id(const void *key, const void *object)
{
	uint32_t id = *(const uint32_t *)key;
	uint32_t other = ((const struct ct_object_info *)object)->event->object;

	return id < other ? -1 : id > other;
}

/* Ids ascend in allocation order. */
static const struct ct_object_info *object_of(const struct ct_trace *trace,
					      const struct ct_part *part, uint32_t id)
{
	const struct ct_object_info *objects = CT_ARRAY_FROM(
	    const struct ct_object_info, &trace->objects, part->first[CT_EVENT_ALLOC]);
	size_t count = part->count[CT_EVENT_ALLOC];

	return count ? bsearch(&id, objects, count, sizeof(*objects), compare_id) : NULL;
}

static void link_touched(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_touched_info *touched =
	    CT_ARRAY_FROM(struct ct_touched_info, &trace->touched, part->first[CT_EVENT_TOUCHED]);
	const struct ct_host_event *event;
	size_t count;

	event = ct_part_events(trace, part, CT_EVENT_TOUCHED, &count);
	for (size_t i = 0; i < count; i++)
		touched[i] = (struct ct_touched_info){
		    .event = event[i].touched,
		    .launch = ct_part_launch(trace, part, event[i].touched->launch),
		    .object = object_of(trace, part, event[i].touched->object),
		    .part = part->part,
		};
}

static void link_summaries(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_summary_info *summary =
	    CT_ARRAY_FROM(struct ct_summary_info, &trace->summaries, part->first[CT_EVENT_SUMMARY]);
	const struct ct_host_event *event;
	size_t count;

	event = ct_part_events(trace, part, CT_EVENT_SUMMARY, &count);
	for (size_t i = 0; i < count; i++) {
		const struct ct_event_summary *own = event[i].summary;
		const struct ct_launch_info *launch = ct_part_launch(trace, part, own->launch);

		summary[i] = (struct ct_summary_info){
		    .event = own,
		    .launch = launch,
		    .unit = unit_of(trace, part, launch, own->unit_id, own->site),
		    .object = object_of(trace, part, own->object),
		    .part = part->part,
		};
	}
}

void ct_part_link_counts(struct ct_trace *trace, const struct ct_part *part)
{
	link_counts(trace, part);
	link_touched(trace, part);
	link_summaries(trace, part);
}
