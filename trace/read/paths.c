/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of calls per warp. */
#include "trace/read/paths.h"
#include "base/array.h"
#include "base/map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define STACK_FRAMES_MAX (1u << 16) /* of one warp; deeper calls are not kept */
#define FRAMES_MAX (1u << 17)       /* of all warps in it */

struct frame {
	struct ct_path_call call;
	uint32_t mask; /* lanes that are in the call */
};

struct stack {
	struct stack *next; /* among the free */
	uint64_t cta;
	uint32_t launch, warp;
	uint32_t count;
	size_t room;
	struct frame *frames; /* a lane is in those that have its bit, the last one innermost */
};

struct ct_paths {
	struct ct_map stacks; /* by warp; none is empty */
	size_t frames;        /* in all of them */
	struct stack *free;
	struct stack *selected; /* NULL: in no call, or not looked up yet */
	bool is_looked_up;
	uint64_t cta;
	uint32_t launch, warp;
	struct ct_path_call *path; /* room for the frames of the longest stack */
	size_t path_room;
};

int ct_paths_open(struct ct_paths **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

static void free_stack(struct stack *stack)
{
	free(stack->frames);
	free(stack);
}

static void free_unused(struct ct_paths *paths)
{
	while (paths->free) {
		struct stack *next = paths->free->next;

		free_stack(paths->free);
		paths->free = next;
	}
}

void ct_paths_close(struct ct_paths *paths)
{
	struct ct_map_entry *at = NULL;

	if (!paths)
		return;
	while ((at = ct_map_next(&paths->stacks, at)))
		free_stack(at->value.pointer);
	free_unused(paths);
	ct_map_fini(&paths->stacks);
	free(paths->path);
	free(paths);
}

static uint64_t warp_key(uint64_t cta, uint32_t warp)
{
	return CT_SEGMENT_WORD1(warp, cta);
}

/* The stack is in no map any more. */
static void retire(struct ct_paths *paths, struct stack *stack)
{
	paths->frames -= stack->count;
	stack->count = 0;
	stack->next = paths->free;
	paths->free = stack;
}

static void drop(struct ct_paths *paths, struct stack *stack)
{
	ct_map_remove(&paths->stacks, stack->launch, warp_key(stack->cta, stack->warp));
	retire(paths, stack);
}

/* Drop all stacks but those of one launch (0: none is spared). */
static void drop_others(struct ct_paths *paths, uint32_t launch)
{
	struct stack *spared = NULL;
	struct ct_map_entry *at = NULL;

	while ((at = ct_map_next(&paths->stacks, at))) {
		struct stack *stack = at->value.pointer;

		if (launch && stack->launch == launch) {
			stack->next = spared;
			spared = stack;
		} else {
			retire(paths, stack);
		}
	}
	ct_map_clear(&paths->stacks);
	for (; spared; spared = spared->next) /* there was room for them before */
		ct_map_put(&paths->stacks, spared->launch, warp_key(spared->cta, spared->warp))
		    ->pointer = spared;
	paths->selected = NULL;
	paths->is_looked_up = false;
}

void ct_paths_clear(struct ct_paths *paths)
{
	drop_others(paths, 0);
	free_unused(paths);
}

void ct_paths_select(struct ct_paths *paths, uint32_t launch, uint64_t cta, uint32_t warp)
{
	paths->launch = launch;
	paths->cta = cta;
	paths->warp = warp;
	paths->selected = NULL;
	paths->is_looked_up = paths->stacks.count == 0;
}

static struct stack *selected(struct ct_paths *paths)
{
	const union ct_map_value *found;

	if (!paths->is_looked_up) {
		found =
		    ct_map_find(&paths->stacks, paths->launch, warp_key(paths->cta, paths->warp));
		paths->selected = found ? found->pointer : NULL;
	}
	paths->is_looked_up = true;
	return paths->selected;
}

/* A stack without frames for the selected warp. */
static struct stack *add_stack(struct ct_paths *paths)
{
	struct stack *stack = paths->free ? paths->free : calloc(1, sizeof(*stack));
	union ct_map_value *place;

	if (!stack)
		return NULL;
	if (stack == paths->free)
		paths->free = stack->next;
	place = ct_map_put(&paths->stacks, paths->launch, warp_key(paths->cta, paths->warp));
	if (!place) {
		free_stack(stack);
		return NULL;
	}
	place->pointer = stack;
	stack->launch = paths->launch;
	stack->cta = paths->cta;
	stack->warp = paths->warp;
	return paths->selected = stack;
}

/* Room for one more frame, and for a path through all of them. */
static int reserve_frame(struct ct_paths *paths, struct stack *stack)
{
	int err = ct_array_reserve(&stack->frames, &stack->room, stack->count + 1,
				   sizeof(*stack->frames));

	if (err == 0)
		err = ct_array_reserve(&paths->path, &paths->path_room, stack->room,
				       sizeof(*paths->path));
	return err;
}

int ct_paths_enter(struct ct_paths *paths, const struct ct_path_call *call, uint32_t mask)
{
	struct stack *stack;
	int is_full = paths->frames >= FRAMES_MAX;

	if (is_full)
		drop_others(paths, paths->launch);
	if (paths->frames >= FRAMES_MAX)
		ct_paths_clear(paths);
	stack = selected(paths);
	if (!stack)
		stack = add_stack(paths);
	if (!stack || reserve_frame(paths, stack) < 0)
		return -ENOMEM;
	if (stack->count == STACK_FRAMES_MAX)
		return 1;
	stack->frames[stack->count++] = (struct frame){*call, mask};
	paths->frames++;
	return is_full;
}

static void drop_empty_frames(struct ct_paths *paths, struct stack *stack)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < stack->count; i++)
		if (stack->frames[i].mask)
			stack->frames[kept++] = stack->frames[i];
	paths->frames -= stack->count - kept;
	stack->count = kept;
	if (kept)
		return;
	drop(paths, stack);
	paths->selected = NULL;
}

