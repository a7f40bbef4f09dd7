/* SPDX-License-Identifier: Apache-2.0 */
/* Executions of blocks and accesses to objects, by launch and path. */
#include "postproc/analysis/blame/weights.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/map.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct state {
	struct ct_blame_job *job;
	const struct ct_launch_info *first_launch;
	const struct ct_object_info *first_object;
	struct ct_locator locator;
	struct ct_map path_of; /* key: caller and unit, site; of numbers */
	struct ct_map weight_of, touch_of;
	struct ct_blame_weights own;
	size_t weight_room, touch_room, path_room;
};

static bool has_variables(const struct ct_trace *trace)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);

	for (size_t u = 0; u < count; u++)
		if (units[u].header->variable_count && units[u].header->events & CT_UNIT_BLOCKS)
			return true;
	return false;
}

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_blame_job *own = job;
	bool looks = !own->is_optional || has_variables(own->trace);

	*wants = (struct ct_wants){
	    .what = looks ? CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_PATHS | CT_WANT_WARPS : 0,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	return 0;
}

void ct_blame_job_units(struct ct_blame_job *job)
{
	job->weights.unit_count = ct_trace_units(job->trace, &job->weights.units);
}

static int number_blocks(struct ct_blame_job *job)
{
	const struct ct_unit *units;
	size_t count;

	ct_blame_job_units(job);
	units = job->weights.units;
	count = job->weights.unit_count;
	job->block_of_site = calloc(count + 1, sizeof(*job->block_of_site));
	for (size_t u = 0; job->block_of_site && u < count; u++) {
		const struct ct_unit *unit = &units[u];
		uint32_t *of = malloc((unit->header->site_count + 1u) * sizeof(*of));

		job->block_of_site[u] = of;
		if (!of)
			return -ENOMEM;
		for (uint32_t s = 0; s < unit->header->site_count; s++)
			of[s] = CT_NONE;
		for (uint32_t b = 0; b < unit->header->block_count; b++)
			if (unit->blocks[b].site != CT_NONE)
				of[unit->blocks[b].site] = b;
	}
	return job->block_of_site ? 0 : -ENOMEM;
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_blame_job *own = job;

	ct_blame_job_fini(own);
	(void)room;
	own->is_silent = own->is_optional && !has_variables(own->trace);
	return number_blocks(own);
}

static void free_weights(struct ct_blame_weights *weights)
{
	free(weights->path);
	free(weights->weight);
	free(weights->touch);
	*weights = (struct ct_blame_weights){.paths = 0};
}

static void close_state(void *of)
{
	struct state *state = of;

	if (!state)
		return;
	ct_map_fini(&state->path_of);
	ct_map_fini(&state->weight_of);
	ct_map_fini(&state->touch_of);
	free_weights(&state->own);
	free(state);
}

static int open_state(void **out, void *job, const struct ct_worker *worker)
{
	struct ct_blame_job *own = job;
	struct state *state = calloc(1, sizeof(*state));

	*out = state;
	if (!state)
		return -ENOMEM;
	state->job = own;
	state->locator.trace = worker->trace;
	ct_trace_launches(own->trace, &state->first_launch);
	ct_trace_objects(own->trace, &state->first_object);
	state->own.paths = 1;
	if (ct_array_reserve(&state->own.path, &state->path_room, 1, sizeof(*state->own.path)) < 0)
		return -ENOMEM;
	state->own.path[0] = (struct ct_blame_path){0, 0, 0};
	return 0;
}

/* The number of a path; 0 with *err set: no memory. */
static uint32_t add_call(struct state *state, struct ct_blame_path call, int *err)
{
	union ct_map_value *value =
	    ct_map_put(&state->path_of, (uint64_t)call.caller << 32 | call.unit, call.site);

	if (!value || ct_array_reserve(&state->own.path, &state->path_room, state->own.paths + 1u,
				       sizeof(*state->own.path)) < 0) {
		*err = -ENOMEM;
		return 0;
	}
	if (!value->number) {
		state->own.path[state->own.paths] = call;
		value->number = state->own.paths++;
	}
	return (uint32_t)value->number;
}

static uint32_t find_path(struct state *state, const struct ct_access *at, int *err)
{
	uint32_t path = 0;

	*err = 0;
	for (uint32_t i = 0; i < at->depth && *err == 0; i++) {
		uint32_t unit = (uint32_t)(at->path[i].unit - state->job->weights.units);

		path = add_call(state, (struct ct_blame_path){path, unit, at->path[i].site}, err);
	}
	return path;
}

