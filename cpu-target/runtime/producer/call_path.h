/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call paths of the lanes of a warp, and the order of places in a program.
 *
 * A place is a call path and a key: a site's index times two, plus one for what
 * comes when a call returns. Within a function places are ordered by key; what
 * a call executes lies between the call's two keys. So places are compared
 * like words, letter by letter:
 *
 *	kernel:	site 3		3
 *		call 4		4
 *	f:	  site 1	4 1	behind 4, before the return
 *		return of 4	4'
 *		site 5		5
 *
 * Paths are numbers, 0 for the kernel itself; equal paths have equal numbers.
 * They are counted references, because recursion makes any number of them.
 * Sites of other units (by their tag) stand in paths of their own.
 */
#ifndef CT_CPU_TARGET_RUNTIME_PRODUCER_CALL_PATH_H
#define CT_CPU_TARGET_RUNTIME_PRODUCER_CALL_PATH_H

#include <stdint.h>

#define CT_PATH_COUNT_MAX (1u << 22)

struct ct_path_node {
	uint32_t parent;
	uint32_t depth;
	uint32_t key; /* of the call in the parent */
	uint32_t tag; /* of the sites here */
	uint32_t references;
	uint32_t child;   /* first, then ->sibling; 0 ends */
	uint32_t sibling; /* in the list of unused nodes: the next one */
};

struct ct_call_paths {
	struct ct_path_node *nodes; /* [capacity], [0] is the kernel; grows, kept by reset */
	uint32_t capacity;
	uint32_t used;   /* nodes that were ever in use */
	uint32_t unused; /* list */
	uint32_t live;   /* paths in use besides 0 */
};

/* Forgets all paths and references. */
void ct_paths_reset(struct ct_call_paths *paths);

/* The path of what a call at key of path executes, with a reference for the
 * caller. Without memory: path itself. */
uint32_t ct_path_enter(struct ct_call_paths *paths, uint32_t path, uint32_t key);

/* The path in which sites of this tag stand when path is executed, with a
 * reference. */
uint32_t ct_path_of_tag(struct ct_call_paths *paths, uint32_t path, uint32_t tag);

uint32_t ct_path_tag(const struct ct_call_paths *paths, uint32_t path);

void ct_path_hold(struct ct_call_paths *paths, uint32_t path);
void ct_path_give_back(struct ct_call_paths *paths, uint32_t path);

static inline void ct_path_release(struct ct_call_paths *paths, uint32_t path)
{
	if (path && --paths->nodes[path].references == 0)
		ct_path_give_back(paths, path);
}

/* The path of the nearest caller of path whose call has this key; path itself
 * if there is none. No reference. */
uint32_t ct_path_caller(const struct ct_call_paths *paths, uint32_t path, uint32_t key);

/* Negative, 0 or positive as place a is before, the same as or behind b. */
int ct_path_compare(const struct ct_call_paths *paths, uint32_t a, uint32_t a_key, uint32_t b,
		    uint32_t b_key);

#endif
