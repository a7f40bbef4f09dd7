/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of graph nodes from the API's parameters, after their checks. */
#ifndef CT_CPU_TARGET_RUNTIME_GRAPH_PARAMS_H
#define CT_CPU_TARGET_RUNTIME_GRAPH_PARAMS_H

#include "cpu-target/runtime/graph/graph.h"

cudaError_t ct_body_of_kernel(const struct cudaKernelNodeParams *params,
			      struct ct_node_body **body);
cudaError_t ct_body_of_launch(const struct ct_launch_request *request, struct ct_node_body **body);
cudaError_t ct_body_of_copy(const struct ct_copy *copy, struct ct_node_body **body);
cudaError_t ct_body_of_3d(const struct cudaMemcpy3DParms *params, struct ct_node_body **body);
cudaError_t ct_body_of_1d(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
			  struct ct_node_body **body);
cudaError_t ct_body_of_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset,
				 enum cudaMemcpyKind kind, struct ct_node_body **body);
cudaError_t ct_body_of_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset,
				   enum cudaMemcpyKind kind, struct ct_node_body **body);
cudaError_t ct_body_of_memset(const struct cudaMemsetParams *params, struct ct_node_body **body);
cudaError_t ct_body_of_host(const struct cudaHostNodeParams *params, struct ct_node_body **body);
cudaError_t ct_body_of_event(enum cudaGraphNodeType type, cudaEvent_t event,
			     struct ct_node_body **body);
/* child: a copy of it. */
cudaError_t ct_body_of_child(const struct ct_graph *child, struct ct_node_body **body);
/* Takes the parameters of cudaGraphAddNode and its like. */
cudaError_t ct_body_of_any(const struct cudaGraphNodeParams *params, struct ct_node_body **body);

#endif
