/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what a thread did, in terms that two traces of one program share. */
#include "postproc/analysis/diff/match.h"
#include "base/map.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

static uint64_t combine(uint64_t hash, uint64_t number)
{
	hash ^= (number + 1) * 0x9e3779b97f4a7c15u;
	hash *= 0xff51afd7ed558ccdu;
	return hash ^ hash >> 32;
}

/* Sites that are numbered together. */
static uint64_t group_of(const struct ct_unit *unit, const struct ct_unit_site *site)
{
	uint64_t group = hash_text(ct_unit_string(unit, site->function));

	group = combine(group, hash_text(ct_unit_string(unit, site->pattern)));
	return combine(group, (uint64_t)site->operation << 8 | site->space);
}

static int key_sites(struct ct_match *match, size_t unit_count)
{
	size_t sites = 0;

	for (size_t u = 0; u < unit_count; u++) {
		match->first_site[u] = sites;
		sites += match->units[u].header->site_count;
	}
	match->site_key = calloc(sites + 1, sizeof(*match->site_key));
	if (!match->site_key)
		return -ENOMEM;
	for (size_t u = 0; u < unit_count; u++) {
		const struct ct_unit *unit = &match->units[u];
		struct ct_map place = {.count = 0};

		for (uint32_t s = 0; s < unit->header->site_count; s++) {
			uint64_t name = group_of(unit, &unit->sites[s]);
			union ct_map_value *next = ct_map_put(&place, name, 0);

			if (!next) {
				ct_map_fini(&place);
				return -ENOMEM;
			}
			match->site_key[match->first_site[u] + s] = combine(name, next->number++);
		}
		ct_map_fini(&place);
	}
	return 0;
}

static int key_objects(struct ct_match *match, size_t count)
{
	struct ct_map place = {.count = 0};

	match->object_key = calloc(count + 1, sizeof(*match->object_key));
	if (!match->object_key)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct ct_object_info *object = &match->objects[i];
		uint64_t key = combine(0, object->event->kind == CT_OBJECT_VARIABLE);
		union ct_map_value *next = ct_map_put(&place, object->part, 0);

		if (!next) {
			ct_map_fini(&place);
			return -ENOMEM;
		}
		if (object->event->kind == CT_OBJECT_VARIABLE)
			key = combine(key, hash_text(object->name));
		else
			key = combine(key, next->number++);
		match->object_key[i] = key ? key : 1;
	}
	ct_map_fini(&place);
	return 0;
}

/* Returns what the trace records of a unit, whatever the architecture; of one that it has not,
 * what it records of all. A unit without sites, as of host code, records nothing and limits
 * nothing. */
static struct ct_match_recorded recorded_of(const struct ct_trace *trace, uint64_t unit_id)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);
	struct ct_match_recorded one = {UINT32_MAX, UINT32_MAX}, all = one;
	bool is_there = false;

	for (size_t u = 0; u < count; u++) {
		const struct ct_unit_header *header = units[u].header;

		if (!header->site_count)
			continue;
		all.spaces &= header->spaces;
		all.events &= header->events;
		if (header->unit_id != unit_id)
			continue;
		is_there = true;
		one.spaces &= header->spaces;
		one.events &= header->events;
	}
	return is_there ? one : all;
}

static int find_recorded(struct ct_match *match, size_t unit_count, const struct ct_trace *other)
{
	match->recorded = calloc(unit_count + 1, sizeof(*match->recorded));
	for (size_t u = 0; match->recorded && u < unit_count; u++) {
		const struct ct_unit_header *header = match->units[u].header;

		match->recorded[u] = recorded_of(other, header->unit_id);
		match->recorded[u].spaces &= header->spaces;
		match->recorded[u].events &= header->events;
	}
	return match->recorded ? 0 : -ENOMEM;
}

int ct_match_init(struct ct_match *match, const struct ct_trace *trace,
		  const struct ct_trace *other, bool with_paths)
{
	size_t unit_count, object_count;
	int err = -ENOMEM;

	memset(match, 0, sizeof(*match));
	match->locator.trace = trace;
	match->with_paths = with_paths;
	unit_count = ct_trace_units(trace, &match->units);
	object_count = ct_trace_objects(trace, &match->objects);
	match->first_site = calloc(unit_count + 1, sizeof(*match->first_site));
	if (match->first_site)
		err = key_sites(match, unit_count);
	if (err == 0)
		err = key_objects(match, object_count);
	if (err == 0)
		err = find_recorded(match, unit_count, other);
	if (err < 0)
		ct_match_fini(match);
	return err;
}

void ct_match_fini(struct ct_match *match)
{
	free(match->first_site);
	free(match->site_key);
	free(match->object_key);
	free(match->recorded);
	memset(match, 0, sizeof(*match));
}

void ct_match_share(struct ct_match *match, const struct ct_match *of, const struct ct_trace *view)
{
	*match = *of;
	match->locator = (struct ct_locator){.trace = view};
	match->last = (struct ct_access){.mask = 0};
	match->last_lanes = 0;
}

static const struct ct_match_recorded *recorded_at(const struct ct_match *match,
						   const struct ct_access *access)
{
	return &match->recorded[access->unit - match->units];
}

struct ct_warp_step ct_match_access(struct ct_match *match, const struct ct_access *access)
{
	struct ct_warp_step step = {.kind = CT_STEP_ACCESS, .access = access};
	uint32_t spaces = recorded_at(match, access)->spaces;

	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint32_t space = CT_ADDRESS_SPACE(access->address[__builtin_ctz(rest)]);

