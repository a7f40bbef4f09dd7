/* SPDX-License-Identifier: Apache-2.0 */
/* Clones in the place of a graph's kernels, for a moment. */
#include "host-rt/graph/clones.h"
#include "host-rt/base/say.h"
#include "host-rt/graph/real.h"
#include <string.h>

/* Attributes are set again as well: nothing promises that they outlive a change of parameters. */
static cudaError_t set_node(const struct ct_graph_kernel *kernel,
			    const struct cudaKernelNodeParams *params)
{
	cudaError_t error = cudaGraphKernelNodeSetParams(kernel->node, params);

	if (error == cudaSuccess)
		error = cudaGraphKernelNodeCopyAttributes(kernel->node, kernel->kept);
	return error;
}

/* The program's parameters again. */
static bool put_back(const struct ct_graph_kernel *kernel)
{
	struct cudaKernelNodeParams params;

	return cudaGraphKernelNodeGetParams(kernel->kept, &params) == cudaSuccess &&
	       set_node(kernel, &params) == cudaSuccess;
}

/* The clone's parameters, from the program's; with one more argument. */
static cudaError_t put_clone(const struct ct_graph_plan *plan, struct ct_graph_kernel *kernel)
{
	const struct ct_kernel *which = kernel->decision.kernel;
	struct ct_launch block = ct_graph_plan_block(plan, kernel);
	void *arguments[which->param_count + 1];
	struct cudaKernelNodeParams params;
	cudaError_t error = cudaGraphKernelNodeGetParams(kernel->node, &params);

	if (error == cudaSuccess)
		error = cudaGraphAddKernelNode(&kernel->kept, plan->keeper, NULL, 0, &params);
	if (error == cudaSuccess)
		error = cudaGraphKernelNodeCopyAttributes(kernel->kept, kernel->node);
	/* The node's own copy goes when it is set: read from the other. */
	if (error == cudaSuccess)
		error = cudaGraphKernelNodeGetParams(kernel->kept, &params);
	if (error != cudaSuccess)
		return error;
	if (which->param_count)
		memcpy(arguments, params.kernelParams, which->param_count * sizeof(*arguments));
	arguments[which->param_count] = &block;
	params.func = (void *)(uintptr_t)ct_image_code(which);
	params.kernelParams = arguments;
	params.extra = NULL;
	error = set_node(kernel, &params);
	if (error != cudaSuccess)
		put_back(kernel);
	return error;
}

void ct_graph_clones_put(struct ct_graph_plan *plan)
{
	if (!ct_graph_plan_is_traced(plan))
		return;
	if (cudaGraphCreate(&plan->keeper, 0) != cudaSuccess) {
		ct_graph_plan_refuse(plan, "out of memory");
		return;
	}
	for (uint32_t i = 0; i < plan->count; i++) {
		struct ct_graph_kernel *kernel = &plan->kernels[i];

		if (kernel->decision.reason)
			continue;
		kernel->is_clone = put_clone(plan, kernel) == cudaSuccess;
		if (!kernel->is_clone)
			kernel->decision.reason = "the node does not take the instrumented kernel";
	}
}

void ct_graph_clones_take(struct ct_graph_plan *plan)
{
	for (uint32_t i = 0; i < plan->count; i++) {
		struct ct_graph_kernel *kernel = &plan->kernels[i];

		if (kernel->is_clone && !put_back(kernel))
			ct_say("a graph's node keeps the instrumented %s; accesses of later "
			       "instances of the graph may count for this one",
			       kernel->decision.kernel->name);
		kernel->is_clone = false;
	}
	if (plan->keeper)
		cudaGraphDestroy(plan->keeper);
	plan->keeper = NULL;
}
