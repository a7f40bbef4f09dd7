/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the CUDA runtime API on graphs as a whole. */
#include "cpu-target/runtime/graph/graph.h"
#include "cpu-target/runtime/api/api.h"
#include <stdio.h>
#include <stdlib.h>

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
	if (!graph || flags)
		return ct_error_set(cudaErrorInvalidValue);
	*graph = (cudaGraph_t)ct_graph_new();
	return ct_api_result(*graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
	struct ct_graph *graph = (struct ct_graph *)handle;

	if (!graph || graph->is_child)
		return ct_error_set(cudaErrorInvalidValue);
	ct_graph_destroy(graph);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
	if (!clone || !graph)
		return ct_error_set(cudaErrorInvalidValue);
	*clone = (cudaGraph_t)ct_graph_clone((struct ct_graph *)graph);
	return ct_api_result(*clone ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
				     cudaGraph_t handle)
{
	struct ct_graph *graph = (struct ct_graph *)handle;

	if (!node || !original || !graph)
		return ct_error_set(cudaErrorInvalidValue);
	for (size_t i = 0; i < graph->count; i++)
		if (graph->nodes[i]->origin == (struct ct_graph_node *)original) {
			*node = (cudaGraphNode_t)graph->nodes[i];
			return ct_api_result(cudaSuccess);
		}
	return ct_error_set(cudaErrorInvalidValue);
}

/* Lists go into an array of *count places; without one, only their length is reported. */

struct list {
	cudaGraphNode_t *to;
	size_t places;
	size_t count;
};

static void put(struct list *list, const struct ct_graph_node *node)
{
	if (list->to && list->count < list->places)
		list->to[list->count] = (cudaGraphNode_t)node;
	list->count++;
}

static cudaError_t finish(struct list *list, size_t *count)
{
	for (size_t i = list->count; list->to && i < list->places; i++)
		list->to[i] = NULL;
	if (!list->to || list->count < list->places)
		*count = list->count;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
	struct ct_graph *graph = (struct ct_graph *)handle;
	struct list list = {nodes, count ? *count : 0, 0};

	if (!graph || !count)
		return ct_error_set(cudaErrorInvalidValue);
	for (size_t i = 0; i < graph->count; i++)
		put(&list, graph->nodes[i]);
	return finish(&list, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
	struct ct_graph *graph = (struct ct_graph *)handle;
	struct list list = {nodes, count ? *count : 0, 0};

	if (!graph || !count)
		return ct_error_set(cudaErrorInvalidValue);
	for (size_t i = 0; i < graph->count; i++)
		if (!graph->nodes[i]->from_count)
			put(&list, graph->nodes[i]);
	return finish(&list, count);
}

static void clear_edges(cudaGraphEdgeData *edges, size_t count)
{
	for (size_t i = 0; edges && i < count; i++)
		edges[i] = (cudaGraphEdgeData){0};
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
			      cudaGraphEdgeData *edges, size_t *count)
{
	struct ct_graph *graph = (struct ct_graph *)handle;
	size_t places = count ? *count : 0;
	struct list first = {from, places, 0}, second = {to, places, 0};

	if (!graph || !count || !from != !to)
		return ct_error_set(cudaErrorInvalidValue);
	for (size_t i = 0; i < graph->count; i++)
		for (size_t k = 0; k < graph->nodes[i]->from_count; k++) {
			put(&first, graph->nodes[i]->from[k]);
			put(&second, graph->nodes[i]);
		}
	clear_edges(edges, places);
	finish(&second, count);
	return finish(&first, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t *nodes,
					 cudaGraphEdgeData *edges, size_t *count)
{
	struct ct_graph_node *node = (struct ct_graph_node *)handle;
	struct list list = {nodes, count ? *count : 0, 0};

	if (!node || !count)
		return ct_error_set(cudaErrorInvalidValue);
	for (size_t i = 0; i < node->from_count; i++)
		put(&list, node->from[i]);
	clear_edges(edges, list.places);
	return finish(&list, count);
}

static int depends_on(const struct ct_graph_node *node, const struct ct_graph_node *on)
{
	for (size_t i = 0; i < node->from_count; i++)
		if (node->from[i] == on)
			return 1;
	return 0;
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t *nodes,
					   cudaGraphEdgeData *edges, size_t *count)
{
	struct ct_graph_node *node = (struct ct_graph_node *)handle;
	struct list list = {nodes, count ? *count : 0, 0};

	if (!node || !count)
		return ct_error_set(cudaErrorInvalidValue);
	for (size_t i = 0; i < node->graph->count; i++)
		if (depends_on(node->graph->nodes[i], node))
			put(&list, node->graph->nodes[i]);
	clear_edges(edges, list.places);
	return finish(&list, count);
}

static cudaError_t for_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
			     const cudaGraphNode_t *to, size_t count,
			     cudaError_t (*change)(struct ct_graph_node *, struct ct_graph_node *))
{
	cudaError_t error = cudaSuccess;

	if (!graph || (count && (!from || !to)))
		return ct_error_set(cudaErrorInvalidValue);
	for (size_t i = 0; i < count && !error; i++)
		error = change((struct ct_graph_node *)from[i], (struct ct_graph_node *)to[i]);
	return ct_api_result(error);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
				     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
				     size_t count)
{
	(void)edges;
	return for_edges(graph, from, to, count, ct_graph_add_edge);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
					const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
					size_t count)
{
	(void)edges;
	return for_edges(graph, from, to, count, ct_graph_remove_edge);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
	if (!node)
		return ct_error_set(cudaErrorInvalidValue);
	ct_graph_remove((struct ct_graph_node *)node);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
	if (!node || !type)
		return ct_error_set(cudaErrorInvalidValue);
	*type = ((struct ct_graph_node *)node)->body->type;
	return ct_api_result(cudaSuccess);
}

static const char *type_name(enum cudaGraphNodeType type)
{
	static const char *const names[] = {
	    [cudaGraphNodeTypeKernel] = "kernel",  [cudaGraphNodeTypeMemcpy] = "memcpy",
	    [cudaGraphNodeTypeMemset] = "memset",  [cudaGraphNodeTypeHost] = "host",
	    [cudaGraphNodeTypeGraph] = "graph",    [cudaGraphNodeTypeEmpty] = "empty",
	    [cudaGraphNodeTypeWaitEvent] = "wait", [cudaGraphNodeTypeEventRecord] = "record",
	};

	return (size_t)type < sizeof(names) / sizeof(*names) && names[type] ? names[type] : "node";
}

static void print_node(FILE *file, const struct ct_graph_node *node)
{
	unsigned id = node->graph->id;

	fprintf(file, "\"graph_%u_node_%zu\" [label=\"%zu\\n%s", id, node->index, node->index,
		type_name(node->body->type));
	if (node->body->type == cudaGraphNodeTypeKernel)
		fprintf(file, "\\n%s", node->body->launch->grid.kernel->name);
	fprintf(file, "\"];\n");
	for (size_t i = 0; i < node->from_count; i++)
		fprintf(file, "\"graph_%u_node_%zu\" -> \"graph_%u_node_%zu\";\n", id,
			node->from[i]->index, id, node->index);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned flags)
{
	struct ct_graph *graph = (struct ct_graph *)handle;
	FILE *file;
	int failed;

	(void)flags;
	if (!graph || !path)
		return ct_error_set(cudaErrorInvalidValue);
	file = fopen(path, "w");
	if (!file)
		return ct_error_set(cudaErrorOperatingSystem);
	fprintf(file, "digraph dot {\n");
	for (size_t i = 0; i < graph->count; i++)
		print_node(file, graph->nodes[i]);
	fprintf(file, "}\n");
	failed = ferror(file);
	failed |= fclose(file);
	return ct_api_result(failed ? cudaErrorOperatingSystem : cudaSuccess);
}
