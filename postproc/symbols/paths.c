/* SPDX-License-Identifier: Apache-2.0 */
/* From where the host launched, in names. */
#include "postproc/symbols/paths.h"
#include "base/array.h"
#include "base/map.h"
#include "postproc/symbols/launched.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A tree of frames with names. */
struct step {
	uint32_t caller; /* 0: none */
	uint32_t frame;
};

struct path {
	size_t first, frames; /* in `frame` */
};

struct ct_host_paths {
	struct ct_stack_tree stacks;
	struct ct_symbols *symbols;
	const struct ct_launch_info *launch;
	const struct ct_transfer_info *transfer;
	uint32_t *of;                    /* by launch: its path */
	uint32_t *of_transfer;           /* likewise */
	struct ct_host_sampled *sampled; /* while paths are made: by node of the stacks */
	size_t sampled_count, sampled_room;
	struct path *path; /* number n is path[n - 1] */
	size_t paths, path_room;
	const struct ct_code_frame **frame;
	size_t frames, frame_room;
	/* While they are made. */
	struct step *step; /* from 1 */
	size_t steps, step_room;
	struct ct_map children; /* caller, frame -> step */
	struct ct_map numbers;  /* step -> path */
};

/* The C library and the kernel run these before what the program says. */
static bool is_start(const char *function)
{
	static const char *const starts[] = {
	    "_start",
	    "__libc_start_main",
	    "__libc_start_main_impl",
	    "__libc_start_call_main",
	    "clone",
	    "clone3",
	    "__clone3",
	    "__GI___clone3",
	    "__clone",
	    "start_thread",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strcmp(function, starts[i]))
			return true;
	return false;
}

/* With clang and nvcc, the host function of a kernel is the launch itself. */
bool ct_host_frame_is_hidden(const char *function, bool is_outermost)
{
	if (is_outermost && is_start(function))
		return true;
	return strstr(function, "__device_stub__") || !strncmp(function, "__wrapper__", 11);
}

/* The step below another one that this frame is; 0: memory is short. */
static uint32_t step_to(struct ct_host_paths *paths, uint32_t caller, uint32_t frame)
{
	union ct_map_value *known = ct_map_put(&paths->children, caller, frame);

	if (!known ||
	    (!known->number && ct_array_reserve(&paths->step, &paths->step_room, paths->steps + 2,
						sizeof(*paths->step)) < 0))
		return 0;
	if (!known->number) {
		paths->step[++paths->steps] = (struct step){caller, frame};
		known->number = paths->steps;
	}
	return (uint32_t)known->number;
}

/* By node of the stacks the step that it is: callers have smaller numbers. NULL: memory is short.
 */
static uint32_t *make_steps(struct ct_host_paths *paths)
{
	const struct ct_stack_tree *stacks = &paths->stacks;
	uint32_t *step = calloc(stacks->nodes + 1, sizeof(*step));

	for (size_t n = 1; step && n < stacks->nodes; n++) {
		const uint32_t *number;
		size_t count = ct_symbols_frames(paths->symbols, stacks->node[n].place, &number);
		uint32_t at = step[stacks->node[n].caller];

		while (count-- > 0) {
			const char *function =
			    ct_symbols_frame(paths->symbols, number[count])->function;

			if (ct_host_frame_is_hidden(function, !at))
				continue;
			at = step_to(paths, at, number[count]);
			if (!at) {
				free(step);
				return NULL;
			}
		}
		step[n] = at;
	}
	return step;
}

/* The path that ends with a step, outermost frame first. 0: memory is short. */
static uint32_t path_to(struct ct_host_paths *paths, uint32_t step)
{
	union ct_map_value *known = ct_map_put(&paths->numbers, step, 0);
	size_t count = 0;

	if (!known)
		return 0;
	if (known->number)
		return (uint32_t)known->number;
	for (uint32_t at = step; at; at = paths->step[at].caller)
		count++;
	if (ct_array_reserve(&paths->frame, &paths->frame_room, paths->frames + count,
			     sizeof(*paths->frame)) < 0 ||
	    ct_array_reserve(&paths->path, &paths->path_room, paths->paths + 1,
			     sizeof(*paths->path)) < 0)
		return 0;
	paths->path[paths->paths] = (struct path){paths->frames, count};
	paths->frames += count;
	for (uint32_t at = step, i = 1; at; at = paths->step[at].caller, i++)
		paths->frame[paths->frames - i] =
		    ct_symbols_frame(paths->symbols, paths->step[at].frame);
	known->number = ++paths->paths;
	return (uint32_t)known->number;
}

/* of: nodes of the stacks, which paths take the place of. */
static int number_list(struct ct_host_paths *paths, const uint32_t *step, uint32_t *of,
		       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t at = step[of[i]];

		of[i] = at ? path_to(paths, at) : 0;
		if (at && !of[i])
			return -ENOMEM;
	}
	return 0;
}

