/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the CUDA runtime API that add nodes to graphs and ask for or change
 * their parameters. */
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/graph/params.h"
#include <string.h>

/* The node of a body that was made without an error. */
static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
		       size_t count, cudaError_t error, struct ct_node_body *body)
{
	struct ct_graph_node *added;

	if (!error && (!node || !graph || (count && !from))) {
		ct_body_release(body);
		error = cudaErrorInvalidValue;
	}
	if (error)
		return ct_error_set(error);
	error = ct_graph_add((struct ct_graph *)graph, (struct ct_graph_node *const *)from, count,
			     body, &added);
	if (!error)
		*node = (cudaGraphNode_t)added;
	return ct_api_result(error);
}

#define ADD_CALL(name, parameters, make)                                                           \
	cudaError_t name(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,    \
			 size_t count, CT_UNPACK parameters)                                       \
	{                                                                                          \
		struct ct_node_body *body = NULL;                                                  \
		cudaError_t error = make;                                                          \
                                                                                                   \
		return add(node, graph, from, count, error, body);                                 \
	}
#define CT_UNPACK(...) __VA_ARGS__

ADD_CALL(cudaGraphAddKernelNode, (const struct cudaKernelNodeParams *params),
	 ct_body_of_kernel(params, &body))
ADD_CALL(cudaGraphAddMemcpyNode, (const struct cudaMemcpy3DParms *params),
	 ct_body_of_3d(params, &body))
ADD_CALL(cudaGraphAddMemcpyNode1D,
	 (void *to, const void *source, size_t bytes, enum cudaMemcpyKind kind),
	 ct_body_of_1d(to, source, bytes, kind, &body))
ADD_CALL(cudaGraphAddMemcpyNodeToSymbol,
	 (const void *symbol, const void *source, size_t bytes, size_t offset,
	  enum cudaMemcpyKind kind),
	 ct_body_of_to_symbol(symbol, source, bytes, offset, kind, &body))
ADD_CALL(cudaGraphAddMemcpyNodeFromSymbol,
	 (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
	 ct_body_of_from_symbol(to, symbol, bytes, offset, kind, &body))
ADD_CALL(cudaGraphAddMemsetNode, (const struct cudaMemsetParams *params),
	 ct_body_of_memset(params, &body))
ADD_CALL(cudaGraphAddHostNode, (const struct cudaHostNodeParams *params),
	 ct_body_of_host(params, &body))
ADD_CALL(cudaGraphAddEventRecordNode, (cudaEvent_t event),
	 ct_body_of_event(cudaGraphNodeTypeEventRecord, event, &body))
ADD_CALL(cudaGraphAddEventWaitNode, (cudaEvent_t event),
	 ct_body_of_event(cudaGraphNodeTypeWaitEvent, event, &body))
ADD_CALL(cudaGraphAddChildGraphNode, (cudaGraph_t child),
	 ct_body_of_child((struct ct_graph *)child, &body))

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
				  const cudaGraphNode_t *from, size_t count)
{
	struct ct_node_body *body = ct_body_new(cudaGraphNodeTypeEmpty);

	return add(node, graph, from, count, body ? cudaSuccess : cudaErrorMemoryAllocation, body);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
			     const cudaGraphEdgeData *edges, size_t count,
			     struct cudaGraphNodeParams *params)
{
	struct ct_node_body *body = NULL;
	cudaError_t error = ct_body_of_any(params, &body);

	(void)edges;
	return add(node, graph, from, count, error, body);
}

static cudaError_t set(cudaGraphNode_t handle, cudaError_t error, struct ct_node_body *body)
{
	struct ct_graph_node *node = (struct ct_graph_node *)handle;

	if (!error && (!node || node->body->type != body->type)) {
		ct_body_release(body);
		error = cudaErrorInvalidValue;
	}
	if (error)
		return ct_error_set(error);
	body->priority = node->body->priority;
	ct_body_release(node->body);
	node->body = body;
	return ct_api_result(cudaSuccess);
}

#define SET_CALL(name, parameters, make)                                                           \
	cudaError_t name(cudaGraphNode_t node, CT_UNPACK parameters)                               \
	{                                                                                          \
		struct ct_node_body *body = NULL;                                                  \
		cudaError_t error = make;                                                          \
                                                                                                   \
		return set(node, error, body);                                                     \
	}

SET_CALL(cudaGraphKernelNodeSetParams, (const struct cudaKernelNodeParams *params),
	 ct_body_of_kernel(params, &body))
SET_CALL(cudaGraphMemcpyNodeSetParams, (const struct cudaMemcpy3DParms *params),
	 ct_body_of_3d(params, &body))
SET_CALL(cudaGraphMemcpyNodeSetParams1D,
	 (void *to, const void *source, size_t bytes, enum cudaMemcpyKind kind),
	 ct_body_of_1d(to, source, bytes, kind, &body))
SET_CALL(cudaGraphMemcpyNodeSetParamsToSymbol,
	 (const void *symbol, const void *source, size_t bytes, size_t offset,
	  enum cudaMemcpyKind kind),
	 ct_body_of_to_symbol(symbol, source, bytes, offset, kind, &body))
