/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of calls per warp, in a chained hash table. */
#include "trace/read/paths.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS 256u
#define STACK_FRAMES_MAX (1u << 16) /* of one warp; deeper calls are not kept */
#define FRAMES_MAX (1u << 22)       /* of all warps */

struct frame {
	struct ct_call call;
	uint32_t mask; /* lanes that are in the call */
};

struct stack {
	struct stack *next; /* in the bucket or among the free */
	uint64_t cta;
	uint32_t launch, warp;
	uint32_t count, room;
	struct frame *frames; /* a lane is in those that have its bit, the last one innermost */
};

struct ct_paths {
	struct stack **buckets;
	size_t bucket_count; /* a power of two */
	size_t used;         /* stacks in buckets */
	size_t frames;       /* in all of them */
	struct stack *free;
	struct stack *selected; /* NULL: in no call, or not looked up yet */
	bool is_looked_up;
	uint64_t cta;
	uint32_t launch, warp;
	struct ct_call *path; /* room for the frames of the longest stack */
	size_t path_room;
};

int ct_paths_open(struct ct_paths **out)
{
	struct ct_paths *paths = calloc(1, sizeof(*paths));

	*out = NULL;
	if (!paths)
		return -ENOMEM;
	paths->bucket_count = FIRST_BUCKETS;
	paths->buckets = calloc(paths->bucket_count, sizeof(struct stack *));
	if (!paths->buckets)
		goto free_paths;
	*out = paths;
	return 0;

free_paths:
	free(paths);
	return -ENOMEM;
}

static void free_chain(struct stack *stack)
{
	while (stack) {
		struct stack *next = stack->next;

		free(stack->frames);
		free(stack);
		stack = next;
	}
}

void ct_paths_close(struct ct_paths *paths)
{
	if (!paths)
		return;
	for (size_t i = 0; i < paths->bucket_count; i++)
		free_chain(paths->buckets[i]);
	free_chain(paths->free);
	free(paths->buckets);
	free(paths->path);
	free(paths);
}

static struct stack **bucket_of(const struct ct_paths *paths, uint32_t launch, uint64_t cta,
				uint32_t warp)
{
	uint64_t hash = (cta * 32 + warp) * 0x9e3779b97f4a7c15u + launch * 0xc4ceb9fe1a85ec53u;

	return &paths->buckets[(hash ^ hash >> 32) & (paths->bucket_count - 1)];
}

/* Where the link to the stack is, or where it would be. */
static struct stack **find(const struct ct_paths *paths, uint32_t launch, uint64_t cta,
			   uint32_t warp)
{
	struct stack **link = bucket_of(paths, launch, cta, warp);

	while (*link && ((*link)->launch != launch || (*link)->cta != cta || (*link)->warp != warp))
		link = &(*link)->next;
	return link;
}

static void drop(struct ct_paths *paths, struct stack **link)
{
	struct stack *stack = *link;

	*link = stack->next;
	paths->used--;
	paths->frames -= stack->count;
	stack->count = 0;
	stack->next = paths->free;
	paths->free = stack;
}

/* Drop all stacks but those of one launch (0: none is spared). */
static void drop_others(struct ct_paths *paths, uint32_t launch)
{
	for (size_t i = 0; i < paths->bucket_count; i++) {
		struct stack **link = &paths->buckets[i];

		while (*link) {
			if (launch && (*link)->launch == launch)
				link = &(*link)->next;
			else
				drop(paths, link);
		}
	}
	paths->selected = NULL;
	paths->is_looked_up = false;
}

void ct_paths_clear(struct ct_paths *paths)
{
	drop_others(paths, 0);
	free_chain(paths->free);
	paths->free = NULL;
}

void ct_paths_select(struct ct_paths *paths, uint32_t launch, uint64_t cta, uint32_t warp)
{
	paths->launch = launch;
	paths->cta = cta;
	paths->warp = warp;
	paths->selected = NULL;
	paths->is_looked_up = paths->used == 0;
}

static struct stack *selected(struct ct_paths *paths)
{
	if (!paths->is_looked_up)
		paths->selected = *find(paths, paths->launch, paths->cta, paths->warp);
	paths->is_looked_up = true;
	return paths->selected;
}

static int enlarge_table(struct ct_paths *paths)
{
	struct stack **old = paths->buckets, **bigger;
	size_t old_count = paths->bucket_count;

	bigger = calloc(2 * old_count, sizeof(struct stack *));
	if (!bigger)
		return -ENOMEM;
	paths->buckets = bigger;
	paths->bucket_count = 2 * old_count;
	for (size_t i = 0; i < old_count; i++) {
		while (old[i]) {
			struct stack *stack = old[i];
			struct stack **link =
			    bucket_of(paths, stack->launch, stack->cta, stack->warp);

			old[i] = stack->next;
			stack->next = *link;
			*link = stack;
		}
	}
	free(old);
	return 0;
}

/* A stack without frames for the selected warp. */
static struct stack *add_stack(struct ct_paths *paths)
{
	struct stack *stack = paths->free, **link;

	if (paths->used >= paths->bucket_count && enlarge_table(paths) < 0)
		return NULL;
	if (stack)
		paths->free = stack->next;
	else
		stack = calloc(1, sizeof(*stack));
	if (!stack)
		return NULL;
	stack->launch = paths->launch;
	stack->cta = paths->cta;
	stack->warp = paths->warp;
	link = bucket_of(paths, stack->launch, stack->cta, stack->warp);
	stack->next = *link;
	*link = stack;
	paths->used++;
	return paths->selected = stack;
}

/* Room for one more frame, and for a path through all of them. */
static int reserve_frame(struct ct_paths *paths, struct stack *stack)
{
	uint32_t room = stack->room ? 2 * stack->room : 8;

	if (stack->count == stack->room) {
		struct frame *bigger = realloc(stack->frames, room * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		stack->frames = bigger;
		stack->room = room;
	}
	if (paths->path_room < stack->room) {
		struct ct_call *bigger = realloc(paths->path, stack->room * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		paths->path = bigger;
		paths->path_room = stack->room;
	}
	return 0;
}

int ct_paths_enter(struct ct_paths *paths, const struct ct_call *call, uint32_t mask)
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
	drop(paths, find(paths, stack->launch, stack->cta, stack->warp));
	paths->selected = NULL;
}

static bool is_same(const struct ct_call *a, const struct ct_call *b)
{
	return a->unit == b->unit && a->site == b->site;
}

void ct_paths_leave(struct ct_paths *paths, const struct ct_call *call, uint32_t mask)
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
static bool is_on_path(const struct stack *stack, uint32_t lane, const struct ct_call *path,
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

uint32_t ct_paths_group(struct ct_paths *paths, uint32_t mask, const struct ct_call **path,
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
