/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of nodes and what these do, which may be graphs; their edges and their order. */
#include "cpu-target/runtime/graph/graph.h"
#include "cpu-target/runtime/graph/object.h"
#include <stdlib.h>
#include <string.h>

struct ct_node_body *ct_body_new(enum cudaGraphNodeType type)
{
	struct ct_node_body *body = calloc(1, sizeof(*body));

	if (!body)
		return NULL;
	body->references = 1;
	body->type = type;
	return body;
}

struct ct_node_body *ct_body_hold(struct ct_node_body *body)
{
	__atomic_add_fetch(&body->references, 1, __ATOMIC_RELAXED);
	return body;
}

void ct_body_release(struct ct_node_body *body)
{
	if (!body || __atomic_sub_fetch(&body->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (body->type == cudaGraphNodeTypeKernel)
		free(body->launch);
	else if (body->type == cudaGraphNodeTypeGraph)
		ct_graph_destroy(body->child);
	free(body);
}

struct ct_graph *ct_graph_new(void)
{
	static unsigned last_id;
	struct ct_graph *graph = calloc(1, sizeof(*graph));

	if (graph)
		graph->id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
	return graph;
}

static void free_node(struct ct_graph_node *node)
{
	ct_body_release(node->body);
	free(node->from);
	free(node);
}

void ct_graph_destroy(struct ct_graph *graph)
{
	if (!graph)
		return;
	for (size_t i = 0; i < graph->count; i++)
		free_node(graph->nodes[i]);
	ct_graph_release_objects(graph);
	free(graph->nodes);
	free(graph);
}

static int has_edge(const struct ct_graph_node *from, const struct ct_graph_node *to)
{
	for (size_t i = 0; i < to->from_count; i++)
		if (to->from[i] == from)
			return 1;
	return 0;
}

cudaError_t ct_graph_add_edge(struct ct_graph_node *from, struct ct_graph_node *to)
{
	struct ct_graph_node **grown;

	if (!from || !to || from == to || from->graph != to->graph || has_edge(from, to))
		return cudaErrorInvalidValue;
	grown = realloc(to->from, (to->from_count + 1) * sizeof(*grown));
	if (!grown)
		return cudaErrorMemoryAllocation;
	to->from = grown;
	to->from[to->from_count++] = from;
	return cudaSuccess;
}

cudaError_t ct_graph_remove_edge(struct ct_graph_node *from, struct ct_graph_node *to)
{
	if (!from || !to)
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < to->from_count; i++)
		if (to->from[i] == from) {
			to->from[i] = to->from[--to->from_count];
			return cudaSuccess;
		}
	return cudaErrorInvalidValue;
}

static struct ct_graph_node *append_node(struct ct_graph *graph, struct ct_node_body *body)
{
	struct ct_graph_node **grown = realloc(graph->nodes, (graph->count + 1) * sizeof(*grown));
	struct ct_graph_node *node;

	if (!grown)
		return NULL;
	graph->nodes = grown;
	node = calloc(1, sizeof(*node));
	if (!node)
		return NULL;
	node->graph = graph;
	node->body = body;
	node->index = graph->count;
	graph->nodes[graph->count++] = node;
	return node;
}

cudaError_t ct_graph_add(struct ct_graph *graph, struct ct_graph_node *const *from,
			 size_t from_count, struct ct_node_body *body, struct ct_graph_node **out)
{
	struct ct_graph_node *node = append_node(graph, body);
	cudaError_t error = cudaSuccess;

	if (!node) {
		ct_body_release(body);
		return cudaErrorMemoryAllocation;
	}
	for (size_t i = 0; i < from_count && !error; i++)
		error = ct_graph_add_edge(from[i], node);
	if (error) {
		ct_graph_remove(node);
		return error;
	}
	*out = node;
	return cudaSuccess;
}

void ct_graph_remove(struct ct_graph_node *node)
{
	struct ct_graph *graph = node->graph;

	for (size_t i = 0; i < graph->count; i++)
		ct_graph_remove_edge(node, graph->nodes[i]);
	graph->count--;
	for (size_t i = node->index; i < graph->count; i++) {
		graph->nodes[i] = graph->nodes[i + 1];
		graph->nodes[i]->index = i;
	}
	free_node(node);
}

/* A child's graph is owned by its body: the clone's node gets one of its own. */
static struct ct_node_body *clone_body(struct ct_node_body *body)
{
	struct ct_node_body *clone;

	if (body->type != cudaGraphNodeTypeGraph)
		return ct_body_hold(body);
	clone = ct_body_new(body->type);
	if (!clone)
		return NULL;
	clone->child = ct_graph_clone(body->child);
	if (clone->child) {
		clone->child->is_child = 1;
		return clone;
	}
	ct_body_release(clone);
	return NULL;
}

static cudaError_t clone_node(struct ct_graph *clone, const struct ct_graph_node *node)
{
	struct ct_node_body *body = clone_body(node->body);
	struct ct_graph_node *copy;
	cudaError_t error;

	if (!body)
		return cudaErrorMemoryAllocation;
	error = ct_graph_add(clone, NULL, 0, body, &copy);
	if (!error)
		copy->origin = node;
	return error;
}

struct ct_graph *ct_graph_clone(const struct ct_graph *graph)
{
	struct ct_graph *clone = ct_graph_new();

	if (!clone)
		return NULL;
	clone->origin = graph;
	for (size_t i = 0; i < graph->count; i++)
		if (clone_node(clone, graph->nodes[i]))
			goto fail;
	for (size_t i = 0; i < graph->count; i++)
		for (size_t k = 0; k < graph->nodes[i]->from_count; k++)
			if (ct_graph_add_edge(clone->nodes[graph->nodes[i]->from[k]->index],
					      clone->nodes[i]))
				goto fail;
	if (ct_graph_copy_objects(clone, graph) == 0)
		return clone;
fail:
	ct_graph_destroy(clone);
	return NULL;
}

static int is_ready(const struct ct_graph_node *node)
{
	for (size_t i = 0; i < node->from_count; i++)
		if (!node->from[i]->mark)
			return 0;
	return 1;
}

int ct_graph_sort(const struct ct_graph *graph, struct ct_graph_node **order)
{
	size_t done = 0, before;

	for (size_t i = 0; i < graph->count; i++)
		graph->nodes[i]->mark = 0;
	do {
		before = done;
		for (size_t i = 0; i < graph->count; i++) {
			struct ct_graph_node *node = graph->nodes[i];

			if (node->mark || !is_ready(node))
				continue;
			node->mark = 1;
			order[done++] = node;
		}
	} while (done > before && done < graph->count);
	return done == graph->count ? 0 : -1;
}

static void mark_ancestors(struct ct_graph_node *node)
{
	if (node->mark)
		return;
	node->mark = 1;
	for (size_t i = 0; i < node->from_count; i++)
		mark_ancestors(node->from[i]);
}

int ct_graph_leads_to(struct ct_graph_node *const *nodes, size_t count,
		      struct ct_graph_node *const *ends, size_t end_count)
{
	if (!count)
		return 1;
	for (size_t i = 0; i < nodes[0]->graph->count; i++)
		nodes[0]->graph->nodes[i]->mark = 0;
	for (size_t i = 0; i < end_count; i++)
		mark_ancestors(ends[i]);
	for (size_t i = 0; i < count; i++)
		if (!nodes[i]->mark)
			return 0;
	return 1;
}