static bool is_same(const struct ct_path_call *a, const struct ct_path_call *b)
{
	return a->unit == b->unit && a->site == b->site;
}

void ct_paths_leave(struct ct_paths *paths, const struct ct_path_call *call, uint32_t mask)
{
	struct stack *stack = selected(paths);
	uint32_t rest = mask;

	if (!stack)
		return;
	for (uint32_t i = stack->count; i-- > 0 && rest;) {
		uint32_t lanes = rest & stack->frames[i].mask;

		if (!lanes || !is_same(&stack->frames[i].call, call))
			continue;
		for (uint32_t inner = i; inner < stack->count; inner++)
			stack->frames[inner].mask &= ~lanes;
		rest &= ~lanes;
	}
	drop_empty_frames(paths, stack);
}

/* Whether a lane's calls are those of path. */
static bool is_on_path(const struct stack *stack, uint32_t lane, const struct ct_path_call *path,
		       uint32_t depth)
{
	uint32_t done = 0;

	for (uint32_t i = 0; i < stack->count; i++) {
		if (!(stack->frames[i].mask >> lane & 1))
			continue;
		if (done == depth || !is_same(&stack->frames[i].call, &path[done]))
			return false;
		done++;
	}
	return done == depth;
}

uint32_t ct_paths_group(struct ct_paths *paths, uint32_t mask, const struct ct_path_call **path,
			uint32_t *depth)
{
	const struct stack *stack = selected(paths);
	uint32_t lowest = mask & -mask, group = lowest, count = 0;
	bool is_one = true;

	*path = paths->path;
	*depth = 0;
	if (!stack)
		return mask;
	for (uint32_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->frames[i];

		if (frame->mask & lowest)
			paths->path[count++] = frame->call;
		is_one &= (frame->mask & mask) == (frame->mask & lowest ? mask : 0);
	}
	*depth = count;
	if (is_one)
		return mask;
	for (uint32_t rest = mask & ~lowest; rest; rest &= rest - 1)
		if (is_on_path(stack, (uint32_t)__builtin_ctz(rest), paths->path, count))
			group |= rest & -rest;
	return group;
}
