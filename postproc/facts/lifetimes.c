/* SPDX-License-Identifier: Apache-2.0 */
/* Which of many rectangles of addresses and time holds a point. */
#include "postproc/facts/lifetimes.h"

#include <errno.h>
#include <stdlib.h>

/* The tree is a heap over `leaves` intervals: node 1 is the root, 2n and 2n + 1 are the halves of
 * n. Leaf i holds the addresses from edge i to edge i + 1. */
static uint32_t leaves_of(const struct ct_lifetimes *lifetimes)
{
	return lifetimes->edges > 1 ? lifetimes->edges - 1 : 1;
}

static bool is_empty(const struct ct_lifetime *lifetime)
{
	return lifetime->begin >= lifetime->end || lifetime->allocated_at >= lifetime->freed_at;
}

static int compare_edges(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int compare_allocated(const void *a, const void *b, void *user)
{
	const struct ct_lifetime *lifetime = user;
	uint64_t x = lifetime[*(const uint32_t *)a].allocated_at,
		 y = lifetime[*(const uint32_t *)b].allocated_at;

	return x < y ? -1 : x > y;
}

static void collect_edges(struct ct_lifetimes *lifetimes, uint32_t count)
{
	uint32_t edges = 0, kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (is_empty(&lifetimes->lifetime[i]))
			continue;
		lifetimes->edge[edges++] = lifetimes->lifetime[i].begin;
		lifetimes->edge[edges++] = lifetimes->lifetime[i].end;
	}
	qsort(lifetimes->edge, edges, sizeof(*lifetimes->edge), compare_edges);
	for (uint32_t i = 0; i < edges; i++)
		if (!i || lifetimes->edge[i] != lifetimes->edge[i - 1])
			lifetimes->edge[kept++] = lifetimes->edge[i];
	lifetimes->edges = kept;
}

/* Index of the last edge that is not behind the address; there is one. */
static uint32_t edge_before(const struct ct_lifetimes *lifetimes, uint64_t address, uint64_t *steps)
{
	uint32_t low = 0, high = lifetimes->edges;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		++*steps;
		if (lifetimes->edge[middle] <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Add a lifetime to the fewest nodes that make up its addresses; with `listed` at their next
 * places, which are in `next`, without only count them there. */
static void put(const struct ct_lifetimes *lifetimes, uint32_t number, uint32_t *next,
		uint32_t *listed)
{
	const struct ct_lifetime *lifetime = &lifetimes->lifetime[number];
	uint64_t steps = 0;
	uint32_t leaves = leaves_of(lifetimes);
	uint32_t low = edge_before(lifetimes, lifetime->begin, &steps) + leaves;
	uint32_t high = edge_before(lifetimes, lifetime->end, &steps) + leaves;

	for (; low < high; low /= 2, high /= 2) {
		if (low & 1) {
			if (listed)
				listed[next[low]] = number;
			next[low++]++;
		}
		if (high & 1) {
			if (listed)
				listed[next[high - 1]] = number;
			next[--high]++;
		}
	}
}

/* first[n] of the sums of what the nodes before n hold. */
static uint64_t sum_up(uint32_t *first, uint32_t nodes)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i <= nodes; i++) {
		uint32_t here = i < nodes ? first[i] : 0;

		first[i] = (uint32_t)sum;
		sum += here;
	}
	return sum;
}

static int fill(struct ct_lifetimes *lifetimes, const uint32_t *order, uint32_t count)
{
	uint32_t nodes = 2 * leaves_of(lifetimes);
	uint64_t sum;

	lifetimes->first = calloc(nodes + 1, sizeof(*lifetimes->first));
	if (!lifetimes->first)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		put(lifetimes, order[i], lifetimes->first, NULL);
	sum = sum_up(lifetimes->first, nodes);
	if (sum > UINT32_MAX)
		return -ENOMEM;
	lifetimes->listed = malloc((sum + 1) * sizeof(*lifetimes->listed));
	if (!lifetimes->listed)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		put(lifetimes, order[i], lifetimes->first, lifetimes->listed);
	for (uint32_t i = nodes; i > 0; i--) /* filling has moved each to the next one's */
		lifetimes->first[i] = lifetimes->first[i - 1];
	lifetimes->first[0] = 0;
	return 0;
}

int ct_lifetimes_init(struct ct_lifetimes *lifetimes, const struct ct_lifetime *lifetime,
		      uint32_t count)
{
	uint32_t *order = malloc(((size_t)count + 1) * sizeof(*order)), ordered = 0;
	int err = -ENOMEM;

	*lifetimes = (struct ct_lifetimes){.lifetime = lifetime};
	lifetimes->edge = malloc(2 * ((size_t)count + 1) * sizeof(*lifetimes->edge));
	if (order && lifetimes->edge) {
		for (uint32_t i = 0; i < count; i++)
			if (!is_empty(&lifetime[i]))
				order[ordered++] = i;
		qsort_r(order, ordered, sizeof(*order), compare_allocated,
			(void *)(uintptr_t)lifetime);
		collect_edges(lifetimes, count);
		err = fill(lifetimes, order, ordered);
	}
	free(order);
	if (err < 0)
		ct_lifetimes_fini(lifetimes);
	return err;
}

void ct_lifetimes_fini(struct ct_lifetimes *lifetimes)
{
	free(lifetimes->edge);
	free(lifetimes->first);
	free(lifetimes->listed);
	*lifetimes = (struct ct_lifetimes){.lifetime = NULL};
}

/* The node's last one that is allocated by then. */
static uint32_t last_allocated(const struct ct_lifetimes *lifetimes, uint32_t node,
			       uint64_t event_index, uint64_t *steps)
{
	uint32_t low = lifetimes->first[node], high = lifetimes->first[node + 1], begin = low;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		++*steps;
		if (lifetimes->lifetime[lifetimes->listed[middle]].allocated_at <= event_index)
			low = middle + 1;
		else
			high = middle;
	}
	return low > begin ? lifetimes->listed[low - 1] : CT_NO_LIFETIME;
}

uint32_t ct_lifetimes_find(const struct ct_lifetimes *lifetimes, uint64_t address,
			   uint64_t event_index, uint64_t *steps)
{
	uint32_t node, found;

	if (!lifetimes->edges || address < lifetimes->edge[0] ||
	    address >= lifetimes->edge[lifetimes->edges - 1])
		return CT_NO_LIFETIME;
	node = edge_before(lifetimes, address, steps) + leaves_of(lifetimes);
	for (; node > 0; node /= 2) {
		found = last_allocated(lifetimes, node, event_index, steps);
		if (found != CT_NO_LIFETIME &&
		    ct_lifetime_holds(&lifetimes->lifetime[found], address, event_index))
			return found;
	}
	return CT_NO_LIFETIME;
}
