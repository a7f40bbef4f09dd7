/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA graphs: every replay of a kernel is a launch of its own, and traced. */
#include "feature.h"

// construct: stream capture
// construct: CUDA graph, kernel node
// construct: CUDA graph, child graph
// construct: CUDA graph, executable graph updated
// construct: CUDA graph, kernel node parameters changed

static const int N = 1000;

__global__ void add(int *data, int value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N)
		data[i] += value;
}

__global__ void copy(int *to, const int *from)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N)
		to[i] = from[i];
}

/* Between its load and its store there is time for another launch. */
__global__ void add_slowly(int *data)
{
	int old = *data;
	long long began = clock64();

	while (clock64() - began < 2000000)
		;
	*data = old + 1;
}

static cudaKernelNodeParams kernel_params(const void *function, void **arguments)
{
	cudaKernelNodeParams params = {};

	params.func = (void *)function;
	params.gridDim = dim3(4);
	params.blockDim = dim3(256);
	params.kernelParams = arguments;
	return params;
}

/* add, add, copy; launched three times, alternately into two streams */
static cudaGraph_t captured(int *data, int *other)
{
	cudaGraphExec_t exec;
	cudaStream_t streams[2];
	cudaGraph_t graph;

	need(cudaStreamCreate(&streams[0]), "cudaStreamCreate");
	need(cudaStreamCreate(&streams[1]), "cudaStreamCreate");
	need(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal), "begin capture");
	add<<<4, 256, 0, streams[0]>>>(data, 1);
	add<<<4, 256, 0, streams[0]>>>(data, 2);
	copy<<<4, 256, 0, streams[0]>>>(other, data);
	need(cudaStreamEndCapture(streams[0], &graph), "end capture");
	need(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
	for (int i = 0; i < 3; i++)
		need(cudaGraphLaunch(exec, streams[i % 2]), "cudaGraphLaunch");
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	need(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
	check("captured", all_equal(other, N, [](size_t) { return 9; }));
	return graph;
}

/* The program's graph is its own: what it says of its nodes has not changed. */
static void introspect(cudaGraph_t graph)
{
	cudaGraphNode_t nodes[3];
	cudaKernelNodeParams params;
	size_t count = 3;

	need(cudaGraphGetNodes(graph, nodes, &count), "cudaGraphGetNodes");
	check("node-count", count == 3);
	need(cudaGraphKernelNodeGetParams(nodes[1], &params), "cudaGraphKernelNodeGetParams");
	check("node-function", params.func == (void *)add);
	check("node-argument", *(int *)params.kernelParams[1] == 2);
}

/* A graph built node by node: add, and a child graph of captured kernels. Then
 * its kernel gets other parameters in the executable graph, is switched off,
 * and the executable graph is updated from another graph. */
static void built(int *data, int *other, cudaGraph_t child)
{
	int one = 1, ten = 10;
	void *by_one[] = {&data, &one}, *by_ten[] = {&data, &ten}, *copied[] = {&other, &data};
	cudaKernelNodeParams params = kernel_params((const void *)add, by_one);
	cudaGraphExecUpdateResultInfo info;
	cudaGraph_t graph, changed;
	cudaGraphNode_t node, parent;
	cudaGraphExec_t exec;

	need(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
	need(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params), "cudaGraphAddKernelNode");
	need(cudaGraphAddChildGraphNode(&parent, graph, &node, 1, child), "child graph");
	need(cudaGraphClone(&changed, graph), "cudaGraphClone");
	need(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
	need(cudaGraphLaunch(exec, 0), "cudaGraphLaunch");
	check("child", all_equal(other, N, [](size_t) { return 13; }));

	params = kernel_params((const void *)add, by_ten);
	need(cudaGraphExecKernelNodeSetParams(exec, node, &params), "other argument");
	need(cudaGraphLaunch(exec, 0), "cudaGraphLaunch");
	check("argument", all_equal(other, N, [](size_t) { return 26; }));

	params = kernel_params((const void *)copy, copied);
	need(cudaGraphExecKernelNodeSetParams(exec, node, &params), "other kernel");
	need(cudaGraphLaunch(exec, 0), "cudaGraphLaunch");
	check("kernel", all_equal(other, N, [](size_t) { return 29; }));

	need(cudaGraphNodeSetEnabled(exec, node, 0), "cudaGraphNodeSetEnabled");
	need(cudaGraphLaunch(exec, 0), "cudaGraphLaunch");
	check("disabled", all_equal(other, N, [](size_t) { return 32; }));
	need(cudaGraphNodeSetEnabled(exec, node, 1), "cudaGraphNodeSetEnabled");

	need(cudaGraphExecUpdate(exec, changed, &info), "cudaGraphExecUpdate");
	need(cudaGraphLaunch(exec, 0), "cudaGraphLaunch");
	check("updated", all_equal(other, N, [](size_t) { return 36; }));
	need(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
	need(cudaGraphDestroy(changed), "cudaGraphDestroy");
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

/* Launches of one executable graph are in order, in whatever streams. */
static void alternately(int *data)
{
	cudaStream_t streams[2];
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	int result;

	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	for (cudaStream_t &stream : streams)
		need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "WithFlags");
	need(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal), "begin capture");
	add_slowly<<<1, 1, 0, streams[0]>>>(data);
	need(cudaStreamEndCapture(streams[0], &graph), "end capture");
	need(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
	for (int i = 0; i < 6; i++)
		need(cudaGraphLaunch(exec, streams[i % 2]), "cudaGraphLaunch");
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	download(&result, data, 1);
	check("alternately", result == 6);
	for (cudaStream_t stream : streams)
		need(cudaStreamDestroy(stream), "cudaStreamDestroy");
	need(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

int main()
{
	int *data = device_array<int>(N), *other = device_array<int>(N);
	cudaGraph_t graph = captured(data, other);

	introspect(graph);
	built(data, other, graph);
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
	alternately(device_array<int>(1));
	return finish();
}
