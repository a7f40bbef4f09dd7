/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs whose kernels cannot be traced run as they are, and say why; those beside them are traced.
 */
#include "feature.h"

// construct: CUDA graph, conditional node
// construct: CUDA graph, launched from the device
// construct: CUDA graph, memory allocation node

static const int N = 300;

__global__ void add(int *data, int value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N)
		data[i] += value;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, int *data, int value)
{
	void *arguments[] = {&data, &value};
	cudaKernelNodeParams params = {};
	cudaGraphNode_t node;

	params.func = (void *)add;
	params.gridDim = dim3(2);
	params.blockDim = dim3(256);
	params.kernelParams = arguments;
	need(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params), "cudaGraphAddKernelNode");
	return node;
}

static void run(cudaGraph_t graph, unsigned long long flags)
{
	cudaGraphExec_t exec;

	need(cudaGraphInstantiate(&exec, graph, flags), "cudaGraphInstantiate");
	need(cudaGraphLaunch(exec, 0), "cudaGraphLaunch");
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	need(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

static void conditional(int *data)
{
	cudaGraphNodeParams params = {};
	cudaGraphConditionalHandle handle;
	cudaGraphNode_t first, node;
	cudaGraph_t graph;

	need(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
	first = add_kernel(graph, data, 1);
	need(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault),
	     "cudaGraphConditionalHandleCreate");
	params.type = cudaGraphNodeTypeConditional;
	params.conditional.handle = handle;
	params.conditional.type = cudaGraphCondTypeIf;
	params.conditional.size = 1;
	need(cudaGraphAddNode(&node, graph, &first, NULL, 1, &params), "conditional node");
	add_kernel(params.conditional.phGraph_out[0], data, 2);
	run(graph, 0);
	check("conditional", all_equal(data, N, [](size_t) { return 3; }));
}

static void from_device(int *data)
{
	cudaGraph_t graph;

	need(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
	add_kernel(graph, data, 4);
	run(graph, cudaGraphInstantiateFlagDeviceLaunch);
	check("device-launch", all_equal(data, N, [](size_t) { return 7; }));
}

/* Such a graph cannot be cloned. */
static void allocating(int *data)
{
	cudaStream_t stream;
	cudaGraph_t graph;
	void *scratch;

	need(cudaStreamCreate(&stream), "cudaStreamCreate");
	need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin capture");
	need(cudaMallocAsync(&scratch, N * sizeof(int), stream), "cudaMallocAsync");
	need(cudaMemsetAsync(scratch, 0, N * sizeof(int), stream), "cudaMemsetAsync");
	add<<<2, 256, 0, stream>>>((int *)scratch, 5);
	add<<<2, 256, 0, stream>>>(data, 8);
	need(cudaFreeAsync(scratch, stream), "cudaFreeAsync");
	need(cudaStreamEndCapture(stream, &graph), "end capture");
	run(graph, 0);
	check("allocation", all_equal(data, N, [](size_t) { return 15; }));
}

int main()
{
	int *data = device_array<int>(N);

	conditional(data);
	from_device(data);
	allocating(data);
	return finish();
}
