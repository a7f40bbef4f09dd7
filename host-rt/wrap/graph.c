/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped calls on executable graphs. */
#include "host-rt/graph/graph.h"
#include "host-rt/calls/real.h"
#include "host-rt/graph/bodies.h"
#include "host-rt/graph/launch.h"
#include "host-rt/streams/transfer_shape.h"
#include <string.h>

struct instantiate {
	cudaGraphExec_t *exec;
	cudaGraph_t graph;
	unsigned long long flags;
	cudaGraphInstantiateParams *params;
};

/* Launched from the device, no launch would be seen and no launch id could be set. */
static const char *refusal(unsigned long long flags)
{
	return flags & cudaGraphInstantiateFlagDeviceLaunch
		   ? "the graph can be launched from the device"
		   : NULL;
}

static cudaError_t real_instantiate(void *user)
{
	struct instantiate *call = user;

	return __real_cudaGraphInstantiate(call->exec, call->graph, call->flags);
}

static cudaError_t real_instantiate_with_flags(void *user)
{
	struct instantiate *call = user;

	return __real_cudaGraphInstantiateWithFlags(call->exec, call->graph, call->flags);
}

static cudaError_t real_instantiate_with_params(void *user)
{
	struct instantiate *call = user;

	return __real_cudaGraphInstantiateWithParams(call->exec, call->graph, call->params);
}

static cudaError_t real_instantiate_with_params_ptsz(void *user)
{
	struct instantiate *call = user;

	return __real_cudaGraphInstantiateWithParams_ptsz(call->exec, call->graph, call->params);
}

cudaError_t __wrap_cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
					unsigned long long flags)
{
	struct instantiate call = {exec, graph, flags, NULL};

	return ct_graphs_instantiate(exec, graph, refusal(flags), real_instantiate, &call);
}

cudaError_t __wrap_cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
						 unsigned long long flags)
{
	struct instantiate call = {exec, graph, flags, NULL};

	return ct_graphs_instantiate(exec, graph, refusal(flags), real_instantiate_with_flags,
				     &call);
}

cudaError_t __wrap_cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
						  cudaGraphInstantiateParams *params)
{
	struct instantiate call = {exec, graph, 0, params};

	return ct_graphs_instantiate(exec, graph, params ? refusal(params->flags) : NULL,
				     real_instantiate_with_params, &call);
}

cudaError_t __wrap_cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *exec, cudaGraph_t graph,
						       cudaGraphInstantiateParams *params)
{
	struct instantiate call = {exec, graph, 0, params};

	return ct_graphs_instantiate(exec, graph, params ? refusal(params->flags) : NULL,
				     real_instantiate_with_params_ptsz, &call);
}

cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	return ct_graphs_launch(exec, stream, false, __real_cudaGraphLaunch);
}

cudaError_t __wrap_cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream)
{
	return ct_graphs_launch(exec, stream, true, __real_cudaGraphLaunch_ptsz);
}

struct update {
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	cudaGraphNode_t node;
	cudaGraphExecUpdateResultInfo *result;
};

static cudaError_t real_update(void *user)
{
	struct update *call = user;

	return __real_cudaGraphExecUpdate(call->exec, call->graph, call->result);
}

static cudaError_t real_set_child(void *user)
{
	struct update *call = user;

	return __real_cudaGraphExecChildGraphNodeSetParams(call->exec, call->node, call->graph);
}

cudaError_t __wrap_cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
				       cudaGraphExecUpdateResultInfo *result)
{
	struct update call = {exec, graph, NULL, result};

	return ct_graphs_update(exec, graph, real_update, &call);
}

cudaError_t __wrap_cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
							cudaGraph_t child)
{
	struct update call = {exec, child, node, NULL};

	return ct_graphs_set_child(exec, node, child, real_set_child, &call);
}

cudaError_t __wrap_cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
						    const struct cudaKernelNodeParams *params)
{
	return ct_graphs_set_kernel(exec, node, params, __real_cudaGraphExecKernelNodeSetParams);
}

static cudaError_t set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
			      const struct cudaGraphNodeParams *params)
{
	struct cudaKernelNodeParams kernel = {
	    .func = params->kernel.func,
	    .gridDim = params->kernel.gridDim,
	    .blockDim = params->kernel.blockDim,
	    .sharedMemBytes = params->kernel.sharedMemBytes,
	    .kernelParams = params->kernel.kernelParams,
	    .extra = params->kernel.extra,
	};

	return __wrap_cudaGraphExecKernelNodeSetParams(exec, node, &kernel);
}

static cudaError_t set_other(cudaGraphExec_t exec, cudaGraphNode_t node,
			     struct cudaGraphNodeParams *params)
{
	cudaError_t error = __real_cudaGraphExecNodeSetParams(exec, node, params);
	const struct cudaMemsetParamsV2 *fill;

	if (error != cudaSuccess)
		return error;
	fill = &params->memset;
	if (params->type == cudaGraphNodeTypeMemcpy)
		ct_graphs_set_transfer(exec, node,
				       ct_transfer_slices(&params->memcpy.copyParams, NULL));
	if (params->type == cudaGraphNodeTypeMemset)
		ct_graphs_set_transfer(
		    exec, node,
		    ct_transfer_fill_rows((struct ct_rows){fill->dst, fill->pitch},
					  fill->width * fill->elementSize, fill->height, NULL));
	return error;
}

/* Kernels and child graphs go by the specific call, which says the same. */
cudaError_t __wrap_cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					      struct cudaGraphNodeParams *params)
{
	switch (params ? params->type : cudaGraphNodeTypeEmpty) {
	case cudaGraphNodeTypeKernel:
		return set_kernel(exec, node, params);
	case cudaGraphNodeTypeGraph:
		return __wrap_cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
	default:
		return set_other(exec, node, params);
	}
}

cudaError_t __wrap_cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
					   unsigned int enabled)
{
	cudaError_t error = __real_cudaGraphNodeSetEnabled(exec, node, enabled);

	if (error == cudaSuccess)
		ct_graphs_set_enabled(exec, node, enabled != 0);
	return error;
}

cudaError_t __wrap_cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	ct_graphs_forget(exec);
	return __real_cudaGraphExecDestroy(exec);
}

cudaError_t __wrap_cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
				    const cudaGraphNode_t *dependencies,
				    const cudaGraphEdgeData *edges, size_t count,
				    struct cudaGraphNodeParams *params)
{
	cudaError_t error =
	    __real_cudaGraphAddNode(node, graph, dependencies, edges, count, params);

	if (error == cudaSuccess && params->type == cudaGraphNodeTypeConditional)
		ct_graph_bodies_note(*node, params->conditional.phGraph_out,
				     params->conditional.size);
	return error;
}
