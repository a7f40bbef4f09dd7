/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that change what a memcpy or memset node of an executable graph moves. */
#include "host-rt/graph/graph.h"
#include "host-rt/streams/transfer_shape.h"
#include "host-rt/wrap/do.h"

static cudaError_t changed(cudaError_t error, cudaGraphExec_t exec, cudaGraphNode_t node,
			   struct ct_transfer transfer)
{
	if (error == cudaSuccess)
		ct_graphs_set_transfer(exec, node, transfer);
	return error;
}

cudaError_t ct_do_cudaGraphExecMemcpyNodeSetParams(struct ct_call *call, cudaGraphExec_t exec,
						   cudaGraphNode_t node,
						   const struct cudaMemcpy3DParms *params)
{
	return changed(ct_real_cudaGraphExecMemcpyNodeSetParams(call, exec, node, params), exec,
		       node, ct_transfer_slices(params, NULL));
}

cudaError_t ct_do_cudaGraphExecMemcpyNodeSetParams1D(struct ct_call *call, cudaGraphExec_t exec,
						     cudaGraphNode_t node, void *to,
						     const void *from, size_t bytes,
						     enum cudaMemcpyKind kind)
{
	return changed(
	    ct_real_cudaGraphExecMemcpyNodeSetParams1D(call, exec, node, to, from, bytes, kind),
	    exec, node, ct_transfer_linear(to, from, bytes, kind, NULL));
}

cudaError_t ct_do_cudaGraphExecMemcpyNodeSetParamsToSymbol(struct ct_call *call,
							   cudaGraphExec_t exec,
							   cudaGraphNode_t node, const void *symbol,
							   const void *from, size_t bytes,
							   size_t offset, enum cudaMemcpyKind kind)
{
	return changed(ct_real_cudaGraphExecMemcpyNodeSetParamsToSymbol(call, exec, node, symbol,
									from, bytes, offset, kind),
		       exec, node, ct_transfer_to_symbol(symbol, offset, from, bytes, kind, NULL));
}

cudaError_t ct_do_cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    struct ct_call *call, cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *symbol,
    size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
	return changed(ct_real_cudaGraphExecMemcpyNodeSetParamsFromSymbol(
			   call, exec, node, to, symbol, bytes, offset, kind),
		       exec, node, ct_transfer_from_symbol(to, symbol, offset, bytes, kind, NULL));
}

cudaError_t ct_do_cudaGraphExecMemsetNodeSetParams(struct ct_call *call, cudaGraphExec_t exec,
						   cudaGraphNode_t node,
						   const struct cudaMemsetParams *params)
{
	cudaError_t error = ct_real_cudaGraphExecMemsetNodeSetParams(call, exec, node, params);

	if (error != cudaSuccess)
		return error;
	return changed(
	    error, exec, node,
	    ct_transfer_of_value(ct_transfer_fill_rows((struct ct_rows){params->dst, params->pitch},
						       params->width * params->elementSize,
						       params->height, NULL),
				 params->value, params->elementSize));
}