static int number_paths(struct ct_host_paths *paths, size_t launches, size_t transfers)
{
	uint32_t *step = make_steps(paths);
	int err = step ? number_list(paths, step, paths->of, launches) : -ENOMEM;

	if (err == 0)
		err = number_list(paths, step, paths->of_transfer, transfers);
	for (size_t i = 0; i < paths->sampled_count && err == 0; i++) {
		uint32_t at = step[paths->sampled[i].path];

		paths->sampled[i].path = at ? path_to(paths, at) : 0;
		err = at && !paths->sampled[i].path ? -ENOMEM : 0;
	}
	free(step);
	free(paths->step);
	paths->step = NULL;
	ct_map_fini(&paths->children);
	ct_map_fini(&paths->numbers);
	return err;
}

/* Reads the samples of one part, by node of the stacks. */
static int read_samples(struct ct_host_paths *paths, struct ct_trace *trace, uint32_t part)
{
	const struct ct_row_cpu_sample *rows;
	const uint32_t *node_of;
	size_t count, known = 0;
	int err = ct_trace_rows(trace, part, CT_TABLE_CPU_SAMPLE, (const void **)&rows, &count);

	node_of = ct_stacks_part(&paths->stacks, part, &known);
	for (size_t i = 0; i < count && err == 0; i++) {
		bool is_known = node_of && rows[i].stack <= known;

		err = ct_array_reserve(&paths->sampled, &paths->sampled_room,
				       paths->sampled_count + 1, sizeof(*paths->sampled));
		if (err == 0)
			paths->sampled[paths->sampled_count++] = (struct ct_host_sampled){
			    is_known ? node_of[rows[i].stack] : 0, rows[i].samples};
	}
	return err;
}

static int open_paths(struct ct_host_paths *paths, struct ct_trace *trace,
		      const struct ct_symbols_options *options)
{
	size_t launches = ct_trace_launches(trace, &paths->launch), parts;
	size_t transfers = ct_trace_transfers(trace, &paths->transfer);
	const struct ct_process_info *processes;
	int err = ct_stacks_init(&paths->stacks, trace);

	if (err < 0 || paths->stacks.nodes < 2)
		return err;
	err = ct_symbols_open(&paths->symbols, &paths->stacks, options);
	if (err == 0)
		paths->of = ct_launched_from(trace, &paths->stacks, &err);
	if (err == 0)
		paths->of_transfer = ct_transferred_from(trace, &paths->stacks, &err);
	parts = ct_trace_processes(trace, &processes);
	for (size_t i = 0; i < parts && err == 0; i++)
		err = read_samples(paths, trace, processes[i].part);
	return err == 0 ? number_paths(paths, launches, transfers) : err;
}

int ct_host_paths_open(struct ct_host_paths **out, struct ct_trace *trace,
		       const struct ct_symbols_options *options)
{
	struct ct_host_paths *paths = calloc(1, sizeof(*paths));
	int err = paths ? open_paths(paths, trace, options) : -ENOMEM;

	*out = NULL;
	if (err < 0) {
		ct_host_paths_close(paths);
		return err;
	}
	*out = paths;
	return 0;
}

void ct_host_paths_close(struct ct_host_paths *paths)
{
	if (!paths)
		return;
	ct_symbols_close(paths->symbols);
	ct_stacks_fini(&paths->stacks);
	ct_map_fini(&paths->children);
	ct_map_fini(&paths->numbers);
	free(paths->step);
	free(paths->of);
	free(paths->of_transfer);
	free(paths->sampled);
	free(paths->path);
	free(paths->frame);
	free(paths);
}

size_t ct_host_paths_count(const struct ct_host_paths *paths)
{
	return paths ? paths->paths : 0;
}

uint32_t ct_host_paths_of(const struct ct_host_paths *paths, const struct ct_launch_info *launch)
{
	return paths && paths->of ? paths->of[launch - paths->launch] : 0;
}

uint32_t ct_host_paths_of_transfer(const struct ct_host_paths *paths,
				   const struct ct_transfer_info *transfer)
{
	return paths && paths->of_transfer ? paths->of_transfer[transfer - paths->transfer] : 0;
}

size_t ct_host_paths_frames(const struct ct_host_paths *paths, uint32_t path,
			    const struct ct_code_frame *const **frames)
{
	const struct path *of = path ? &paths->path[path - 1] : NULL;

	*frames = of ? paths->frame + of->first : NULL;
	return of ? of->frames : 0;
}

size_t ct_host_paths_sampled(const struct ct_host_paths *paths, const struct ct_host_sampled **list)
{
	*list = paths ? paths->sampled : NULL;
	return paths ? paths->sampled_count : 0;
}

size_t ct_host_paths_warnings(const struct ct_host_paths *paths, const char *const **lines)
{
	return paths && paths->symbols ? ct_symbols_warnings(paths->symbols, lines) : 0;
}

const struct ct_stack_tree *ct_host_paths_stacks(const struct ct_host_paths *paths)
{
	return &paths->stacks;
}

const struct ct_symbols *ct_host_paths_symbols(const struct ct_host_paths *paths)
{
	return paths->symbols;
}
