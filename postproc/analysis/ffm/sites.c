/* SPDX-License-Identifier: Apache-2.0 */
/* Where calls are made: stacks of the same functions and lines are one, whatever their addresses.
 */
#include "base/array.h"
#include "base/hash.h"
#include "base/large.h"
#include "postproc/analysis/ffm/make_study.h"
#include "postproc/symbols/paths.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Stacks by names, as a tree: a frame below its caller. */
struct naming {
	struct ct_map frames; /* caller's number, frame -> number, from 1 */
	uint32_t count;
	struct ct_map first; /* number -> the first node that ends there */
	uint32_t *number;    /* by node of the stacks */
};

/* Returns 0 if memory is short. */
static uint32_t number_of(struct naming *naming, uint32_t caller, uint32_t frame)
{
	union ct_map_value *number = ct_map_put(&naming->frames, caller, frame);

	if (!number)
		return 0;
	if (!number->number)
		number->number = ++naming->count;
	return (uint32_t)number->number;
}

static int name_node(const struct ct_ffm_study *study, struct naming *naming, uint32_t node)
{
	const struct ct_stack_tree_node *at = &study->stacks.node[node];
	uint32_t number = naming->number[at->caller];
	const uint32_t *frames;
	size_t count = ct_symbols_frames(study->symbols, at->place, &frames);
	union ct_map_value *first;

	while (count-- > 0) {
		number = number_of(naming, number, frames[count]);
		if (!number)
			return -ENOMEM;
	}
	naming->number[node] = number;
	first = ct_map_put(&naming->first, number, 0);
	if (!first)
		return -ENOMEM;
	if (!first->number)
		first->number = node;
	study->named[node] = (uint32_t)first->number;
	return 0;
}

int ct_ffm_name_stacks(struct ct_ffm_study *study)
{
	size_t nodes = study->stacks.nodes;
	struct naming naming = {.number = calloc(nodes, sizeof(uint32_t))};
	int err = 0;

	study->named = calloc(nodes, sizeof(*study->named));
	if (!naming.number || !study->named)
		err = -ENOMEM;
	for (uint32_t node = 1; node < nodes && err == 0; node++)
		err = name_node(study, &naming, node);
	ct_map_fini(&naming.frames);
	ct_map_fini(&naming.first);
	free(naming.number);
	return err;
}

uint32_t ct_ffm_study_node(const struct ct_ffm_study *study, const struct ct_trace *trace,
			   uint32_t part, uint32_t row)
{
	size_t number = 0, rows;
	const uint32_t *nodes;

	/* As they were given to ct_stacks_init_of. */
	if (trace != study->calls)
		number =
		    trace == study->uses || study->uses == study->calls || !study->uses ? 1 : 2;
	nodes = ct_stacks_part_of(&study->stacks, number, part, &rows);
	return nodes && row && row <= rows ? study->named[nodes[row]] : 0;
}

/* A wrapper of CUDA's headers around the call, `cudaMalloc<float>(float**, unsigned long)`, or the
 * stub of a kernel. */
static bool is_api(const char *function)
{
	if (strncmp(function, "cudaError_t ", 12) == 0)
		function += 12;
	return (strncmp(function, "cuda", 4) == 0 && isupper((unsigned char)function[4])) ||
	       ct_host_frame_is_hidden(function, false);
}

