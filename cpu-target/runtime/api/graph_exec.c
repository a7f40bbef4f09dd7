/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the CUDA runtime API on executable graphs. */
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/graph/capture.h"
#include "cpu-target/runtime/graph/exec.h"
#include "cpu-target/runtime/graph/params.h"
#include "cpu-target/runtime/stream/stream.h"

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	const unsigned long long known =
	    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
	    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
	struct ct_graph_exec *made;
	cudaError_t error;

	if (!exec || !graph || (flags & ~known))
		return cudaErrorInvalidValue;
	error = ct_graph_exec_make((struct ct_graph *)graph, flags, &made);
	if (!error)
		*exec = (cudaGraphExec_t)made;
	return error;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	return ct_api_result(instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
					  unsigned long long flags)
{
	return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
					   cudaGraphInstantiateParams *params)
{
	cudaError_t error;

	if (!params)
		return ct_error_set(cudaErrorInvalidValue);
	error = instantiate(exec, graph, params->flags);
	params->errNode_out = NULL;
	params->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
	return ct_api_result(error);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
	if (!exec || !flags)
		return ct_error_set(cudaErrorInvalidValue);
	*flags = ((struct ct_graph_exec *)exec)->flags;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	if (!exec)
		return ct_error_set(cudaErrorInvalidValue);
	ct_graph_exec_destroy((struct ct_graph_exec *)exec);
	return ct_api_result(cudaSuccess);
}

/* Everything is where it will be needed already. */
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
	if (!exec)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_stream_check(stream));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	cudaError_t error;

	if (!exec)
		return ct_error_set(cudaErrorInvalidValue);
	error = ct_capture_refuse(stream);
	if (!error)
		error = ct_error_sticky();
	return ct_api_result(error ? error
				   : ct_graph_exec_launch((struct ct_graph_exec *)exec, stream));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
				cudaGraphExecUpdateResultInfo *info)
{
	const struct ct_graph_node *culprit;
	enum cudaGraphExecUpdateResult result;

	if (!exec || !graph)
		return ct_error_set(cudaErrorInvalidValue);
	result = ct_graph_exec_update((struct ct_graph_exec *)exec, 0, (struct ct_graph *)graph,
				      &culprit);
	if (info)
		*info =
		    (cudaGraphExecUpdateResultInfo){result, (cudaGraphNode_t)(void *)culprit, NULL};
	return ct_api_result(
	    result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}

static cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, cudaError_t error,
		       struct ct_node_body *body)
{
	if (!error && (!exec || !node)) {
		ct_body_release(body);
		error = cudaErrorInvalidValue;
	}
	if (error)
		return ct_error_set(error);
	return ct_api_result(
	    ct_graph_exec_set((struct ct_graph_exec *)exec, (struct ct_graph_node *)node, body));
}

#define SET_CALL(name, parameters, make)                                                           \
	cudaError_t name(cudaGraphExec_t exec, cudaGraphNode_t node, CT_UNPACK parameters)         \
	{                                                                                          \
		struct ct_node_body *body = NULL;                                                  \
		cudaError_t error = make;                                                          \
                                                                                                   \
		return set(exec, node, error, body);                                               \
	}
#define CT_UNPACK(...) __VA_ARGS__

SET_CALL(cudaGraphExecKernelNodeSetParams, (const struct cudaKernelNodeParams *params),
	 ct_body_of_kernel(params, &body))
SET_CALL(cudaGraphExecMemcpyNodeSetParams, (const struct cudaMemcpy3DParms *params),
	 ct_body_of_3d(params, &body))
SET_CALL(cudaGraphExecMemcpyNodeSetParams1D,
	 (void *to, const void *source, size_t bytes, enum cudaMemcpyKind kind),
	 ct_body_of_1d(to, source, bytes, kind, &body))
SET_CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol,
	 (const void *symbol, const void *source, size_t bytes, size_t offset,
	  enum cudaMemcpyKind kind),
	 ct_body_of_to_symbol(symbol, source, bytes, offset, kind, &body))
SET_CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol,
	 (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
	 ct_body_of_from_symbol(to, symbol, bytes, offset, kind, &body))
SET_CALL(cudaGraphExecMemsetNodeSetParams, (const struct cudaMemsetParams *params),
	 ct_body_of_memset(params, &body))
SET_CALL(cudaGraphExecHostNodeSetParams, (const struct cudaHostNodeParams *params),
	 ct_body_of_host(params, &body))
SET_CALL(cudaGraphExecEventRecordNodeSetEvent, (cudaEvent_t event),
	 ct_body_of_event(cudaGraphNodeTypeEventRecord, event, &body))
SET_CALL(cudaGraphExecEventWaitNodeSetEvent, (cudaEvent_t event),
	 ct_body_of_event(cudaGraphNodeTypeWaitEvent, event, &body))
SET_CALL(cudaGraphExecNodeSetParams, (struct cudaGraphNodeParams * params),
	 ct_body_of_any(params, &body))

/* The nodes of a child stand one after another where the child's node would be. */
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
						 cudaGraph_t child)
{
	struct ct_graph_exec *exec = (struct ct_graph_exec *)handle;
	const struct ct_node_body *body = node ? ((struct ct_graph_node *)node)->body : NULL;
	const struct ct_graph_node *culprit;
	struct ct_exec_node *first = NULL;

	if (!exec || !child || !body || body->type != cudaGraphNodeTypeGraph ||
	    body->child->count != ((struct ct_graph *)child)->count)
		return ct_error_set(cudaErrorInvalidValue);
	for (size_t i = 0; i < body->child->count; i++) {
		struct ct_exec_node *entry = ct_graph_exec_find(exec, body->child->nodes[i]);

		if (entry && (!first || entry < first))
			first = entry;
	}
	if (!first)
		return ct_error_set(cudaErrorInvalidValue);
	if (ct_graph_exec_update(exec, (size_t)(first - exec->nodes), (struct ct_graph *)child,
				 &culprit) != cudaGraphExecUpdateSuccess)
		return ct_error_set(cudaErrorGraphExecUpdateFailure);
	return ct_api_result(cudaSuccess);
}

static struct ct_exec_node *find_enabled(cudaGraphExec_t exec, cudaGraphNode_t node)
{
	struct ct_exec_node *entry = NULL;

	if (exec && node)
		entry =
		    ct_graph_exec_find((struct ct_graph_exec *)exec, (struct ct_graph_node *)node);
	if (entry && entry->body->type != cudaGraphNodeTypeKernel &&
	    entry->body->type != cudaGraphNodeTypeMemcpy &&
	    entry->body->type != cudaGraphNodeTypeMemset)
		return NULL;
	return entry;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
	struct ct_exec_node *entry = find_enabled(exec, node);

	if (!entry)
		return ct_error_set(cudaErrorInvalidValue);
	entry->disabled = !enabled;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
	struct ct_exec_node *entry = find_enabled(exec, node);

	if (!entry || !enabled)
		return ct_error_set(cudaErrorInvalidValue);
	*enabled = !entry->disabled;
	return ct_api_result(cudaSuccess);
}
