/* SPDX-License-Identifier: Apache-2.0 */
/* Body graphs of conditional nodes, which CUDA only tells when it makes the node. Any thread. */
#ifndef CT_HOST_RT_GRAPH_BODIES_H
#define CT_HOST_RT_GRAPH_BODIES_H

#include <cuda_runtime_api.h>
#include <stdint.h>

void ct_graph_bodies_note(cudaGraphNode_t node, const cudaGraph_t *bodies, uint32_t count);

/* The index-th body of a node; NULL past the last, or if they are not known. */
cudaGraph_t ct_graph_bodies_of(cudaGraphNode_t node, uint32_t index);

#endif
