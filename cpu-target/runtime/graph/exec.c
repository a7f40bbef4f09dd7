/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executable graphs. A launch runs the nodes one after another in one piece of
 * work of its stream, behind the last launch of the same executable graph.
 * Events are finished when the launch is queued: the work waits for the events
 * that its wait nodes name, and an event that a node records is reached when
 * the whole launch is.
 */
#include "cpu-target/runtime/graph/exec.h"
#include "cpu-target/runtime/stream/event.h"
#include <stdlib.h>

struct graph_work {
	struct ct_work work;
	size_t count;
	struct ct_node_body *bodies[];
};

/* Adds a node's entry, or those of its child graph. */
static cudaError_t add_nodes(struct ct_graph_exec *exec, const struct ct_graph *graph);

static cudaError_t add_node(struct ct_graph_exec *exec, const struct ct_graph_node *node)
{
	struct ct_exec_node *grown;

	if (node->body->type == cudaGraphNodeTypeGraph)
		return add_nodes(exec, node->body->child);
	grown = realloc(exec->nodes, (exec->count + 1) * sizeof(*grown));
	if (!grown)
		return cudaErrorMemoryAllocation;
	exec->nodes = grown;
	grown[exec->count++] = (struct ct_exec_node){node, ct_body_hold(node->body), 0};
	return cudaSuccess;
}

static cudaError_t add_nodes(struct ct_graph_exec *exec, const struct ct_graph *graph)
{
	struct ct_graph_node **order = malloc((graph->count + 1) * sizeof(*order));
	cudaError_t error = cudaSuccess;

	if (!order)
		return cudaErrorMemoryAllocation;
	if (ct_graph_sort(graph, order) < 0)
		error = cudaErrorInvalidValue;
	for (size_t i = 0; i < graph->count && !error; i++)
		error = add_node(exec, order[i]);
	free(order);
	return error;
}

cudaError_t ct_graph_exec_make(const struct ct_graph *graph, unsigned long long flags,
			       struct ct_graph_exec **out)
{
	struct ct_graph_exec *exec = calloc(1, sizeof(*exec));
	cudaError_t error;

	if (!exec)
		return cudaErrorMemoryAllocation;
	exec->flags = flags;
	error = add_nodes(exec, graph);
	if (error) {
		ct_graph_exec_destroy(exec);
		return error;
	}
	*out = exec;
	return cudaSuccess;
}

void ct_graph_exec_destroy(struct ct_graph_exec *exec)
{
	if (!exec)
		return;
	for (size_t i = 0; i < exec->count; i++)
		ct_body_release(exec->nodes[i].body);
	ct_point_release(&exec->last);
	free(exec->nodes);
	free(exec);
}

struct ct_exec_node *ct_graph_exec_find(struct ct_graph_exec *exec,
					const struct ct_graph_node *origin)
{
	for (size_t i = 0; i < exec->count; i++)
		if (exec->nodes[i].origin == origin)
			return &exec->nodes[i];
	return NULL;
}

static void set_body(struct ct_exec_node *node, struct ct_node_body *body)
{
	ct_body_release(node->body);
	node->body = body;
}

cudaError_t ct_graph_exec_set(struct ct_graph_exec *exec, const struct ct_graph_node *origin,
			      struct ct_node_body *body)
{
	struct ct_exec_node *node = ct_graph_exec_find(exec, origin);

	if (!node || node->body->type != body->type) {
		ct_body_release(body);
		return cudaErrorInvalidValue;
	}
	set_body(node, body);
	return cudaSuccess;
}

static enum cudaGraphExecUpdateResult compare(const struct ct_exec_node *nodes, size_t count,
					      const struct ct_graph_exec *with,
					      const struct ct_graph_node **culprit)
{
	if (with->count > count)
		return cudaGraphExecUpdateErrorTopologyChanged;
	for (size_t i = 0; i < with->count; i++) {
		*culprit = with->nodes[i].origin;
		if (with->nodes[i].body->type != nodes[i].body->type)
			return cudaGraphExecUpdateErrorNodeTypeChanged;
	}
	*culprit = NULL;
	return cudaGraphExecUpdateSuccess;
}

enum cudaGraphExecUpdateResult ct_graph_exec_update(struct ct_graph_exec *exec, size_t first,
						    const struct ct_graph *graph,
						    const struct ct_graph_node **culprit)
{
	enum cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
	struct ct_graph_exec *other;

	*culprit = NULL;
	if (ct_graph_exec_make(graph, 0, &other))
		return result;
	if (!first && other->count != exec->count)
		result = cudaGraphExecUpdateErrorTopologyChanged;
	else
		result = compare(exec->nodes + first, exec->count - first, other, culprit);
	if (result == cudaGraphExecUpdateSuccess)
		for (size_t i = 0; i < other->count; i++)
			set_body(&exec->nodes[first + i], ct_body_hold(other->nodes[i].body));
	ct_graph_exec_destroy(other);
	return result;
}

static void run_graph(struct ct_work *work, cudaError_t device_error)
{
	struct graph_work *graph = (struct graph_work *)work;

	for (size_t i = 0; i < graph->count; i++) {
		if (!device_error)
			ct_body_run(graph->bodies[i]);
		ct_body_release(graph->bodies[i]);
	}
}

static struct graph_work *new_work(const struct ct_graph_exec *exec)
{
	struct graph_work *work =
	    calloc(1, sizeof(*work) + exec->count * sizeof(struct ct_node_body *));

	if (!work)
		return NULL;
	work->work.run = run_graph;
	for (size_t i = 0; i < exec->count; i++)
		if (!exec->nodes[i].disabled)
			work->bodies[work->count++] = ct_body_hold(exec->nodes[i].body);
	return work;
}

/* Does a node before the i-th record the event? */
static int records_before(const struct graph_work *work, size_t i, cudaEvent_t event)
{
	while (i--)
		if (work->bodies[i]->type == cudaGraphNodeTypeEventRecord &&
		    work->bodies[i]->event == event)
			return 1;
	return 0;
}

static cudaError_t wait_for_events(const struct graph_work *work, cudaStream_t stream)
{
	cudaError_t error = cudaSuccess;

	for (size_t i = 0; i < work->count && !error; i++) {
		const struct ct_node_body *body = work->bodies[i];

		if (body->type == cudaGraphNodeTypeWaitEvent &&
		    !records_before(work, i, body->event))
			error = ct_event_wait(stream, body->event);
	}
	return error;
}

static void reach_events(const struct ct_graph_exec *exec, const struct ct_point *point)
{
	for (size_t i = 0; i < exec->count; i++)
		if (exec->nodes[i].body->type == cudaGraphNodeTypeEventRecord &&
		    !exec->nodes[i].disabled)
			ct_event_move(exec->nodes[i].body->event, point);
}

static void discard(struct graph_work *work)
{
	for (size_t i = 0; i < work->count; i++)
		ct_body_release(work->bodies[i]);
	free(work);
}

cudaError_t ct_graph_exec_launch(struct ct_graph_exec *exec, cudaStream_t stream)
{
	struct graph_work *work = new_work(exec);
	struct ct_point point;
	cudaError_t error;

	if (!work)
		return cudaErrorMemoryAllocation;
	error = wait_for_events(work, stream);
	if (!error)
		error = ct_stream_submit(stream, &work->work, &exec->last, &point);
	if (error) {
		discard(work);
		return error;
	}
	reach_events(exec, &point);
	ct_point_release(&exec->last);
	exec->last = point;
	return cudaSuccess;
}
