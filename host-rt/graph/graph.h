/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA graphs: executable ones run the instrumented clones. Calls that return
 * cudaError_t make the real call.
 */
#ifndef CT_HOST_RT_GRAPH_GRAPH_H
#define CT_HOST_RT_GRAPH_GRAPH_H

#include "host-rt/calls/call.h"
#include "host-rt/streams/transfer.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>

/* refused: why nothing can be traced, NULL if it can. */
cudaError_t ct_graphs_instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, const char *refused,
				  cudaError_t (*real)(void *call), void *call);

cudaError_t ct_graphs_update(cudaGraphExec_t exec, cudaGraph_t graph,
			     cudaError_t (*real)(void *call), void *call);

/* The real call that sets a kernel node's parameters. */
typedef cudaError_t ct_graph_set_kernel(struct ct_call *call, cudaGraphExec_t exec,
					cudaGraphNode_t node,
					const struct cudaKernelNodeParams *params);
cudaError_t ct_graphs_set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
				 const struct cudaKernelNodeParams *params,
				 ct_graph_set_kernel *real, struct ct_call *call);

cudaError_t ct_graphs_set_child(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child,
				cudaError_t (*real)(void *call), void *call);
/* After a call that changed what a memcpy or memset node moves. */
void ct_graphs_set_transfer(cudaGraphExec_t exec, cudaGraphNode_t node,
			    struct ct_transfer transfer);
void ct_graphs_set_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, bool enabled);

/* Before the program destroys it. */
void ct_graphs_forget(cudaGraphExec_t exec);

#endif
