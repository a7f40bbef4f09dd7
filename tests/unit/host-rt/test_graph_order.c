/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a graph are put in an order in which they may run. The graph is this file's. */
#include "host-rt/graph/order.h"
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

static size_t node_count, edge_count;
static int edges[64][2]; /* from, to */
static cudaError_t answer = cudaSuccess;

static cudaGraphNode_t node(int i)
{
	return (cudaGraphNode_t)(uintptr_t)(0x1000 - 16 * i);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
	(void)graph;
	*count = node_count;
	for (size_t i = 0; nodes && i < node_count; i++)
		nodes[i] = node((int)i);
	return answer;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
			      cudaGraphEdgeData *data, size_t *count)
{
	(void)graph;
	(void)data;
	*count = edge_count;
	for (size_t i = 0; from && i < edge_count; i++) {
		from[i] = node(edges[i][0]);
		to[i] = node(edges[i][1]);
	}
	return answer;
}

static void edge(int from, int to)
{
	edges[edge_count][0] = from;
	edges[edge_count++][1] = to;
}

static void expect(size_t count, const int *order)
{
	cudaGraphNode_t *nodes;
	size_t found;

	node_count = count;
	cr_assert_eq(ct_graph_order(NULL, &nodes, &found), 0);
	cr_assert_eq(found, count);
	for (size_t i = 0; i < count; i++)
		cr_assert_eq(nodes[i], node(order[i]), "node %zu", i);
	free(nodes);
}

Test(hostrt_graph_order, an_empty_graph_has_no_nodes)
{
	expect(0, NULL);
}

Test(hostrt_graph_order, without_edges_nodes_stay_as_listed)
{
	expect(3, (int[]){0, 1, 2});
}

Test(hostrt_graph_order, an_order_that_may_run_stays)
{
	edge(0, 2);
	edge(1, 2);
	edge(0, 3);
	edge(3, 4);
	expect(5, (int[]){0, 1, 2, 3, 4});
}

Test(hostrt_graph_order, a_chain_that_is_listed_backwards_is_turned)
{
	edge(1, 0);
	edge(2, 1);
	edge(3, 2);
	expect(4, (int[]){3, 2, 1, 0});
}

Test(hostrt_graph_order, a_node_waits_for_all_that_it_depends_on)
{
	edge(3, 0);
	edge(1, 0);
	edge(2, 3);
	expect(4, (int[]){2, 3, 1, 0});
}

Test(hostrt_graph_order, a_graph_that_cannot_be_looked_at_is_refused)
{
	cudaGraphNode_t *nodes;
	size_t count;

	answer = cudaErrorInvalidValue;
	cr_assert_eq(ct_graph_order(NULL, &nodes, &count), -EINVAL);
	cr_assert_null(nodes);
}
