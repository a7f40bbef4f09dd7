/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a graph in an order in which they may run. */
#ifndef CT_HOST_RT_GRAPH_ORDER_H
#define CT_HOST_RT_GRAPH_ORDER_H

#include <cuda_runtime_api.h>
#include <stddef.h>

/* All nodes, each behind those that it depends on, otherwise as the graph lists them. The caller
 * frees *nodes. 0, -ENOMEM, or -EINVAL if the graph cannot be looked at. */
int ct_graph_order(cudaGraph_t graph, cudaGraphNode_t **nodes, size_t *count);

#endif
