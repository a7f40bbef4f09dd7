/* SPDX-License-Identifier: Apache-2.0 */
/* Executable graphs: made from a graph, changed node by node, launched. */
#ifndef CT_CPU_TARGET_RUNTIME_GRAPH_EXEC_H
#define CT_CPU_TARGET_RUNTIME_GRAPH_EXEC_H

#include "cpu-target/runtime/graph/graph.h"
#include "cpu-target/runtime/stream/stream.h"

struct ct_exec_node {
	const struct ct_graph_node *origin; /* names it; may be gone */
	struct ct_node_body *body;
	uint32_t disabled;
};

struct ct_graph_exec {
	struct ct_exec_node *nodes; /* in the order in which they run, those of children too */
	size_t count;
	unsigned long long flags;
	struct ct_point last; /* its last launch: the next one waits for it, in whatever stream */
};

cudaError_t ct_graph_exec_make(const struct ct_graph *graph, unsigned long long flags,
			       struct ct_graph_exec **exec);
void ct_graph_exec_destroy(struct ct_graph_exec *exec);

/* The node made from origin, or NULL. */
struct ct_exec_node *ct_graph_exec_find(struct ct_graph_exec *exec,
					const struct ct_graph_node *origin);
/* Another body of the same type; taken over, also on an error. */
cudaError_t ct_graph_exec_set(struct ct_graph_exec *exec, const struct ct_graph_node *origin,
			      struct ct_node_body *body);

/* Takes over the parameters of a graph of the same shape; `first` is where its
 * nodes begin in exec (0, or the first node of a child). */
enum cudaGraphExecUpdateResult ct_graph_exec_update(struct ct_graph_exec *exec, size_t first,
						    const struct ct_graph *graph,
						    const struct ct_graph_node **culprit);

/* Queues all of it as one piece of work. */
cudaError_t ct_graph_exec_launch(struct ct_graph_exec *exec, cudaStream_t stream);

#endif
