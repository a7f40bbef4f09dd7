/* SPDX-License-Identifier: Apache-2.0 */
/* Stands around the calls that make, change and destroy executable graphs. */
#include "host-rt/graph/graph.h"
#include "host-rt/base/quiet.h"
#include "host-rt/events/session.h"
#include "host-rt/graph/clones.h"
#include "host-rt/graph/execs.h"
#include "host-rt/graph/ids.h"
#include "host-rt/streams/order.h"
#include <string.h>

/* The real call with the clones in the graph; if that fails, as the program has it. */
static cudaError_t with_clones(struct ct_graph_plan *plan, cudaError_t (*real)(void *call),
			       void *call)
{
	cudaError_t pending = cudaPeekAtLastError(), error;
	struct ct_quiet quiet;

	if (!plan || !ct_graph_plan_is_traced(plan))
		return real(call);
	ct_quiet_begin(&quiet);
	ct_graph_clones_put(plan);
	ct_quiet_end(&quiet);
	error = real(call);
	ct_quiet_begin(&quiet);
	ct_graph_clones_take(plan);
	ct_quiet_end(&quiet);
	if (error == cudaSuccess)
		return error;
	if (pending == cudaSuccess)
		(void)cudaGetLastError();
	ct_graph_plan_refuse(plan, "the graph does not take the instrumented kernels");
	return real(call);
}

static struct ct_graph_plan *make(cudaGraph_t graph, const struct ct_graph_plan *old,
				  const char *refused)
{
	struct ct_graph_plan *plan = NULL;
	struct ct_device *device;
	struct ct_quiet quiet;

	ct_quiet_begin(&quiet);
	device = ct_session_is_active() ? ct_device_current() : NULL;
	if (device)
		plan = ct_graph_plan_make(device, graph, old, refused);
	ct_quiet_end(&quiet);
	return plan;
}

cudaError_t ct_graphs_instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, const char *refused,
				  cudaError_t (*real)(void *call), void *call)
{
	struct ct_graph_plan *plan;
	cudaError_t error;

	if (!ct_session_is_active())
		return real(call);
	ct_session_lock();
	plan = make(graph, NULL, refused);
	error = with_clones(plan, real, call);
	if (plan && error == cudaSuccess)
		ct_graph_execs_insert(plan, *exec);
	else
		ct_graph_execs_discard(plan, NULL);
	ct_session_unlock();
	return error;
}

cudaError_t ct_graphs_update(cudaGraphExec_t exec, cudaGraph_t graph,
			     cudaError_t (*real)(void *call), void *call)
{
	struct ct_graph_plan *old, *plan;
	cudaError_t error;

	if (!ct_session_is_open())
		return real(call);
	ct_session_lock();
	old = ct_graph_execs_find(exec);
	plan = old ? make(graph, old, NULL) : NULL;
	error = with_clones(plan, real, call);
	if (plan && error == cudaSuccess) {
		plan->done = old->done;
		plan->is_launched = old->is_launched;
		plan->last_stream = old->last_stream;
		if (plan->first == old->first)
			old->first = CT_NO_SLOTS;
		ct_graph_execs_insert(plan, exec);
	} else {
		ct_graph_execs_discard(plan, old);
	}
	ct_session_unlock();
	return error;
}

/* Tracing may have become impossible, or possible, for what the node runs now. */
static cudaError_t set_params(const struct ct_graph_plan *plan, struct ct_graph_kernel *kernel,
			      const struct cudaKernelNodeParams *params, ct_graph_set_kernel *real,
			      struct ct_call *call)
{
	cudaError_t pending = cudaPeekAtLastError(), error;
	const struct ct_kernel *which = kernel->decision.kernel;
	uint32_t count = which ? which->param_count : 0;
	struct cudaKernelNodeParams clone = *params;
	struct ct_launch block = ct_graph_plan_block(plan, kernel);
	void *arguments[count + 1];

