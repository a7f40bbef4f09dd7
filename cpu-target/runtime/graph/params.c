/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of graph nodes from the API's parameters, after their checks. */
#include "cpu-target/runtime/graph/params.h"
#include "cpu-target/runtime/module/symbol.h"
#include "cpu-target/runtime/stream/event.h"
#include <string.h>

static cudaError_t new_body(enum cudaGraphNodeType type, struct ct_node_body **body)
{
	*body = ct_body_new(type);
	return *body ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t ct_body_of_launch(const struct ct_launch_request *request, struct ct_node_body **body)
{
	cudaError_t error = new_body(cudaGraphNodeTypeKernel, body);

	if (!error)
		error = ct_launch_prepare(request, &(*body)->launch);
	if (error) {
		ct_body_release(*body);
		*body = NULL;
	}
	return error;
}

cudaError_t ct_body_of_kernel(const struct cudaKernelNodeParams *params, struct ct_node_body **body)
{
	struct ct_launch_request request;

	if (!params || params->extra)
		return cudaErrorInvalidValue;
	request = (struct ct_launch_request){
	    .stub = params->func,
	    .grid = params->gridDim,
	    .block = params->blockDim,
	    .dynamic_shared_bytes = params->sharedMemBytes,
	    .args = params->kernelParams,
	};
	return ct_body_of_launch(&request, body);
}

cudaError_t ct_body_of_copy(const struct ct_copy *copy, struct ct_node_body **body)
{
	cudaError_t error = ct_copy_check(copy);

	if (!error)
		error = new_body(cudaGraphNodeTypeMemcpy, body);
	if (!error)
		(*body)->copy = *copy;
	return error;
}

cudaError_t ct_body_of_3d(const struct cudaMemcpy3DParms *params, struct ct_node_body **body)
{
	struct ct_copy copy;
	cudaError_t error = ct_copy_of_3d(params, &copy);

	return error ? error : ct_body_of_copy(&copy, body);
}

cudaError_t ct_body_of_1d(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
			  struct ct_node_body **body)
{
	const struct ct_copy copy = {
	    .to = {to, bytes, bytes},
	    .from = {(char *)from, bytes, bytes},
	    .width = bytes,
	    .height = 1,
	    .depth = 1,
	    .kind = kind,
	};

	return ct_body_of_copy(&copy, body);
}

cudaError_t ct_body_of_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset,
				 enum cudaMemcpyKind kind, struct ct_node_body **body)
{
	char *to;
	cudaError_t error = ct_symbol_inside(symbol, bytes, offset, &to);

	return error ? error : ct_body_of_1d(to, from, bytes, kind, body);
}

cudaError_t ct_body_of_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset,
				   enum cudaMemcpyKind kind, struct ct_node_body **body)
{
	char *from;
	cudaError_t error = ct_symbol_inside(symbol, bytes, offset, &from);

	return error ? error : ct_body_of_1d(to, from, bytes, kind, body);
}

cudaError_t ct_body_of_memset(const struct cudaMemsetParams *params, struct ct_node_body **body)
{
	unsigned element = params ? params->elementSize : 0;
	struct ct_fill fill;
	cudaError_t error;

	if (element != 1 && element != 2 && element != 4)
		return cudaErrorInvalidValue;
	fill = (struct ct_fill){
	    .to = {params->dst, params->pitch, params->pitch * params->height},
	    .width = params->width * element,
	    .height = params->height,
	    .depth = 1,
	    .value = params->value,
	    .element_bytes = element,
	};
	error = ct_fill_check(&fill);
	if (!error)
		error = new_body(cudaGraphNodeTypeMemset, body);
	if (!error)
		(*body)->fill = fill;
	return error;
}

cudaError_t ct_body_of_host(const struct cudaHostNodeParams *params, struct ct_node_body **body)
{
	cudaError_t error = cudaErrorInvalidValue;

	if (params && params->fn)
		error = new_body(cudaGraphNodeTypeHost, body);
	if (!error)
		(*body)->host = *params;
	return error;
}

cudaError_t ct_body_of_event(enum cudaGraphNodeType type, cudaEvent_t event,
			     struct ct_node_body **body)
{
	struct ct_point point;
	cudaError_t error = ct_event_point(event, &point);

	if (error)
		return error;
	ct_point_release(&point);
	error = new_body(type, body);
	if (!error)
		(*body)->event = event;
	return error;
}

cudaError_t ct_body_of_child(const struct ct_graph *child, struct ct_node_body **body)
{
	cudaError_t error = cudaErrorInvalidValue;

	if (child)
		error = new_body(cudaGraphNodeTypeGraph, body);
	if (error)
		return error;
	(*body)->child = ct_graph_clone(child);
	if ((*body)->child) {
		(*body)->child->is_child = 1;
		return cudaSuccess;
	}
	ct_body_release(*body);
	return cudaErrorMemoryAllocation;
}

static cudaError_t of_kernel_v2(const struct cudaKernelNodeParamsV2 *v2, struct ct_node_body **body)
{
	const struct cudaKernelNodeParams params = {
	    v2->func, v2->gridDim, v2->blockDim, v2->sharedMemBytes, v2->kernelParams, v2->extra,
	};

	return ct_body_of_kernel(&params, body);
}

static cudaError_t of_memset_v2(const struct cudaMemsetParamsV2 *v2, struct ct_node_body **body)
{
	const struct cudaMemsetParams params = {
	    v2->dst, v2->pitch, v2->value, v2->elementSize, v2->width, v2->height,
	};

	return ct_body_of_memset(&params, body);
}

static cudaError_t of_host_v2(const struct cudaHostNodeParamsV2 *v2, struct ct_node_body **body)
{
	const struct cudaHostNodeParams params = {v2->fn, v2->userData};

	return ct_body_of_host(&params, body);
}

cudaError_t ct_body_of_any(const struct cudaGraphNodeParams *params, struct ct_node_body **body)
{
	if (!params)
		return cudaErrorInvalidValue;
	switch (params->type) {
	case cudaGraphNodeTypeKernel:
		return of_kernel_v2(&params->kernel, body);
	case cudaGraphNodeTypeMemcpy:
		return ct_body_of_3d(&params->memcpy.copyParams, body);
	case cudaGraphNodeTypeMemset:
		return of_memset_v2(&params->memset, body);
	case cudaGraphNodeTypeHost:
		return of_host_v2(&params->host, body);
	case cudaGraphNodeTypeGraph:
		return ct_body_of_child((struct ct_graph *)params->graph.graph, body);
	case cudaGraphNodeTypeEmpty:
		return new_body(cudaGraphNodeTypeEmpty, body);
	case cudaGraphNodeTypeWaitEvent:
		return ct_body_of_event(params->type, params->eventWait.event, body);
	case cudaGraphNodeTypeEventRecord:
		return ct_body_of_event(params->type, params->eventRecord.event, body);
	default:
		return cudaErrorNotSupported;
	}
}
