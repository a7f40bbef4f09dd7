/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths as a tree of counted nodes. */
#include "cpu-target/runtime/producer/call_path.h"
#include <stdlib.h>

#define TAG_UNKNOWN UINT32_MAX    /* nothing was executed there yet */
#define KEY_OTHER_UNIT UINT32_MAX /* not a call: the same function, sites of another tag */

void ct_paths_reset(struct ct_call_paths *paths)
{
	paths->used = 1;
	paths->unused = 0;
	paths->live = 0;
	if (paths->nodes)
		paths->nodes[0] = (struct ct_path_node){0};
}

static int grow(struct ct_call_paths *paths)
{
	uint32_t capacity = paths->capacity ? paths->capacity * 2 : 64;
	struct ct_path_node *nodes;

	if (capacity > CT_PATH_COUNT_MAX)
		return -1;
	nodes = realloc(paths->nodes, capacity * sizeof(*nodes));
	if (!nodes)
		return -1;
	if (!paths->capacity)
		nodes[0] = (struct ct_path_node){0};
	paths->nodes = nodes;
	paths->capacity = capacity;
	return 0;
}

/* 0 if there is no memory. */
static uint32_t new_node(struct ct_call_paths *paths)
{
	uint32_t node = paths->unused;

	if (node) {
		paths->unused = paths->nodes[node].sibling;
		return node;
	}
	if (paths->used >= paths->capacity && grow(paths))
		return 0;
	return paths->used++;
}

static uint32_t find_child(const struct ct_call_paths *paths, uint32_t path, uint32_t key,
			   uint32_t tag)
{
	uint32_t child = paths->nodes ? paths->nodes[path].child : 0;

	while (child && (paths->nodes[child].key != key ||
			 (key == KEY_OTHER_UNIT && paths->nodes[child].tag != tag)))
		child = paths->nodes[child].sibling;
	return child;
}

static uint32_t enter(struct ct_call_paths *paths, uint32_t path, uint32_t key, uint32_t tag)
{
	uint32_t child = find_child(paths, path, key, tag);

	if (!child) {
		child = new_node(paths);
		if (!child) {
			ct_path_hold(paths, path);
			return path;
		}
		paths->nodes[child] = (struct ct_path_node){
		    .parent = path,
		    .depth = paths->nodes[path].depth + 1,
		    .key = key,
		    .tag = tag,
		    .sibling = paths->nodes[path].child,
		};
		paths->nodes[path].child = child;
		paths->live++;
		ct_path_hold(paths, path);
	}
	paths->nodes[child].references++;
	return child;
}

uint32_t ct_path_enter(struct ct_call_paths *paths, uint32_t path, uint32_t key)
{
	return enter(paths, path, key, TAG_UNKNOWN);
}

uint32_t ct_path_tag(const struct ct_call_paths *paths, uint32_t path)
{
	return path ? paths->nodes[path].tag : 0;
}

uint32_t ct_path_of_tag(struct ct_call_paths *paths, uint32_t path, uint32_t tag)
{
	if (path && paths->nodes[path].tag == TAG_UNKNOWN)
		paths->nodes[path].tag = tag;
	if (ct_path_tag(paths, path) != tag)
		return enter(paths, path, KEY_OTHER_UNIT, tag);
	ct_path_hold(paths, path);
	return path;
}

void ct_path_hold(struct ct_call_paths *paths, uint32_t path)
{
	if (path)
		paths->nodes[path].references++;
}

void ct_path_give_back(struct ct_call_paths *paths, uint32_t path)
{
	do {
		struct ct_path_node *node = &paths->nodes[path];
		uint32_t parent = node->parent;
		uint32_t *link = &paths->nodes[parent].child;

		while (*link != path)
			link = &paths->nodes[*link].sibling;
		*link = node->sibling;
		node->sibling = paths->unused;
		paths->unused = path;
		paths->live--;
		path = parent;
	} while (path && --paths->nodes[path].references == 0);
}

uint32_t ct_path_caller(const struct ct_call_paths *paths, uint32_t path, uint32_t key)
{
	for (uint32_t callee = path; callee; callee = paths->nodes[callee].parent) {
		uint32_t caller = paths->nodes[callee].parent;

		if (paths->nodes[callee].key != key)
			continue;
		if (paths->nodes[caller].key == KEY_OTHER_UNIT)
			caller = paths->nodes[caller].parent;
		return caller;
	}
	return path;
}

/* The last letter of a place that is being shortened from its end. */
struct letter {
	uint32_t path; /* before the letter */
	uint32_t key;
	uint32_t tag;
	int more; /* letters followed */
};

static void shorten(const struct ct_call_paths *paths, struct letter *letter)
{
	const struct ct_path_node *node = &paths->nodes[letter->path];

	*letter = (struct letter){node->parent, node->key, node->tag, 1};
}

static uint32_t depth_of(const struct ct_call_paths *paths, const struct letter *letter)
{
	return letter->path ? paths->nodes[letter->path].depth : 0;
}

int ct_path_compare(const struct ct_call_paths *paths, uint32_t a, uint32_t a_key, uint32_t b,
		    uint32_t b_key)
{
	struct letter x = {.path = a, .key = a_key}, y = {.path = b, .key = b_key};

	while (depth_of(paths, &x) > depth_of(paths, &y))
		shorten(paths, &x);
	while (depth_of(paths, &y) > depth_of(paths, &x))
		shorten(paths, &y);
	while (x.path != y.path) {
		shorten(paths, &x);
		shorten(paths, &y);
	}
	if (x.key != y.key)
		return x.key < y.key ? -1 : 1;
	if (x.key == KEY_OTHER_UNIT && x.tag != y.tag)
		return x.tag < y.tag ? -1 : 1;
	return x.more - y.more;
}
