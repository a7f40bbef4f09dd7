/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of each request on their way through the stacks of their device. */
#include "postproc/analysis/reuse/analysis.h"
#include "postproc/analysis/access/request.h"
#include "postproc/analysis/reuse/rows.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/objects.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

struct device {
	uint32_t part, device;
	struct ct_reuse_stack *stack[CT_REUSE_SIZES];
};

struct state {
	struct ct_reuse_job *job;
	const struct ct_launch_info *first_launch;
	struct ct_kernel_table kernels;
	struct ct_objects *objects;
	struct ct_reuse_kernel *kernel;
	struct ct_reuse_rows rows;
	struct ct_locator locator;
	struct device *device;
	size_t devices;
	const struct ct_launch_info *launch; /* of the last access, */
	struct device *at;                   /* and its device */
	struct ct_object_range range;        /* where the last extent was, in that launch */
	uint32_t hint;
};

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_reuse_job *own = job;

	*wants = (struct ct_wants){
	    .what = CT_WANT_ACCESSES | CT_WANT_ORDER,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	return 0;
}

static int begin(void *job, const struct ct_room *room)
{
	(void)room;
	ct_reuse_job_fini(job);
	return 0;
}

static void close_state(void *of)
{
	struct state *state = of;

	if (!state)
		return;
	for (size_t d = 0; d < state->devices; d++)
		for (uint32_t size = 0; size < CT_REUSE_SIZES; size++)
			ct_reuse_stack_close(state->device[d].stack[size]);
	free(state->device);
	ct_reuse_rows_fini(&state->rows);
	ct_objects_close(state->objects);
	ct_kernel_table_fini(&state->kernels);
	free(state->kernel);
	free(state);
}

static int open_state(void **out, void *job, const struct ct_worker *worker)
{
	struct ct_reuse_job *own = job;
	struct state *state = calloc(1, sizeof(*state));
	int err;

	*out = state;
	if (!state)
		return -ENOMEM;
	state->job = own;
	state->locator.trace = worker->trace;
	ct_trace_launches(own->trace, &state->first_launch);
	err = ct_kernel_table_init(&state->kernels, own->trace, own->filter);
	if (err == 0)
		err = ct_objects_open(&state->objects, own->trace, own->filter);
	if (err < 0)
		return err;
	state->kernel = calloc((size_t)state->kernels.count + 1, sizeof(*state->kernel));
	return state->kernel ? 0 : -ENOMEM;
}

static int add_device(struct state *state, uint32_t part, uint32_t number)
{
	uint32_t lines = state->job->lines ? state->job->lines : CT_REUSE_LINES;
	struct device *device;
	int err = ct_array_grow(&state->device, state->devices, sizeof(*state->device));

	if (err < 0)
		return err;
	device = &state->device[state->devices++];
	*device = (struct device){.part = part, .device = number};
	for (uint32_t size = 0; size < CT_REUSE_SIZES && err == 0; size++)
		err = ct_reuse_stack_open(&device->stack[size], lines);
	return err;
}

static int set_launch(struct state *state, const struct ct_launch_info *launch)
{
	uint32_t number = launch->event->device;
	size_t d = 0;
	int err = 0;

	while (d < state->devices &&
	       (state->device[d].part != launch->part || state->device[d].device != number))
		d++;
	if (d == state->devices)
		err = add_device(state, launch->part, number);
	if (err < 0)
		return err;
	state->at = &state->device[d];
	state->launch = launch;
	state->range = (struct ct_object_range){0};
	return 0;
}

/* The lines of one size that an extent touches, from *next on, which is the first that the request
 * has not touched yet. */