SET_CALL(cudaGraphMemcpyNodeSetParamsFromSymbol,
	 (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
	 ct_body_of_from_symbol(to, symbol, bytes, offset, kind, &body))
SET_CALL(cudaGraphMemsetNodeSetParams, (const struct cudaMemsetParams *params),
	 ct_body_of_memset(params, &body))
SET_CALL(cudaGraphHostNodeSetParams, (const struct cudaHostNodeParams *params),
	 ct_body_of_host(params, &body))
SET_CALL(cudaGraphEventRecordNodeSetEvent, (cudaEvent_t event),
	 ct_body_of_event(cudaGraphNodeTypeEventRecord, event, &body))
SET_CALL(cudaGraphEventWaitNodeSetEvent, (cudaEvent_t event),
	 ct_body_of_event(cudaGraphNodeTypeWaitEvent, event, &body))
SET_CALL(cudaGraphNodeSetParams, (struct cudaGraphNodeParams * params),
	 ct_body_of_any(params, &body))

/* The body if it is of that type, else NULL. */
static const struct ct_node_body *body_of(cudaGraphNode_t node, enum cudaGraphNodeType type)
{
	const struct ct_node_body *body = node ? ((struct ct_graph_node *)node)->body : NULL;

	return body && body->type == type ? body : NULL;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
	const struct ct_node_body *body = body_of(node, cudaGraphNodeTypeKernel);
	const struct ct_launch_request *request;

	if (!body || !params)
		return ct_error_set(cudaErrorInvalidValue);
	request = &body->launch->request;
	*params = (struct cudaKernelNodeParams){
	    .func = (void *)request->stub,
	    .gridDim = request->grid,
	    .blockDim = request->block,
	    .sharedMemBytes = (unsigned)request->dynamic_shared_bytes,
	    .kernelParams = request->args,
	};
	return ct_api_result(cudaSuccess);
}

static struct cudaPitchedPtr pointer_to(const struct ct_box *box, size_t width)
{
	return (struct cudaPitchedPtr){box->start, box->pitch, width,
				       box->pitch ? box->slice / box->pitch : 0};
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params)
{
	const struct ct_node_body *body = body_of(node, cudaGraphNodeTypeMemcpy);

	if (!body || !params)
		return ct_error_set(cudaErrorInvalidValue);
	memset(params, 0, sizeof(*params));
	params->srcPtr = pointer_to(&body->copy.from, body->copy.width);
	params->dstPtr = pointer_to(&body->copy.to, body->copy.width);
	params->extent = (struct cudaExtent){body->copy.width, body->copy.height, body->copy.depth};
	params->kind = body->copy.kind;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params)
{
	const struct ct_node_body *body = body_of(node, cudaGraphNodeTypeMemset);

	if (!body || !params)
		return ct_error_set(cudaErrorInvalidValue);
	*params = (struct cudaMemsetParams){
	    .dst = body->fill.to.start,
	    .pitch = body->fill.to.pitch,
	    .value = body->fill.value,
	    .elementSize = body->fill.element_bytes,
	    .width = body->fill.width / body->fill.element_bytes,
	    .height = body->fill.height,
	};
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params)
{
	const struct ct_node_body *body = body_of(node, cudaGraphNodeTypeHost);

	if (!body || !params)
		return ct_error_set(cudaErrorInvalidValue);
	*params = body->host;
	return ct_api_result(cudaSuccess);
}

static cudaError_t get_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t *event)
{
	const struct ct_node_body *body = body_of(node, type);

	if (!body || !event)
		return ct_error_set(cudaErrorInvalidValue);
	*event = body->event;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
	return get_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
	return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph)
{
	const struct ct_node_body *body = body_of(node, cudaGraphNodeTypeGraph);

	if (!body || !graph)
		return ct_error_set(cudaErrorInvalidValue);
	*graph = (cudaGraph_t)body->child;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
					    cudaLaunchAttributeValue *value)
{
	const struct ct_node_body *body = body_of(node, cudaGraphNodeTypeKernel);
	const struct ct_launch_request *request;

	if (!body || !value)
		return ct_error_set(cudaErrorInvalidValue);
	request = &body->launch->request;
	memset(value, 0, sizeof(*value));
	if (id == cudaLaunchAttributeCooperative)
		value->cooperative = request->cooperative;
	if (id == cudaLaunchAttributePriority)
		value->priority = body->priority;
	if (id == cudaLaunchAttributeClusterDimension) {
		value->clusterDim.x = request->cluster.x;
		value->clusterDim.y = request->cluster.y;
		value->clusterDim.z = request->cluster.z;
	}
	return ct_api_result(cudaSuccess);
}

/* Hints (cache windows, domains) need not be remembered. */
static cudaError_t with_attribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
				  const cudaLaunchAttributeValue *value, struct ct_node_body **body)
{
	const struct ct_node_body *now = body_of(node, cudaGraphNodeTypeKernel);
	struct ct_launch_request request;
	cudaError_t error;

	if (!now || !value)
		return cudaErrorInvalidValue;
	request = now->launch->request;
	if (id == cudaLaunchAttributeCooperative)
		request.cooperative = value->cooperative;
	if (id == cudaLaunchAttributeClusterDimension)
		request.cluster =
		    (dim3){value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
	error = ct_body_of_launch(&request, body);
	if (!error)
		(*body)->priority =
		    id == cudaLaunchAttributePriority ? value->priority : now->priority;
	return error;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
					    const cudaLaunchAttributeValue *value)
{
	struct ct_node_body *body = NULL;
	cudaError_t error = with_attribute(node, id, value, &body);
	int priority = error ? 0 : body->priority;

	error = set(node, error, body);
	if (!error)
		((struct ct_graph_node *)node)->body->priority = priority;
	return error;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
	static const cudaLaunchAttributeID ids[] = {cudaLaunchAttributeCooperative,
						    cudaLaunchAttributePriority,
						    cudaLaunchAttributeClusterDimension};
	cudaError_t error = cudaSuccess;

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids) && !error; i++) {
		cudaLaunchAttributeValue value;

		error = cudaGraphKernelNodeGetAttribute(from, ids[i], &value);
		if (!error)
			error = cudaGraphKernelNodeSetAttribute(to, ids[i], &value);
	}
	return error;
}
