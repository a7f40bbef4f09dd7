/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a graph: finding them, deciding on them. */
#include "host-rt/graph/plan.h"
#include "host-rt/calls/driver.h"
#include "host-rt/events/session.h"
#include "host-rt/graph/bodies.h"
#include "host-rt/graph/ids.h"
#include "host-rt/graph/order.h"
#include "host-rt/graph/real.h"
#include "host-rt/launch/captured.h"
#include "host-rt/launch/given.h"
#include <cuda.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* CTAs of a slot are drawn for this number, apart from launch numbers; and its area, apart from
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

/* Reads what the node says beside its parameters. */
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

/* A slot's launches follow one another, as those of a stream do. */
static void take_memory(const struct ct_graph_plan *plan, struct ct_graph_kernel *kernel)
{
	struct ct_decision *d = &kernel->decision;
	uint32_t slot = plan->first + (uint32_t)(kernel - plan->kernels);

	if (!d->reason)
		d->reason = ct_decide_memory(&kernel->call, d, GRAPH_SLOTS + slot, slot);
}

static void keep_given(struct ct_graph_kernel *kernel, void **arguments)
{
	struct ct_launch_call call = kernel->call;

	free(kernel->given);
	call.arguments = arguments;
	kernel->given = arguments && ct_session_options()->check
			    ? ct_given_keep(&call, &kernel->decision)
			    : NULL;
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
	d->site = ct_captured_site(kernel->node, params->func);
	d->reason = ct_decide_kernel(&kernel->call, d);
	if (!d->reason && d->kernel->param_count && !params->kernelParams)
		d->reason = "its arguments are in a packed buffer";
	if (!d->reason && ct_drain_prepare(plan->device) < 0)
		d->reason = "no memory for records";
	if (plan->first != CT_NO_SLOTS)
		take_memory(plan, kernel);
	keep_given(kernel, params->kernelParams);
}

/* refused: why nothing there can be traced. params are NULL if they are not known. */
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
	plan->has_host_functions |= type == cudaGraphNodeTypeHost;
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
		take_memory(plan, &plan->kernels[i]);
	ct_drain_of(device)->has_graphs |= ct_graph_plan_is_traced(plan);
	return plan;
}

void ct_graph_plan_free(struct ct_graph_plan *plan)
{
	if (!plan)
		return;
	ct_graph_transfers_free(&plan->transfers);
	for (uint32_t i = 0; i < plan->count; i++)
		free(plan->kernels[i].given);
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
	ct_sampling_blocks(&sample, ct_session_options(), ct_launch_ctas(&kernel->call),
			   GRAPH_SLOTS + slot);
	return (struct ct_launch){.context = ct_drain_of(plan->device)->context_address,
				  .launch = slot,
				  .flags = CT_LAUNCH_INDIRECT | kernel->decision.counts.flags,
				  .block_period = sample.block_period,
				  .block_offset = sample.block_offset,
				  .clock = kernel->decision.ctas.times,
				  .counters = kernel->decision.counts.counters,
				  .row_bytes = kernel->decision.counts.row_bytes};
}