		if (spaces >> space & 1)
			step.lanes |= rest & -rest;
	}
	match->last = *access;
	match->last_lanes = step.lanes;
	return step;
}

struct ct_warp_step ct_match_event(const struct ct_match *match, const struct ct_event *event)
{
	struct ct_warp_step step = {
	    .kind = CT_STEP_EVENT,
	    .access = event->at,
	    .event = event,
	    .lanes = event->at->mask,
	};
	uint32_t events = recorded_at(match, event->at)->events;

	if ((event->at->info->operation == CT_OP_BARRIER && !(events & CT_UNIT_BARRIERS)) ||
	    (event->at->info->operation == CT_OP_BLOCK && !(events & CT_UNIT_BLOCKS)))
		step.lanes = 0;
	return step;
}

/* Lanes whose range goes so far. */
static uint32_t lanes_beyond(const struct ct_access *at, uint64_t offset)
{
	uint32_t lanes = 0;

	for (uint32_t rest = at->range ? at->mask : 0; rest; rest &= rest - 1)
		if (at->range[__builtin_ctz(rest)] > offset)
			lanes |= rest & -rest;
	return lanes;
}

/* Values come after their access, and are compared in the same lanes. What ranges moved comes in
 * pieces that depend on which lanes were together, so each 8 bytes of a lane are a step. */
struct ct_warp_step ct_match_value(const struct ct_match *match, const struct ct_value *value,
				   uint32_t from)
{
	const struct ct_access *at = value->at, *last = &match->last;
	struct ct_warp_step step = {
	    .kind = CT_STEP_VALUE,
	    .access = at,
	    .value = value,
	    .from = from,
	    .lanes = at->mask,
	};

	if (last->info == at->info && last->launch == at->launch && last->cta == at->cta &&
	    last->warp == at->warp && !(at->mask & ~last->mask))
		step.lanes &= match->last_lanes;
	if (value->part == CT_PART_CONTENT)
		step.lanes &= lanes_beyond(at, value->offset + (uint64_t)from);
	return step;
}

static uint64_t key_of_site(const struct ct_match *match, const struct ct_unit *unit, uint32_t site)
{
	return match->site_key[match->first_site[unit - match->units] + site];
}

static void locate_step(struct ct_match *match, const struct ct_access *access, uint32_t lane,
			struct ct_match_step *step)
{
	uint64_t address = access->address[lane];

	step->bytes = ct_lane_bytes(access, lane);
	step->space = CT_ADDRESS_SPACE(address);
	step->offset = address;
	if (step->space != CT_SPACE_GLOBAL) {
		step->object_key = combine(hash_text("space"), step->space) | 1;
		step->offset = address & CT_ADDRESS_OFFSET_MASK;
		return;
	}
	step->object = ct_locate(&match->locator, access->launch, address);
	if (!step->object)
		return;
	step->object_key = match->object_key[step->object - match->objects];
	step->offset = address - step->object->event->address;
}

static uint64_t detail_of(const struct ct_match *match, const struct ct_match_step *step,
			  const struct ct_access *access)
{
	uint64_t detail = 0, word;

	if (step->kind == CT_STEP_EVENT)
		detail = combine(1, step->phase);
	if (step->kind == CT_STEP_VALUE) {
		detail = combine(2, step->part);
		if (step->part == CT_PART_CONTENT)
			detail = combine(detail, step->offset);
		for (size_t i = 0; i < CT_VALUE_BYTES_MAX; i += sizeof(word)) {
			memcpy(&word, step->value + i, sizeof(word));
			detail = combine(detail, word);
		}
	}
	for (uint32_t i = 0; match->with_paths && i < access->depth; i++)
		detail =
		    combine(detail, key_of_site(match, access->path[i].unit, access->path[i].site));
	return detail;
}

static void read_value(struct ct_match_step *step, const struct ct_warp_step *warp, uint32_t lane)
{
	const struct ct_value *value = warp->value;

	step->part = value->part;
	step->bytes = value->bytes;
	if (value->part == CT_PART_CONTENT) {
		step->bytes = 8;
		step->offset = value->offset + (uint64_t)warp->from;
	}
	memcpy(step->value, value->data[lane] + warp->from, step->bytes);
}

void ct_match_step(struct ct_match *match, const struct ct_warp_step *warp, uint32_t lane,
		   struct ct_match_step *step)
{
	const struct ct_access *access = warp->access;

	*step = (struct ct_match_step){
	    .kind = warp->kind,
	    .unit = access->unit,
	    .site = access->info,
	    .site_key = key_of_site(match, access->unit, access->site),
	    .space = CT_SPACE_GENERIC,
	};
	if (warp->kind == CT_STEP_ACCESS) {
		locate_step(match, access, lane, step);
	} else if (warp->kind == CT_STEP_EVENT) {
		step->phase = warp->event->phase;
	} else {
		read_value(step, warp, lane);
	}
	step->detail = detail_of(match, step, access);
}

int ct_match_same(const struct ct_match_step *a, const struct ct_match_step *b)
{
	return a->kind == b->kind && a->site_key == b->site_key &&
	       a->site->operation == b->site->operation && a->bytes == b->bytes &&
	       a->object_key == b->object_key && (!a->object_key || a->offset == b->offset) &&
	       a->detail == b->detail;
}
