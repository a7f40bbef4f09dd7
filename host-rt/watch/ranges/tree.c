/* SPDX-License-Identifier: Apache-2.0 */
/* The treap: expected logarithmic depth, so recursion is shallow enough for signal handlers. */
#include "host-rt/watch/ranges/tree.h"

#define R(index) (&ct_ranges[index])

static bool is_before(uint32_t a, uint32_t b)
{
	return R(a)->start < R(b)->start || (R(a)->start == R(b)->start && a < b);
}

static void renew(uint32_t node)
{
	uint64_t end = R(node)->end;

	if (R(node)->left && R(R(node)->left)->max_end > end)
		end = R(R(node)->left)->max_end;
	if (R(node)->right && R(R(node)->right)->max_end > end)
		end = R(R(node)->right)->max_end;
	R(node)->max_end = end;
}

/* Those before the pivot, and the others. */
static void split(uint32_t node, uint32_t pivot, uint32_t *before, uint32_t *behind)
{
	if (!node) {
		*before = *behind = 0;
		return;
	}
	if (is_before(node, pivot)) {
		split(R(node)->right, pivot, &R(node)->right, behind);
		*before = node;
	} else {
		split(R(node)->left, pivot, before, &R(node)->left);
		*behind = node;
	}
	renew(node);
}

static uint32_t join(uint32_t before, uint32_t behind)
{
	if (!before || !behind)
		return before ? before : behind;
	if (R(before)->priority > R(behind)->priority) {
		R(before)->right = join(R(before)->right, behind);
		renew(before);
		return before;
	}
	R(behind)->left = join(before, R(behind)->left);
	renew(behind);
	return behind;
}

void ct_tree_insert(uint32_t *root, uint32_t range)
{
	static uint32_t random = 2463534242u;
	uint32_t before, behind;

	random ^= random << 13;
	random ^= random >> 17;
	random ^= random << 5;
	R(range)->priority = random;
	R(range)->left = R(range)->right = 0;
	renew(range);
	split(*root, range, &before, &behind);
	*root = join(join(before, range), behind);
}

static uint32_t without(uint32_t node, uint32_t range)
{
	if (!node)
		return 0;
	if (node == range)
		return join(R(node)->left, R(node)->right);
	if (is_before(range, node))
		R(node)->left = without(R(node)->left, range);
	else
		R(node)->right = without(R(node)->right, range);
	renew(node);
	return node;
}

void ct_tree_remove(uint32_t *root, uint32_t range)
{
	*root = without(*root, range);
}

uint32_t ct_tree_find(uint32_t node, uint64_t start, uint64_t end, uint32_t *indices, uint32_t room)
{
	uint32_t count = 0;

	while (node && room && R(node)->max_end > start) {
		uint32_t some = ct_tree_find(R(node)->left, start, end, indices + count, room);

		count += some;
		room -= some;
		if (R(node)->start >= end)
			break;
		if (room && R(node)->end > start) {
			indices[count++] = node;
			room--;
		}
		node = R(node)->right;
	}
	return count;
}