static int add_weight(struct state *state, const struct ct_blame_weight *weight)
{
	struct ct_blame_weights *own = &state->own;
	union ct_map_value *value =
	    ct_map_put(&state->weight_of, (uint64_t)weight->launch << 32 | weight->path,
		       (uint64_t)weight->unit << 32 | weight->block);

	if (!value || ct_array_reserve(&own->weight, &state->weight_room, own->weights + 1,
				       sizeof(*own->weight)) < 0)
		return -ENOMEM;
	if (!value->number) {
		own->weight[own->weights++] = *weight;
		value->number = own->weights;
		return 0;
	}
	own->weight[value->number - 1].warps += weight->warps;
	own->weight[value->number - 1].lanes += weight->lanes;
	return 0;
}

static int add_touch(struct state *state, const struct ct_blame_touch *touch)
{
	struct ct_blame_weights *own = &state->own;
	uint64_t place = ct_hash_join(ct_hash_join(touch->unit, touch->site), touch->object);
	union ct_map_value *value =
	    ct_map_put(&state->touch_of, (uint64_t)touch->launch << 32 | touch->path, place);

	if (!value || ct_array_reserve(&own->touch, &state->touch_room, own->touches + 1,
				       sizeof(*own->touch)) < 0)
		return -ENOMEM;
	if (!value->number) {
		own->touch[own->touches++] = *touch;
		value->number = own->touches;
	}
	return 0;
}

static int add_access(void *of, const struct ct_access *at)
{
	struct state *state = of;
	const struct ct_filter *filter = state->job->filter;
	uint32_t lanes = ct_lanes_in(at, CT_SPACE_GLOBAL);
	const struct ct_object_info *object;
	struct ct_blame_touch touch;
	int err;

	if (state->job->is_silent)
		return 0;
	if (filter && lanes)
		lanes &= ct_filter_lanes(filter, at, &state->locator);
	if (!lanes)
		return 0;
	object = ct_locate(&state->locator, at->launch, at->address[__builtin_ctz(lanes)]);
	if (!object)
		return 0;
	touch = (struct ct_blame_touch){
	    .launch = (uint32_t)(at->launch - state->first_launch),
	    .path = find_path(state, at, &err),
	    .unit = (uint32_t)(at->unit - state->job->weights.units),
	    .site = at->site,
	    .object = (uint32_t)(object - state->first_object),
	};
	return err < 0 ? err : add_touch(state, &touch);
}

static int add_event(void *of, const struct ct_event *event)
{
	struct state *state = of;
	const struct ct_access *at = event->at;
	uint32_t unit = (uint32_t)(at->unit - state->job->weights.units);
	struct ct_blame_weight weight;
	int err;

	if (state->job->is_silent || at->info->operation != CT_OP_BLOCK ||
	    event->phase != CT_PHASE_HAPPENS ||
	    state->job->block_of_site[unit][at->site] == CT_NONE ||
	    (state->job->filter && !ct_filter_passes(state->job->filter, at)))
		return 0;
	weight = (struct ct_blame_weight){
	    .launch = (uint32_t)(at->launch - state->first_launch),
	    .path = find_path(state, at, &err),
	    .unit = unit,
	    .block = state->job->block_of_site[unit][at->site],
	    .warps = 1,
	    .lanes = ct_lane_count(at->mask),
	};
	return err < 0 ? err : add_weight(state, &weight);
}

/* Paths of another state have numbers of their own. */
static int join(void *of, void *from)
{
	struct state *state = of;
	const struct ct_blame_weights *other = &((struct state *)from)->own;
	uint32_t *number = calloc(other->paths, sizeof(*number));
	int err = number ? 0 : -ENOMEM;

	for (uint32_t p = 1; p < other->paths && err == 0; p++) {
		struct ct_blame_path call = other->path[p];

		call.caller = number[call.caller];
		number[p] = add_call(state, call, &err);
	}
	for (size_t i = 0; i < other->weights && err == 0; i++) {
		struct ct_blame_weight weight = other->weight[i];

		weight.path = number[weight.path];
		err = add_weight(state, &weight);
	}
	for (size_t i = 0; i < other->touches && err == 0; i++) {
		struct ct_blame_touch touch = other->touch[i];

		touch.path = number[touch.path];
		err = add_touch(state, &touch);
	}
	free(number);
	return err;
}

