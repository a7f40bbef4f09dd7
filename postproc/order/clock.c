/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks as trees that share their nodes. Node 0 is empty on every level. */
#include "postproc/order/clock.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NODES_FIRST 64u

int ct_clocks_init(struct ct_clocks *clocks, uint32_t streams)
{
	*clocks = (struct ct_clocks){.capacity = NODES_FIRST, .nodes = 1};
	while (streams && (streams - 1) >> clocks->shift >= CT_CLOCK_CHILDREN)
		clocks->shift += CT_CLOCK_BITS;
	clocks->node = calloc(clocks->capacity, sizeof(*clocks->node));
	return clocks->node ? 0 : -ENOMEM;
}

void ct_clocks_fini(struct ct_clocks *clocks)
{
	free(clocks->node);
	*clocks = (struct ct_clocks){0};
}

void ct_clocks_begin(struct ct_clocks *clocks)
{
	clocks->first_own = clocks->nodes;
}

/* One more node with these contents; 0 without memory. */
static uint32_t add_node(struct ct_clocks *clocks, const struct ct_clock_node *contents)
{
	if (clocks->nodes == clocks->capacity) {
		uint64_t capacity = (uint64_t)clocks->capacity + clocks->capacity / 2;
		struct ct_clock_node *more = NULL;

		if (capacity <= UINT32_MAX)
			more = realloc(clocks->node, capacity * sizeof(*more));
		if (!more) {
			clocks->err = -ENOMEM;
			return 0;
		}
		clocks->node = more;
		clocks->capacity = (uint32_t)capacity;
	}
	clocks->node[clocks->nodes] = *contents;
	return clocks->nodes++;
}

/* The clock's node with new contents: itself if nothing else knows it. */
static uint32_t replace(struct ct_clocks *clocks, uint32_t node,
			const struct ct_clock_node *contents)
{
	if (node < clocks->first_own || !node)
		return add_node(clocks, contents);
	clocks->node[node] = *contents;
	return node;
}

static uint32_t join(struct ct_clocks *clocks, uint32_t a, uint32_t b, uint32_t shift)
{
	struct ct_clock_node of_a, of_b, both;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	of_a = clocks->node[a];
	of_b = clocks->node[b];
	for (uint32_t i = 0; i < CT_CLOCK_CHILDREN; i++)
		if (shift)
			both.at[i] = join(clocks, of_a.at[i], of_b.at[i], shift - CT_CLOCK_BITS);
		else
			both.at[i] = of_a.at[i] > of_b.at[i] ? of_a.at[i] : of_b.at[i];
	if (!memcmp(&both, &of_a, sizeof(both)))
		return a;
	if (!memcmp(&both, &of_b, sizeof(both)))
		return b;
	return replace(clocks, a, &both);
}

uint32_t ct_clocks_join(struct ct_clocks *clocks, uint32_t clock, uint32_t other)
{
	return join(clocks, clock, other, clocks->shift);
}

static uint32_t raise_node(struct ct_clocks *clocks, uint32_t node, uint32_t stream, uint32_t count,
			   uint32_t shift)
{
	struct ct_clock_node contents = clocks->node[node];
	uint32_t *at = &contents.at[stream >> shift & (CT_CLOCK_CHILDREN - 1)];

	*at = shift ? raise_node(clocks, *at, stream, count, shift - CT_CLOCK_BITS) : count;
	return replace(clocks, node, &contents);
}

uint32_t ct_clocks_raise(struct ct_clocks *clocks, uint32_t clock, uint32_t stream, uint32_t count)
{
	if (ct_clocks_at(clocks, clock, stream) >= count)
		return clock;
	return raise_node(clocks, clock, stream, count, clocks->shift);
}
