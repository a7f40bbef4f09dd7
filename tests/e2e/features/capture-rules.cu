/* SPDX-License-Identifier: Apache-2.0 */
/* Captures over several streams, their errors, and events in graphs. */
// construct: stream capture forked and joined by events
// construct: CUDA graph, event record node
// construct: CUDA graph, clone
#include "feature.h"

enum { N = 256 };

__global__ void add(int *data, int value)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

__global__ void doubled(int *to, const int *from)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	to[i] = 2 * from[i];
}

static bool is_filled(const int *device, int value)
{
	return all_equal(device, N, [=](size_t) { return value; });
}

static void count_call(void *count)
{
	++*(int *)count;
}

static void forked(cudaStream_t first, cudaStream_t second, cudaEvent_t event)
{
	int *a = device_array<int>(N), *b = device_array<int>(N), calls = 0;
	cudaGraph_t graph, clone;
	cudaGraphNode_t recorded;
	cudaGraphExec_t exec;
	size_t nodes = 0, edges = 0;

	need(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
	add<<<N / 64, 64, 0, first>>>(a, 1);
	need(cudaEventRecord(event, first), "cudaEventRecord");
	need(cudaStreamWaitEvent(second, event, 0), "cudaStreamWaitEvent");
	doubled<<<N / 64, 64, 0, second>>>(b, a);
	need(cudaLaunchHostFunc(first, count_call, &calls), "cudaLaunchHostFunc");
	need(cudaEventRecord(event, second), "cudaEventRecord");
	need(cudaStreamWaitEvent(first, event, 0), "cudaStreamWaitEvent");
	need(cudaMemcpyAsync(a, b, N * sizeof(int), cudaMemcpyDeviceToDevice, first), "copy");
	need(cudaStreamEndCapture(first, &graph), "cudaStreamEndCapture");
	check("nothing runs while it is captured", is_filled(a, 0) && !calls);
	need(cudaGraphGetNodes(graph, NULL, &nodes), "cudaGraphGetNodes");
	need(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges), "cudaGraphGetEdges");
	check("nodes and edges", nodes == 4 && edges == 4);
	need(cudaGraphAddEventRecordNode(&recorded, graph, NULL, 0, event), "EventRecordNode");
	need(cudaGraphClone(&clone, graph), "cudaGraphClone");
	need(cudaGraphInstantiate(&exec, clone, 0), "cudaGraphInstantiate");
	for (int i = 0; i < 3; i++)
		need(cudaGraphLaunch(exec, first), "cudaGraphLaunch");
	need(cudaStreamSynchronize(first), "cudaStreamSynchronize");
	need(cudaEventSynchronize(event), "cudaEventSynchronize");
	check("replayed in order", is_filled(a, 14) && is_filled(b, 14) && calls == 3);
	need(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
	need(cudaGraphDestroy(clone), "cudaGraphDestroy");
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

static void refused(cudaStream_t stream, cudaStream_t other, cudaEvent_t event)
{
	cudaGraph_t graph = NULL;

	need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "BeginCapture");
	check("a stream that captures cannot be waited for",
	      cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
	check("and its capture is no good any more",
	      cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated && !graph);
	need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "BeginCapture");
	need(cudaEventRecord(event, stream), "cudaEventRecord");
	need(cudaStreamWaitEvent(other, event, 0), "cudaStreamWaitEvent");
	need(cudaMemsetAsync(device_array<int>(1), 0, 4, other), "cudaMemsetAsync");
	check("work that was not joined again",
	      cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureUnjoined);
	cudaGetLastError();
}

int main()
{
	cudaStream_t first, second;
	cudaEvent_t event;

	need(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking), "cudaStreamCreate");
	need(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), "cudaStreamCreate");
	need(cudaEventCreate(&event), "cudaEventCreate");
	forked(first, second, event);
	refused(first, second, event);
	return finish();
}
