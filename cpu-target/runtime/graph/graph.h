/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs: nodes of work and what each depends on; executable graphs: bodies
 * of nodes in an order in which they can run one after another.
 *
 * Bodies are shared and never change: setting a node's parameters gives it
 * another body. So a queued launch of a graph keeps what it was given. Graphs
 * are not thread-safe, as in CUDA; bodies may be held by any thread.
 */
#ifndef CT_CPU_TARGET_RUNTIME_GRAPH_GRAPH_H
#define CT_CPU_TARGET_RUNTIME_GRAPH_GRAPH_H

#include "cpu-target/runtime/launch/launch.h"
#include "cpu-target/runtime/memory/copy.h"
#include <cuda_runtime_api.h>
#include <stdint.h>

struct ct_graph;

struct ct_node_body {
	uint32_t references;
	enum cudaGraphNodeType type;
	int priority; /* of a kernel */
	union {
		struct ct_checked_launch *launch;
		struct ct_copy copy;
		struct ct_fill fill;
		struct cudaHostNodeParams host;
		cudaEvent_t event;
		struct ct_graph *child; /* owned */
	};
};

struct ct_graph_node {
	struct ct_graph *graph;
	struct ct_node_body *body;
	struct ct_graph_node **from; /* what it depends on */
	size_t from_count;
	size_t index;                       /* in graph->nodes */
	const struct ct_graph_node *origin; /* in the graph this is a clone of */
	uint32_t mark;                      /* of the walk that is under way */
};

struct ct_graph {
	struct ct_graph_node **nodes; /* in the order of creation */
	size_t count;
	const struct ct_graph *origin;
	unsigned id;
	struct ct_graph_object *objects; /* user objects it holds */
	uint32_t is_child;               /* owned by a node's body */
};

/* Bodies: what nodes do. */

/* With one reference; NULL without memory. */
struct ct_node_body *ct_body_new(enum cudaGraphNodeType type);
struct ct_node_body *ct_body_hold(struct ct_node_body *body);
void ct_body_release(struct ct_node_body *body);
/* Does a node's work, except a child's. */
void ct_body_run(const struct ct_node_body *body);

/* Graphs and their nodes. */

struct ct_graph *ct_graph_new(void);
void ct_graph_destroy(struct ct_graph *graph);
struct ct_graph *ct_graph_clone(const struct ct_graph *graph);

/* A node behind `from`; takes the body over, also on an error. */
cudaError_t ct_graph_add(struct ct_graph *graph, struct ct_graph_node *const *from,
			 size_t from_count, struct ct_node_body *body, struct ct_graph_node **node);
cudaError_t ct_graph_add_edge(struct ct_graph_node *from, struct ct_graph_node *to);
cudaError_t ct_graph_remove_edge(struct ct_graph_node *from, struct ct_graph_node *to);
void ct_graph_remove(struct ct_graph_node *node);

/* All nodes so that each comes behind what it depends on, those created first
 * as early as possible; order has graph->count places. -1 if there is a cycle. */
int ct_graph_sort(const struct ct_graph *graph, struct ct_graph_node **order);

/* Is every one of `nodes` one of `ends` or something that they depend on? */
int ct_graph_leads_to(struct ct_graph_node *const *nodes, size_t count,
		      struct ct_graph_node *const *ends, size_t end_count);

#endif
