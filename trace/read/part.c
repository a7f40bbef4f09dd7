/* SPDX-License-Identifier: Apache-2.0 */
/* Loads what a part has, by number or id: strings, units, events, launches. */
#include "trace/read/reader_state.h"

struct ct_part *ct_trace_part(const struct ct_trace *trace, uint32_t number)
{
	struct ct_part *parts = CT_ARRAY(struct ct_part, &trace->parts);
	size_t low = 0, high = CT_COUNT(struct ct_part, &trace->parts);

	while (low < high) { /* they ascend, as their files do */
		size_t middle = low + (high - low) / 2;

		if (parts[middle].part < number)
			low = middle + 1;
		else if (parts[middle].part > number)
			high = middle;
		else
			return &parts[middle];
	}
	return NULL;
}

const struct ct_unit *ct_part_unit(const struct ct_trace *trace, const struct ct_part *part,
				   uint64_t unit_id, uint32_t arch)
{
	const struct ct_unit *units = CT_ARRAY(struct ct_unit, &trace->units), *unit;
	const uint32_t *own = CT_ARRAY(uint32_t, &part->units);

	for (size_t i = 0; i < CT_COUNT(uint32_t, &part->units); i++) {
		unit = &units[own[i]];
		if (unit_id && unit->header->unit_id == unit_id && unit->header->arch == arch)
			return unit;
	}
	return NULL;
}

/* How well an image for `have` stands in for `wanted`: images run on newer GPUs. */
static uint32_t distance(uint32_t have, uint32_t wanted)
{
	return have <= wanted ? wanted - have : UINT32_MAX / 2 + (have - wanted);
}

const struct ct_unit *ct_part_tagged_unit(const struct ct_trace *trace, const struct ct_part *part,
					  uint32_t tag, uint32_t arch)
{
	const struct ct_unit *units = CT_ARRAY(struct ct_unit, &trace->units), *unit;
	const uint32_t *own = CT_ARRAY(uint32_t, &part->units);
	const struct ct_unit *best = NULL;

	for (size_t i = 0; i < CT_COUNT(uint32_t, &part->units); i++) {
		unit = &units[own[i]];
		if (ct_unit_tag(unit->header->unit_id) == tag &&
		    (!best ||
		     distance(unit->header->arch, arch) < distance(best->header->arch, arch)))
			best = unit;
	}
	return best;
}

struct ct_launch_info *ct_part_launch(const struct ct_trace *trace, const struct ct_part *part,
				      uint32_t launch)
{
	struct ct_launch_info *launches = CT_ARRAY(struct ct_launch_info, &trace->launches);
	size_t low = 0, high = part->count[CT_EVENT_LAUNCH];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (launches[part->launch_order[middle]].event->launch < launch)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == part->count[CT_EVENT_LAUNCH])
		return NULL;
	launches += part->launch_order[low];
	return launches->event->launch == launch ? launches : NULL;
}

const char *ct_part_string(const struct ct_part *part, uint32_t id)
{
	const struct ct_string_block *blocks =
	    CT_ARRAY(struct ct_string_block, &part->string_blocks);
	size_t low = 0, high = CT_COUNT(struct ct_string_block, &part->string_blocks);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (id < blocks[middle].first_id)
			high = middle;
		else if (id - blocks[middle].first_id >= blocks[middle].count)
			low = middle + 1;
		else
			return blocks[middle].strings[id - blocks[middle].first_id];
	}
	return "";
}

const struct ct_host_event *ct_part_events(const struct ct_trace *trace, const struct ct_part *part,
					   enum ct_event_kind kind, size_t *count)
{
	*count = part->count[kind];
	return *count
		   ? CT_ARRAY(const struct ct_host_event, &trace->events[kind]) + part->first[kind]
		   : NULL;
}
