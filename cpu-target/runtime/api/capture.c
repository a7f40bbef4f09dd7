/* SPDX-License-Identifier: Apache-2.0 */
/* Capture calls of the CUDA runtime API. */
#include "cpu-target/runtime/graph/capture.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/stream/stream.h"

static int is_mode(enum cudaStreamCaptureMode mode)
{
	return (unsigned)mode <= cudaStreamCaptureModeRelaxed;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	if (!is_mode(mode))
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_capture_begin(stream, NULL, NULL, 0));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
					  const cudaGraphNode_t *dependencies,
					  const cudaGraphEdgeData *edges, size_t count,
					  enum cudaStreamCaptureMode mode)
{
	(void)edges;
	if (!is_mode(mode) || !graph || (count && !dependencies))
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_capture_begin(stream, (struct ct_graph *)graph,
					      (struct ct_graph_node *const *)dependencies, count));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	struct ct_graph *captured;
	cudaError_t error;

	if (!graph)
		return ct_error_set(cudaErrorInvalidValue);
	error = ct_capture_end(stream, &captured);
	*graph = (cudaGraph_t)captured;
	return ct_api_result(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	struct ct_capture_info info;
	cudaError_t error = ct_stream_check(stream);

	if (!status)
		return ct_error_set(cudaErrorInvalidValue);
	ct_capture_info(stream, &info);
	*status = info.status;
	return ct_api_result(error);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
				     unsigned long long *id, cudaGraph_t *graph,
				     const cudaGraphNode_t **dependencies,
				     const cudaGraphEdgeData **edges, size_t *count)
{
	struct ct_capture_info info;
	cudaError_t error = ct_stream_check(stream);

	if (!status)
		return ct_error_set(cudaErrorInvalidValue);
	ct_capture_info(stream, &info);
	*status = info.status;
	if (id)
		*id = info.id;
	if (graph)
		*graph = (cudaGraph_t)info.graph;
	if (dependencies)
		*dependencies = (const cudaGraphNode_t *)info.nodes;
	if (edges)
		*edges = NULL; /* all edges are plain */
	if (count)
		*count = info.count;
	return ct_api_result(error);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
						const cudaGraphEdgeData *edges, size_t count,
						unsigned flags)
{
	(void)edges;
	if (flags > cudaStreamSetCaptureDependencies || (count && !dependencies))
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_capture_depend(stream, (struct ct_graph_node *const *)dependencies,
					       count, flags == cudaStreamSetCaptureDependencies));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
	static __thread enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
	enum cudaStreamCaptureMode previous = current;

	if (!mode || !is_mode(*mode))
		return ct_error_set(cudaErrorInvalidValue);
	current = *mode;
	*mode = previous;
	return cudaSuccess;
}