static bool begins_with(const char *function, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(function, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* Functions of the C++ library are called on behalf of the program: its destructors and
 * algorithms. */
static bool is_library(const char *function)
{
	static const char *const names[] = {"std::", "__gnu_cxx::", "void std::"};

	return begins_with(function, names, sizeof(names) / sizeof(*names));
}

/* Likewise, on the way from whoever wants memory to an operator new, some without their scope. */
static bool is_allocator(const char *function)
{
	static const char *const names[] = {"operator new", "allocate", "_M_"};

	return begins_with(function, names, sizeof(names) / sizeof(*names));
}

/* *of: the node whose place the frame is of. */
static const struct ct_code_frame *find_frame(const struct ct_ffm_study *study, uint32_t stack,
					      uint32_t *of)
{
	const struct ct_code_frame *innermost = NULL;
	bool is_new = false; /* an operator new is what it was called for */

	*of = stack;
	for (uint32_t node = stack; node; node = study->stacks.node[node].caller) {
		const uint32_t *numbers;
		size_t count =
		    ct_symbols_frames(study->symbols, study->stacks.node[node].place, &numbers);

		for (size_t i = 0; i < count; i++) {
			const struct ct_code_frame *frame =
			    ct_symbols_frame(study->symbols, numbers[i]);

			is_new = is_new || strncmp(frame->function, "operator new", 12) == 0;
			if (!is_api(frame->function) && !is_library(frame->function) &&
			    !(is_new && is_allocator(frame->function))) {
				*of = node;
				return frame;
			}
			innermost = innermost ? innermost : frame;
		}
	}
	return innermost;
}

const struct ct_code_frame *ct_ffm_study_frame(const struct ct_ffm_study *study, uint32_t stack)
{
	uint32_t node;

	return find_frame(study, stack, &node);
}

uint64_t ct_ffm_study_offset(const struct ct_ffm_study *study, uint32_t stack)
{
	uint32_t node;

	return find_frame(study, stack, &node)
		   ? study->stacks.place[study->stacks.node[node].place].offset
		   : 0;
}

size_t ct_ffm_study_frames(const struct ct_ffm_study *study, uint32_t stack,
			   const struct ct_code_frame **frame, size_t room)
{
	size_t all = 0, shown = 0;

	for (uint32_t node = stack; node; node = study->stacks.node[node].caller) {
		const uint32_t *numbers;
		size_t count =
		    ct_symbols_frames(study->symbols, study->stacks.node[node].place, &numbers);

		for (size_t i = 0; i < count; i++, all++) {
			const struct ct_code_frame *at =
			    ct_symbols_frame(study->symbols, numbers[i]);

			/* A function that is hidden as the outermost frame is so with all that
			 * called it. */
			if (!ct_host_frame_is_hidden(at->function, true))
				shown = all + 1;
			if (all < room)
				frame[all] = at;
		}
	}
	return shown;
}

/* The number of a function at a node, with its count. CT_FFM_NONE: memory is short. */
static uint32_t add_site(struct ct_ffm_study *study, const char *call, uint32_t stack)
{
	union ct_map_value *number =
	    ct_map_put(&study->site_numbers, ct_hash_join_string(0, call), stack);

	if (!number || (!number->number &&
			ct_array_grow(&study->site, study->sites, sizeof(*study->site)) < 0))
		return CT_FFM_NONE;
	if (!number->number) {
		study->site[study->sites] = (struct ct_ffm_site){.call = call, .stack = stack};
		number->number = ++study->sites;
	}
	return (uint32_t)number->number - 1;
}

int ct_ffm_number_sites(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	const struct ct_ffm_program *program = &process->program;
	uint32_t part = process->calls_part;
	struct ct_map known = {0}; /* name, row of STACK -> site + 1 */
	int err = 0;

	process->site = ct_large_alloc(program->graph.steps + 1, sizeof(*process->site));
	if (!process->site)
		return -ENOMEM;
	for (size_t s = 0; s < program->graph.steps && err == 0; s++) {
		const struct ct_row_call *call = &program->calls[program->call[s]];
		union ct_map_value *site = ct_map_put(&known, call->name, call->stack);

		if (site && !site->number)
			site->number =
			    1u +
			    add_site(study, ct_trace_string(study->calls, part, call->name),
				     ct_ffm_study_node(study, study->calls, part, call->stack));
		if (!site || !site->number) {
			err = -ENOMEM;
			break;
		}
		process->site[s] = (uint32_t)site->number - 1;
		study->site[process->site[s]].count++;
	}
	ct_map_fini(&known);
	return err;
}

#define FRAMES_MAX 64u

static bool is_same_frame(const struct ct_code_frame *frame, const struct ct_code_frame *other)
{
	return frame == other || (frame && other && frame->line == other->line &&
				  strcmp(frame->function, other->function) == 0 &&
				  strcmp(frame->file, other->file) == 0);
}

const struct ct_code_frame *ct_ffm_study_apart(const struct ct_ffm_study *study,
					       const struct ct_ffm_site *site)
{
	const struct ct_code_frame *at = ct_ffm_study_frame(study, site->stack);
	const struct ct_code_frame *own[FRAMES_MAX], *others[FRAMES_MAX];
	size_t count = ct_ffm_study_frames(study, site->stack, own, FRAMES_MAX), of;

	count = count < FRAMES_MAX ? count : FRAMES_MAX;
	for (size_t s = 0; at && s < study->sites; s++) {
		const struct ct_ffm_site *other = &study->site[s];

		if (other->stack == site->stack || strcmp(other->call, site->call) != 0 ||
		    !is_same_frame(at, ct_ffm_study_frame(study, other->stack)))
			continue;
		of = ct_ffm_study_frames(study, other->stack, others, FRAMES_MAX);
		for (size_t i = 0; i < count; i++)
			if (i >= of || i >= FRAMES_MAX || !is_same_frame(own[i], others[i]))
				return own[i];
	}
	return NULL;
}