/* Adds what tier blocks has counted: from where it was called is not known. */
static int add_counted(struct state *state)
{
	const struct ct_blame_job *job = state->job;
	const struct ct_count_info *counted;
	size_t count = ct_trace_counts(job->trace, &counted);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_count_info *info = &counted[i];
		struct ct_blame_weight weight;

		if (!info->launch || !info->unit || info->launch->event->tier != CT_TIER_BLOCKS ||
		    !ct_filter_passes_count(job->filter, info))
			continue;
		weight = (struct ct_blame_weight){
		    .launch = (uint32_t)(info->launch - state->first_launch),
		    .path = CT_BLAME_NO_PATH,
		    .unit = (uint32_t)(info->unit - job->weights.units),
		    .warps = info->event->warps,
		    .lanes = info->event->lanes,
		};
		weight.block = job->block_of_site[weight.unit][info->event->site];
		if (weight.block != CT_NONE)
			err = add_weight(state, &weight);
	}
	return err;
}

#define COMPARE(a, b)                                                                              \
	do {                                                                                       \
		if ((a) != (b))                                                                    \
			return (a) < (b) ? -1 : 1;                                                 \
	} while (0)

/* Lexically: what threads found first is no order. */
static int compare_paths(const struct ct_blame_path *all, uint32_t a, uint32_t b)
{
	uint32_t of_a[256], of_b[256], depth_a = 0, depth_b = 0;

	if (a == CT_BLAME_NO_PATH || b == CT_BLAME_NO_PATH)
		return (a == CT_BLAME_NO_PATH) - (b == CT_BLAME_NO_PATH);
	for (; a && depth_a < 256; a = all[a].caller)
		of_a[depth_a++] = a;
	for (; b && depth_b < 256; b = all[b].caller)
		of_b[depth_b++] = b;
	while (depth_a && depth_b) {
		const struct ct_blame_path *x = &all[of_a[--depth_a]], *y = &all[of_b[--depth_b]];

		COMPARE(x->unit, y->unit);
		COMPARE(x->site, y->site);
	}
	return (depth_a > depth_b) - (depth_a < depth_b);
}

static int by_place(const void *a, const void *b, void *paths)
{
	const struct ct_blame_weight *x = a, *y = b;

	COMPARE(x->launch, y->launch);
	COMPARE(x->unit, y->unit);
	COMPARE(x->block, y->block);
	return compare_paths(paths, x->path, y->path);
}

static int by_site(const void *a, const void *b, void *paths)
{
	const struct ct_blame_touch *x = a, *y = b;

	COMPARE(x->launch, y->launch);
	COMPARE(x->unit, y->unit);
	COMPARE(x->site, y->site);
	COMPARE(x->object, y->object);
	return compare_paths(paths, x->path, y->path);
}

static int conclude(void *job, void **of, const struct ct_scanned *scanned)
{
	struct ct_blame_job *own = job;
	struct state *state = *of;
	struct ct_blame_weights *found = state ? &state->own : &own->weights;
	int err = own->is_silent || !state ? 0 : add_counted(state);

	(void)scanned;
	if (!state)
		return 0;
	found->units = own->weights.units;
	found->unit_count = own->weights.unit_count;
	if (found->weights)
		qsort_r(found->weight, found->weights, sizeof(*found->weight), by_place,
			found->path);
	if (found->touches)
		qsort_r(found->touch, found->touches, sizeof(*found->touch), by_site, found->path);
	own->weights = *found;
	*found = (struct ct_blame_weights){.paths = 0};
	return err;
}

const struct ct_analysis ct_blame_analysis = {
    .name = "blame",
    .is_of_one_process = true,
    .memory = 1,
    .wants = wants,
    .begin = begin,
    .open = open_state,
    .access = add_access,
    .event = add_event,
    .join = join,
    .close = close_state,
    .conclude = conclude,
};

void ct_blame_job_fini(struct ct_blame_job *job)
{
	for (size_t u = 0; job->block_of_site && u < job->weights.unit_count; u++)
		free(job->block_of_site[u]);
	free(job->block_of_site);
	job->block_of_site = NULL;
	free_weights(&job->weights);
}
