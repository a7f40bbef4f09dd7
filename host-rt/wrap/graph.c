/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on executable graphs, and one that makes nodes. */
#include "host-rt/graph/graph.h"
#include "host-rt/graph/bodies.h"
#include "host-rt/graph/launch.h"
#include "host-rt/streams/transfer_shape.h"
#include "host-rt/wrap/do.h"

struct instantiate {
	struct ct_call *call;
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
	struct instantiate *i = user;

	return ct_real_cudaGraphInstantiate(i->call, i->exec, i->graph, i->flags);
}

static cudaError_t real_instantiate_with_flags(void *user)
{
	struct instantiate *i = user;

	return ct_real_cudaGraphInstantiateWithFlags(i->call, i->exec, i->graph, i->flags);
}

static cudaError_t real_instantiate_with_params(void *user)
{
	struct instantiate *i = user;

	return ct_real_cudaGraphInstantiateWithParams(i->call, i->exec, i->graph, i->params);
}

cudaError_t ct_do_cudaGraphInstantiate(struct ct_call *call, cudaGraphExec_t *exec,
				       cudaGraph_t graph, unsigned long long flags)
{
	struct instantiate i = {call, exec, graph, flags, NULL};

	return ct_graphs_instantiate(exec, graph, refusal(flags), real_instantiate, &i);
}

cudaError_t ct_do_cudaGraphInstantiateWithFlags(struct ct_call *call, cudaGraphExec_t *exec,
						cudaGraph_t graph, unsigned long long flags)
{
	struct instantiate i = {call, exec, graph, flags, NULL};

	return ct_graphs_instantiate(exec, graph, refusal(flags), real_instantiate_with_flags, &i);
}

cudaError_t ct_do_cudaGraphInstantiateWithParams(struct ct_call *call, cudaGraphExec_t *exec,
						 cudaGraph_t graph,
						 cudaGraphInstantiateParams *params)
{
	struct instantiate i = {call, exec, graph, 0, params};

	return ct_graphs_instantiate(exec, graph, params ? refusal(params->flags) : NULL,
				     real_instantiate_with_params, &i);
}

cudaError_t ct_do_cudaGraphLaunch(struct ct_call *call, cudaGraphExec_t exec, cudaStream_t stream)
{
	return ct_graphs_launch(call, exec, stream);
}

struct update {
	struct ct_call *call;
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	cudaGraphNode_t node;
	cudaGraphExecUpdateResultInfo *result;
};

static cudaError_t real_update(void *user)
{
	struct update *u = user;

	return ct_real_cudaGraphExecUpdate(u->call, u->exec, u->graph, u->result);
}

static cudaError_t real_set_child(void *user)
{
	struct update *u = user;

	return ct_real_cudaGraphExecChildGraphNodeSetParams(u->call, u->exec, u->node, u->graph);
}

cudaError_t ct_do_cudaGraphExecUpdate(struct ct_call *call, cudaGraphExec_t exec, cudaGraph_t graph,
				      cudaGraphExecUpdateResultInfo *result)
{
	struct update u = {call, exec, graph, NULL, result};

	return ct_graphs_update(exec, graph, real_update, &u);
}

cudaError_t ct_do_cudaGraphExecChildGraphNodeSetParams(struct ct_call *call, cudaGraphExec_t exec,
						       cudaGraphNode_t node, cudaGraph_t child)
{
	struct update u = {call, exec, child, node, NULL};

	return ct_graphs_set_child(exec, node, child, real_set_child, &u);
}

cudaError_t ct_do_cudaGraphExecKernelNodeSetParams(struct ct_call *call, cudaGraphExec_t exec,
						   cudaGraphNode_t node,
						   const struct cudaKernelNodeParams *params)
{
	return ct_graphs_set_kernel(exec, node, params, ct_real_cudaGraphExecKernelNodeSetParams,
				    call);
}

static cudaError_t set_kernel(struct ct_call *call, cudaGraphExec_t exec, cudaGraphNode_t node,
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

	return ct_do_cudaGraphExecKernelNodeSetParams(call, exec, node, &kernel);
}

static cudaError_t set_other(struct ct_call *call, cudaGraphExec_t exec, cudaGraphNode_t node,
			     struct cudaGraphNodeParams *params)
{
	cudaError_t error = ct_real_cudaGraphExecNodeSetParams(call, exec, node, params);
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
		    ct_transfer_of_value(
			ct_transfer_fill_rows((struct ct_rows){fill->dst, fill->pitch},
					      fill->width * fill->elementSize, fill->height, NULL),
			fill->value, fill->elementSize));
	return error;
}

/* Kernels and child graphs go by the specific call, which says the same. */
cudaError_t ct_do_cudaGraphExecNodeSetParams(struct ct_call *call, cudaGraphExec_t exec,
					     cudaGraphNode_t node,
					     struct cudaGraphNodeParams *params)
{
	switch (params ? params->type : cudaGraphNodeTypeEmpty) {
	case cudaGraphNodeTypeKernel:
		return set_kernel(call, exec, node, params);
	case cudaGraphNodeTypeGraph:
		return ct_do_cudaGraphExecChildGraphNodeSetParams(call, exec, node,
								  params->graph.graph);
	default:
		return set_other(call, exec, node, params);
	}
}

cudaError_t ct_do_cudaGraphNodeSetEnabled(struct ct_call *call, cudaGraphExec_t exec,
					  cudaGraphNode_t node, unsigned enabled)
{
	cudaError_t error = ct_real_cudaGraphNodeSetEnabled(call, exec, node, enabled);

	if (error == cudaSuccess)
		ct_graphs_set_enabled(exec, node, enabled != 0);
	return error;
}

cudaError_t ct_do_cudaGraphExecDestroy(struct ct_call *call, cudaGraphExec_t exec)
{
	ct_graphs_forget(exec);
	return ct_real_cudaGraphExecDestroy(call, exec);
}

cudaError_t ct_do_cudaGraphAddNode(struct ct_call *call, cudaGraphNode_t *node, cudaGraph_t graph,
				   const cudaGraphNode_t *dependencies,
				   const cudaGraphEdgeData *edges, size_t count,
				   struct cudaGraphNodeParams *params)
{
	cudaError_t error =
	    ct_real_cudaGraphAddNode(call, node, graph, dependencies, edges, count, params);

	if (error == cudaSuccess && params->type == cudaGraphNodeTypeConditional)
		ct_graph_bodies_note(*node, params->conditional.phGraph_out,
				     params->conditional.size);
	return error;
}