static int touch_lines(struct state *state, struct ct_reuse_row *row, uint32_t size,
		       const struct ct_access_extent *extent, uint64_t *next)
{
	uint32_t launch = (uint32_t)(state->launch - state->first_launch);
	uint64_t first = extent->begin / CT_REUSE_SIZE_BYTES(size);
	uint64_t end = (extent->end - 1) / CT_REUSE_SIZE_BYTES(size) + 1;
	struct ct_reuse_touch touch;
	int err = 0;

	if (first < *next)
		first = *next;
	if (first >= end)
		return 0;
	*next = end;
	row->curve[size].references += end - first;
	for (uint64_t line = first; line < end && err >= 0; line++) {
		err = ct_reuse_stack_touch(state->at->stack[size], line, launch, &touch);
		if (err > 0)
			ct_reuse_count(row, &state->kernel[row->kernel], size, launch, &touch);
	}
	return err < 0 ? err : 0;
}

static int touch_extents(struct state *state, const struct ct_access_extent *extent, uint32_t count)
{
	const struct ct_launch_info *launch = state->launch;
	uint32_t kernel = state->kernels.of_launch[launch - state->first_launch];
	uint64_t next[CT_REUSE_SIZES] = {0};
	int err = 0;

	for (uint32_t i = 0; i < count && err == 0; i++, extent++) {
		struct ct_reuse_row *row;

		if (extent->begin >= extent->end)
			continue;
		if (extent->begin < state->range.begin || extent->begin >= state->range.end)
			state->range = ct_objects_range(state->objects, launch->part, extent->begin,
							launch->event_index, &state->hint);
		row = ct_reuse_rows_find(&state->rows, kernel, state->range.group);
		if (!row)
			return -ENOMEM;
		for (uint32_t size = 0; size < CT_REUSE_SIZES && err == 0; size++)
			err = touch_lines(state, row, size, extent, &next[size]);
	}
	return err;
}

static int add_access(void *of, const struct ct_access *access)
{
	struct state *state = of;
	uint32_t lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	struct ct_access_request request;
	int err;

	if (state->job->filter && lanes)
		lanes &= ct_filter_lanes(state->job->filter, access, &state->locator);
	if (!lanes)
		return 0;
	if (state->launch != access->launch) {
		err = set_launch(state, access->launch);
		if (err < 0)
			return err;
	}
	ct_access_request_make(&request, access->address, lanes, access->info->bytes,
			       access->range);
	return touch_extents(state, request.extent, request.extents);
}

/* One state has all in the order of the trace. */
static int join(void *state, void *from)
{
	(void)state;
	(void)from;
	return 0;
}

static int make_results(struct ct_reuse_results *results, struct state *state)
{
	results->groups = ct_objects_groups(state->objects);
	results->object = calloc(results->groups, sizeof(*results->object));
	if (!results->object)
		return -ENOMEM;
	for (uint32_t g = 0; g < results->groups; g++)
		results->object[g] = ct_objects_of_group(state->objects, g, &(uint64_t){0});
	results->kernels = state->kernels;
	state->kernels = (struct ct_kernel_table){.list = NULL};
	results->kernel = state->kernel;
	state->kernel = NULL;
	for (uint32_t k = 0; k < results->kernels.count; k++)
		results->kernel[k].launches = results->kernels.list[k].launches;
	ct_reuse_rows_finish(&state->rows, results);
	for (size_t d = 0; d < state->devices; d++)
		for (uint32_t size = 0; size < CT_REUSE_SIZES; size++) {
			uint32_t sampled = ct_reuse_stack_sampled(state->device[d].stack[size]);

			if (sampled > results->sampled[size])
				results->sampled[size] = sampled;
		}
	return 0;
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_reuse_job *own = job;

	(void)scanned;
	return *state ? make_results(&own->results, *state) : 0;
}

const struct ct_analysis ct_reuse_analysis = {
    .name = "reuse",
    .is_of_one_process = true,
    .wants = wants,
    .begin = begin,
    .open = open_state,
    .access = add_access,
    .join = join,
    .conclude = conclude,
    .close = close_state,
};

void ct_reuse_job_fini(struct ct_reuse_job *job)
{
	struct ct_reuse_results *results = &job->results;

	ct_kernel_table_fini(&results->kernels);
	free(results->kernel);
	free(results->object);
	free(results->row);
	*results = (struct ct_reuse_results){.rows = 0};
}
