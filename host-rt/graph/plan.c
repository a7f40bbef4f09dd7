/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a graph: finding them, deciding on them, clones in their place for a moment. */
#include "host-rt/graph/plan.h"
#include "host-rt/base/driver_calls.h"
#include "host-rt/base/say.h"
#include "host-rt/events/session.h"
#include "host-rt/graph/bodies.h"
#include "host-rt/graph/ids.h"
#include "host-rt/graph/order.h"
#include "host-rt/graph/real.h"
#include "host-rt/graph/sites.h"
#include <cuda.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the CTAs of a slot are drawn for, apart from launch numbers; and its area, apart from
 * streams'. */
#define GRAPH_SLOTS (1ull << 32)

static struct ct_graph_kernel *add_kernel(struct ct_graph_plan *plan)
{
	if (plan->count == plan->room) {
		uint32_t room = plan->room ? 2 * plan->room : 16;
		struct ct_graph_kernel *grown =
		    realloc(plan->kernels, room * sizeof(*plan->kernels));

		if (!grown)
			return NULL;
		plan->kernels = grown;
		plan->room = room;
	}
	memset(&plan->kernels[plan->count], 0, sizeof(*plan->kernels));
	return &plan->kernels[plan->count++];
}

/* What the node says beside its parameters. */
static void read_attributes(struct ct_graph_kernel *kernel)
{
	cudaLaunchAttributeValue value;

	if (!cudaGraphKernelNodeGetAttribute)
		return;
	if (cudaGraphKernelNodeGetAttribute(kernel->node, cudaLaunchAttributeClusterDimension,
					    &value) == cudaSuccess &&
	    value.clusterDim.x)
		kernel->call.cluster =
		    (dim3){value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
	if (cudaGraphKernelNodeGetAttribute(kernel->node, cudaLaunchAttributeCooperative, &value) ==
	    cudaSuccess)
		kernel->call.cooperative = value.cooperative != 0;
}

/* A clone's launch block is that of the device that was current when the graph
 * was instantiated. Only the driver tells where a node runs. */
static bool is_elsewhere(cudaGraphNode_t node)
{
	__typeof__(&cuGraphKernelNodeGetParams) get_params;
	__typeof__(&cuCtxGetCurrent) get_current;
	CUDA_KERNEL_NODE_PARAMS params;
	CUcontext current = NULL;
	int devices = 0;

	if (cudaGetDeviceCount(&devices) == cudaSuccess && devices == 1)
		return false;
	get_params = ct_driver_ask("cuGraphKernelNodeGetParams");
	get_current = ct_driver_ask("cuCtxGetCurrent");
	memset(&params, 0, sizeof(params));
	return !get_params || !get_current || get_current(&current) != CUDA_SUCCESS ||
	       get_params((CUgraphNode)node, &params) != CUDA_SUCCESS || params.ctx != current;
}

/* Tier counts: a slot's launches follow one another, as those of a stream do. */
static void take_area(const struct ct_graph_plan *plan, struct ct_graph_kernel *kernel)
{
	struct ct_decision *d = &kernel->decision;
	uint64_t slot = plan->first + (uint64_t)(kernel - plan->kernels);

	if (!d->reason && ct_session_options()->tier_number == CT_TIER_COUNTS)
		d->reason = ct_counts_take(plan->device, GRAPH_SLOTS + slot, true,
					   d->kernel->unit_id, d->image->unit_arch, &d->counts);
}

void ct_graph_plan_decide(const struct ct_graph_plan *plan, struct ct_graph_kernel *kernel,
			  const struct cudaKernelNodeParams *params)
{
	struct ct_decision *d = &kernel->decision;

	kernel->call.function = params->func;
	kernel->call.grid = params->gridDim;
	kernel->call.block = params->blockDim;
	kernel->call.shared_bytes = params->sharedMemBytes;
	kernel->call.refused = kernel->refused ? kernel->refused : plan->refused;
	d->device = plan->device;
	d->site = ct_graph_sites_of(kernel->node, params->func);
	d->reason = ct_decide_kernel(&kernel->call, d);
	if (!d->reason && d->kernel->param_count && !params->kernelParams)
		d->reason = "its arguments are in a packed buffer";
	if (!d->reason && ct_device_prepare(plan->device) < 0)
		d->reason = "no memory for records";
	if (plan->first != CT_NO_SLOTS)
		take_area(plan, kernel);
}

/* refused: why nothing there can be traced. params are NULL if they cannot be told. */
static int add(struct ct_graph_plan *plan, cudaGraphNode_t node, cudaGraphNode_t owner,
	       const char *refused, const struct cudaKernelNodeParams *params)
{
	static const struct cudaKernelNodeParams unknown;
	struct ct_graph_kernel *kernel = add_kernel(plan);

	if (!kernel)
		return -ENOMEM;
	kernel->node = node;
	kernel->owner = owner;
	kernel->refused = refused;
	kernel->call.cluster = (dim3){1, 1, 1};
	if (params)
		read_attributes(kernel);
	if (params && !refused && is_elsewhere(node))
		kernel->refused = "its node may be of another device than the graph";
	ct_graph_plan_decide(plan, kernel, params ? params : &unknown);
	return 0;
}

static int collect(struct ct_graph_plan *plan, cudaGraph_t graph, cudaGraphNode_t owner,
		   const char *refused);

static int collect_kernel(struct ct_graph_plan *plan, cudaGraphNode_t node, cudaGraphNode_t owner,
			  const char *refused)
{
	struct cudaKernelNodeParams params;

	memset(&params, 0, sizeof(params));
	/* Fails for kernels that the CUDA runtime of this program has not registered. */
	if (cudaGraphKernelNodeGetParams(node, &params) != cudaSuccess)
		return add(plan, node, owner, refused, NULL);
	return add(plan, node, owner, refused, &params);
}

static int collect_bodies(struct ct_graph_plan *plan, cudaGraphNode_t node, cudaGraphNode_t owner)
{
	cudaGraph_t body = ct_graph_bodies_of(node, 0);
	int err = 0;

	plan->has_conditions = true;
	if (!body) {
		err = add(plan, node, owner, NULL, NULL);
		if (!err)
			plan->kernels[plan->count - 1].decision.reason =
			    "a conditional node: what it runs is not known";
	}
	for (uint32_t i = 0; !err && body; body = ct_graph_bodies_of(node, ++i))
		err = collect(plan, body, owner,
			      "in a conditional node: how often it runs is not known");
	return err;
}

static int collect_node(struct ct_graph_plan *plan, cudaGraphNode_t node, cudaGraphNode_t owner,
			const char *refused)
{
	enum cudaGraphNodeType type;
	cudaGraph_t child;

	if (cudaGraphNodeGetType(node, &type) != cudaSuccess)
		return -EINVAL;
	if (type == cudaGraphNodeTypeKernel)
		return collect_kernel(plan, node, owner, refused);
	if (type == cudaGraphNodeTypeConditional)
		return collect_bodies(plan, node, owner);
	if ((type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset) && !refused)
		return ct_graph_transfers_add(&plan->transfers, node, type, owner, plan->count);
	if (type == cudaGraphNodeTypeGraph &&
	    cudaGraphChildGraphNodeGetGraph(node, &child) == cudaSuccess)
		return collect(plan, child, owner ? owner : node, refused);
	return 0;
}

static int collect(struct ct_graph_plan *plan, cudaGraph_t graph, cudaGraphNode_t owner,
		   const char *refused)
{
	cudaGraphNode_t *nodes;
	size_t count = 0;
	int err = ct_graph_order(graph, &nodes, &count);

	for (size_t i = 0; !err && i < count; i++)
		err = collect_node(plan, nodes[i], owner, refused);
	free(nodes);
	return err;
}

void ct_graph_plan_refuse(struct ct_graph_plan *plan, const char *reason)
{
	for (uint32_t i = 0; i < plan->count; i++)
		if (!plan->kernels[i].decision.reason)
			plan->kernels[i].decision.reason = reason;
}

bool ct_graph_plan_is_traced(const struct ct_graph_plan *plan)
{
	for (uint32_t i = 0; i < plan->count; i++)
		if (!plan->kernels[i].decision.reason)
			return true;
	return false;
}

/* Pristine kernels have slots as well: an update may trace them. */
struct ct_graph_plan *ct_graph_plan_make(struct ct_device *device, cudaGraph_t graph,
					 const struct ct_graph_plan *old, const char *refused)
{
	struct ct_graph_plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return NULL;
	plan->device = device;
	plan->generation = device->generation;
	plan->refused = old ? old->refused : refused;
	plan->first = CT_NO_SLOTS; /* not known yet */
	if (collect(plan, graph, NULL, NULL) < 0) {
		ct_graph_plan_free(plan);
		return NULL;
	}
	if (!old)
		plan->first = ct_graph_ids_take(device, plan->count);
	else
		plan->first = old->count == plan->count ? old->first : CT_NO_SLOTS;
	if (plan->first == CT_NO_SLOTS && !plan->refused)
		plan->refused = "too many kernels in executable graphs";
	if (plan->refused)
		ct_graph_plan_refuse(plan, plan->refused);
	/* Seen on an H200: what a clone sets takes effect one launch late. */
	if (plan->has_conditions)
		ct_graph_plan_refuse(plan, "beside a conditional node, whose condition it may set");
	for (uint32_t i = 0; plan->first != CT_NO_SLOTS && i < plan->count; i++)
		take_area(plan, &plan->kernels[i]);
	device->has_graphs |= ct_graph_plan_is_traced(plan);
	return plan;
}

void ct_graph_plan_free(struct ct_graph_plan *plan)
{
	if (!plan)
		return;
	ct_graph_transfers_free(&plan->transfers);
	free(plan->kernels);
	free(plan);
}

void ct_graph_plan_child(const struct ct_graph_plan *plan, cudaGraphNode_t owner, uint32_t *first,
			 uint32_t *count)
{
	*first = *count = 0;
	while (*first < plan->count && plan->kernels[*first].owner != owner)
		++*first;
	while (*first + *count < plan->count && plan->kernels[*first + *count].owner == owner)
		++*count;
}

struct ct_graph_kernel *ct_graph_plan_find(struct ct_graph_plan *plan, cudaGraphNode_t node)
{
	for (uint32_t i = 0; i < plan->count; i++)
		if (plan->kernels[i].node == node)
			return &plan->kernels[i];
	return NULL;
}

struct ct_launch ct_graph_plan_block(const struct ct_graph_plan *plan,
				     const struct ct_graph_kernel *kernel)
{
	uint32_t slot = plan->first + (uint32_t)(kernel - plan->kernels);
	struct ct_sample sample = {0};

	/* Parameters outlive a launch: the slot's CTAs are the same in all of them. */
	ct_sampling_blocks(&sample, ct_session_options(), GRAPH_SLOTS + slot);
	return (struct ct_launch){.context = plan->device->context_address,
				  .launch = slot,
				  .flags = CT_LAUNCH_INDIRECT | kernel->decision.counts.flags,
				  .block_period = sample.block_period,
				  .block_offset = sample.block_offset};
}

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
	params.func = (void *)(uintptr_t)which->clone;
	params.kernelParams = arguments;
	params.extra = NULL;
	error = set_node(kernel, &params);
	if (error != cudaSuccess)
		put_back(kernel);
	return error;
}

void ct_graph_plan_swap_in(struct ct_graph_plan *plan)
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

void ct_graph_plan_swap_out(struct ct_graph_plan *plan)
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
