/* SPDX-License-Identifier: Apache-2.0 */
/* Join a part's regions and counts with its names, launches, units and objects. */
#include "trace/read/reader_state.h"

#include <stdlib.h>

static void link_regions(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_region_info *region =
	    CT_ARRAY(struct ct_region_info, &trace->regions) + part->first_region;

	for (size_t i = 0; i < part->region_count; i++, region++)
		region->name = ct_part_string(part, region->event->name);
}

/* The unit that has the site of a count, compiled for the launch's architecture. */
static const struct ct_unit *unit_of(const struct ct_trace *trace, const struct ct_part *part,
				     const struct ct_count_info *count)
{
	const struct ct_event_launch *launch = count->launch->event;
	const struct ct_unit *unit =
	    ct_part_unit(trace, part, count->event->unit_id, launch->unit_arch);

	if (!unit && count->event->unit_id)
		unit = ct_part_tagged_unit(trace, part, ct_unit_tag(count->event->unit_id),
					   launch->unit_arch);
	return unit && count->event->site < unit->header->site_count ? unit : NULL;
}

static void link_counts(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_count_info *count =
	    CT_ARRAY(struct ct_count_info, &trace->counts) + part->first_count;

	for (size_t i = 0; i < part->count_count; i++, count++) {
		count->launch = ct_part_launch(trace, part, count->event->launch);
		count->unit = count->launch ? unit_of(trace, part, count) : NULL;
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
	const struct ct_object_info *objects =
	    CT_ARRAY(const struct ct_object_info, &trace->objects) + part->first_object;

	return part->object_count
		   ? bsearch(&id, objects, part->object_count, sizeof(*objects), compare_id)
		   : NULL;
}

static void link_touched(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_touched_info *touched =
	    CT_ARRAY(struct ct_touched_info, &trace->touched) + part->first_touched;

	for (size_t i = 0; i < part->touched_count; i++, touched++) {
		touched->launch = ct_part_launch(trace, part, touched->event->launch);
		touched->object = object_of(trace, part, touched->event->object);
	}
}

void ct_part_link_marks(struct ct_trace *trace, const struct ct_part *part)
{
	link_regions(trace, part);
	link_counts(trace, part);
	link_touched(trace, part);
}
