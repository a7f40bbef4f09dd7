/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes of a graph in an order in which they may run: depth first along the
 * dependencies of each, so that an order that is already one stays as it is.
 */
#include "host-rt/graph/order.h"
#include "host-rt/graph/real.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

struct place {
	cudaGraphNode_t node;
	size_t index;
};

/* Dependencies of node i: on[first[i]] to on[first[i + 1]]; next[i]: the first not looked at. */
struct dependencies {
	size_t *first, *next, *on;
};

static int compare(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct place *)a)->node;
	uintptr_t y = (uintptr_t)((const struct place *)b)->node;

	return (x > y) - (x < y);
}

static size_t index_of(const struct place *places, size_t count, cudaGraphNode_t node)
{
	struct place key = {.node = node};
	const struct place *found = bsearch(&key, places, count, sizeof(key), compare);

	return found ? found->index : count;
}

/* Edges by the node they lead to; those of nodes that are not known are left out. */
static void group(struct dependencies *d, const struct place *places, size_t count,
		  const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t edges)
{
	for (size_t i = 0; i < edges; i++)
		d->first[index_of(places, count, to[i]) + 1]++;
	for (size_t i = 0; i < count; i++) {
		d->first[i + 1] += d->first[i];
		d->next[i] = d->first[i];
	}
	for (size_t i = 0; i < edges; i++) {
		size_t target = index_of(places, count, to[i]);

		if (target < count)
			d->on[d->next[target]++] = index_of(places, count, from[i]);
	}
	for (size_t i = 0; i < count; i++)
		d->next[i] = d->first[i];
}

/* stack has room for all nodes: none is on it twice, since graphs have no cycles. */
static void arrange(struct dependencies *d, cudaGraphNode_t *sorted, const cudaGraphNode_t *nodes,
		    size_t count, size_t *stack, unsigned char *seen)
{
	size_t done = 0;

	for (size_t root = 0; root < count; root++) {
		size_t depth = 0;

		if (!seen[root])
			stack[depth++] = root;
		seen[root] = 1;
		while (depth) {
			size_t top = stack[depth - 1];

			if (d->next[top] == d->first[top + 1]) {
				sorted[done++] = nodes[top];
				depth--;
				continue;
			}
			size_t before = d->on[d->next[top]++];

			if (before < count && !seen[before]) {
				seen[before] = 1;
				stack[depth++] = before;
			}
		}
	}
}

static int sort(cudaGraphNode_t *nodes, size_t count, const cudaGraphNode_t *from,
		const cudaGraphNode_t *to, size_t edges)
{
	struct place *places = calloc(count, sizeof(*places));
	cudaGraphNode_t *listed = calloc(count, sizeof(cudaGraphNode_t));
	size_t *numbers = calloc(3 * count + 2 + edges, sizeof(*numbers));
	unsigned char *seen = calloc(count, 1);
	int err = -ENOMEM;

	if (places && listed && numbers && seen) {
		struct dependencies d = {
		    .first = numbers, .next = numbers + count + 2, .on = numbers + 3 * count + 2};

		for (size_t i = 0; i < count; i++) {
			listed[i] = nodes[i];
			places[i] = (struct place){nodes[i], i};
		}
		qsort(places, count, sizeof(*places), compare);
		group(&d, places, count, from, to, edges);
		arrange(&d, nodes, listed, count, numbers + 2 * count + 2, seen);
		err = 0;
	}
	free(places);
	free(listed);
	free(numbers);
	free(seen);
	return err;
}

static int sort_by_edges(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t count)
{
	cudaGraphNode_t *ends;
	cudaGraphEdgeData *data;
	size_t edges = 0;
	int err = -ENOMEM;

	if (cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges) != cudaSuccess)
		return -EINVAL;
	if (!edges)
		return 0;
	ends = calloc(2 * edges, sizeof(cudaGraphNode_t));
	data = calloc(edges, sizeof(*data));
	if (ends && data) {
		err = -EINVAL;
		if (cudaGraphGetEdges(graph, ends, ends + edges, data, &edges) == cudaSuccess)
			err = sort(nodes, count, ends, ends + edges, edges);
	}
	free(ends);
	free(data);
	return err;
}

int ct_graph_order(cudaGraph_t graph, cudaGraphNode_t **nodes, size_t *count)
{
	int err;

	*nodes = NULL;
	if (cudaGraphGetNodes(graph, NULL, count) != cudaSuccess)
		return -EINVAL;
	*nodes = calloc(*count + 1, sizeof(cudaGraphNode_t));
	if (!*nodes)
		return -ENOMEM;
	err = cudaGraphGetNodes(graph, *nodes, count) == cudaSuccess ? 0 : -EINVAL;
	if (!err)
		err = sort_by_edges(graph, *nodes, *count);
	if (err) {
		free(*nodes);
		*nodes = NULL;
	}
	return err;
}