	if (!kernel->decision.reason) {
		if (count)
			memcpy(arguments, params->kernelParams, count * sizeof(*arguments));
		arguments[count] = &block;
		clone.func = (void *)(uintptr_t)ct_image_code(which);
		clone.kernelParams = arguments;
		error = real(call, plan->exec, kernel->node, &clone);
		if (error == cudaSuccess)
			return error;
		if (pending == cudaSuccess)
			(void)cudaGetLastError();
		kernel->decision.reason = "the graph does not take the instrumented kernel";
	}
	return real(call, plan->exec, kernel->node, params);
}

/* The nodes of the graph that was instantiated stay the names of its kernels. */
static void take_over(struct ct_graph_kernel *to, struct ct_graph_kernel *from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct ct_given *given = to[i].given;

		to[i].call = from[i].call;
		to[i].decision = from[i].decision;
		to[i].given = from[i].given;
		from[i].given = given;
	}
}

cudaError_t ct_graphs_set_child(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child,
				cudaError_t (*real)(void *call), void *call)
{
	struct ct_graph_plan *plan, *part = NULL, place;
	uint32_t first, count;
	cudaError_t error;

	if (!ct_session_is_open())
		return real(call);
	ct_session_lock();
	plan = ct_graph_execs_find(exec);
	if (plan) {
		ct_graph_plan_child(plan, node, &first, &count);
		place = *plan;
		place.count = count;
		place.first = plan->first == CT_NO_SLOTS ? CT_NO_SLOTS : plan->first + first;
		part = make(child, &place, NULL);
	}
	error = with_clones(part, real, call);
	if (part && error == cudaSuccess && part->count == count)
		take_over(plan->kernels + first, part->kernels, count);
	if (part && error == cudaSuccess)
		ct_graph_transfers_take_over(&plan->transfers, node, &part->transfers);
	ct_graph_plan_free(part);
	ct_session_unlock();
	return error;
}

cudaError_t ct_graphs_set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
				 const struct cudaKernelNodeParams *params,
				 ct_graph_set_kernel *real, struct ct_call *call)
{
	struct ct_graph_kernel *kernel = NULL, before;
	struct ct_graph_plan *plan;
	struct ct_quiet quiet;
	cudaError_t error;

	if (!ct_session_is_open() || !params)
		return real(call, exec, node, params);
	ct_session_lock();
	plan = ct_graph_execs_find(exec);
	if (plan)
		kernel = ct_graph_plan_find(plan, node);
	if (!kernel) {
		ct_session_unlock();
		return real(call, exec, node, params);
	}
	before = *kernel;
	ct_quiet_begin(&quiet);
	ct_graph_plan_decide(plan, kernel, params);
	ct_quiet_end(&quiet);
	error = set_params(plan, kernel, params, real, call);
	if (error != cudaSuccess)
		*kernel = before;
	ct_session_unlock();
	return error;
}

void ct_graphs_set_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, bool enabled)
{
	struct ct_graph_transfer *transfer;
	struct ct_graph_kernel *kernel;
	struct ct_graph_plan *plan;

	if (!ct_session_is_open())
		return;
	ct_session_lock();
	plan = ct_graph_execs_find(exec);
	kernel = plan ? ct_graph_plan_find(plan, node) : NULL;
	transfer = plan ? ct_graph_transfers_find(&plan->transfers, node) : NULL;
	if (kernel)
		kernel->disabled = !enabled;
	if (transfer)
		transfer->disabled = !enabled;
	ct_session_unlock();
}

void ct_graphs_set_transfer(cudaGraphExec_t exec, cudaGraphNode_t node, struct ct_transfer transfer)
{
	struct ct_graph_transfer *known;
	struct ct_graph_plan *plan;
	struct ct_quiet quiet;

	if (!ct_session_is_open())
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	plan = ct_graph_execs_find(exec);
	known = plan ? ct_graph_transfers_find(&plan->transfers, node) : NULL;
	if (known && ct_transfer_resolve(&transfer))
		known->transfer = transfer;
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

void ct_graphs_forget(cudaGraphExec_t exec)
{
	struct ct_quiet quiet;

	if (!ct_session_is_open())
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	ct_graph_execs_drop(exec);
	ct_order_drop(exec);
	ct_session_unlock();
	ct_quiet_end(&quiet);
}
