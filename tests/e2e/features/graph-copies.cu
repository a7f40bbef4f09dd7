/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and memsets in graphs: every launch of the graph makes them, among its kernels. */
#include "feature.h"

enum { N = 256 };

__device__ int table[N];

__global__ void add(int *data)
{
	data[threadIdx.x] += table[threadIdx.x];
}

static cudaGraph_t captured(int *a, int *pinned, cudaStream_t stream)
{
	cudaGraph_t graph;

	need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin capture");
	need(cudaMemset2DAsync(a, 64, 0, 32, 4, stream), "cudaMemset2DAsync");
	add<<<1, N, 0, stream>>>(a);
	need(cudaMemcpyAsync(pinned, a, 400, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
	need(cudaMemcpy2DAsync(a, 64, pinned, 32, 20, 3, cudaMemcpyHostToDevice, stream), "2D");
	need(cudaStreamEndCapture(stream, &graph), "end capture");
	return graph;
}

/* A child graph, and before it, added in the opposite order: memset, kernel, copy. */
static cudaGraph_t built(int *a, int *b, cudaGraph_t child, cudaGraphNode_t *nodes)
{
	void *arguments[] = {&b};
	cudaKernelNodeParams kernel = {};
	cudaMemsetParams fill = {};
	cudaGraph_t graph;

	kernel.func = (void *)add;
	kernel.gridDim = dim3(1);
	kernel.blockDim = dim3(N);
	kernel.kernelParams = arguments;
	fill.dst = b;
	fill.elementSize = 4;
	fill.value = 1;
	fill.width = 10;
	fill.height = 1;
	need(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
	need(cudaGraphAddMemcpyNode1D(&nodes[0], graph, NULL, 0, a, b, 100,
				      cudaMemcpyDeviceToDevice),
	     "cudaGraphAddMemcpyNode1D");
	need(cudaGraphAddKernelNode(&nodes[1], graph, NULL, 0, &kernel), "cudaGraphAddKernelNode");
	need(cudaGraphAddMemsetNode(&nodes[2], graph, NULL, 0, &fill), "cudaGraphAddMemsetNode");
	need(cudaGraphAddChildGraphNode(&nodes[3], graph, &nodes[0], 1, child), "child graph");
	cudaGraphNode_t from[] = {nodes[1], nodes[2]}, to[] = {nodes[0], nodes[1]};
	need(cudaGraphAddDependencies(graph, from, to, NULL, 2), "cudaGraphAddDependencies");
	return graph;
}

static void changed(cudaGraphExec_t exec, cudaGraphNode_t *nodes, int *a, int *b,
		    cudaStream_t stream)
{
	cudaMemsetParams fill = {};

	fill.dst = b;
	fill.elementSize = 4;
	fill.value = 1;
	fill.width = 12;
	fill.height = 1;
	need(cudaGraphExecMemsetNodeSetParams(exec, nodes[2], &fill), "other memset");
	need(
	    cudaGraphExecMemcpyNodeSetParams1D(exec, nodes[0], a, b, 104, cudaMemcpyDeviceToDevice),
	    "other copy");
	need(cudaGraphNodeSetEnabled(exec, nodes[1], 0), "cudaGraphNodeSetEnabled");
	need(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
	need(cudaGraphNodeSetEnabled(exec, nodes[2], 0), "cudaGraphNodeSetEnabled");
	need(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
}

int main()
{
	int *a = device_array<int>(N), *b = device_array<int>(N), *pinned;
	cudaGraph_t graph, child, variables;
	cudaGraphNode_t nodes[4];
	cudaGraphExec_t exec;
	cudaStream_t stream;

	need(cudaMallocHost((void **)&pinned, N * sizeof(int)), "cudaMallocHost");
	need(cudaStreamCreate(&stream), "cudaStreamCreate");
	child = captured(a, pinned, stream);
	graph = built(a, b, child, nodes);
	need(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
	need(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
	need(cudaGraphLaunch(exec, 0), "cudaGraphLaunch");
	need(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	check("copied", pinned[0] == 0 && pinned[7] == 0 && pinned[8] == 1 && pinned[9] == 1 &&
			    pinned[10] == 0);
	changed(exec, nodes, a, b, stream);
	need(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");

	need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin capture");
	need(cudaMemcpyToSymbolAsync(table, pinned, 40, 12, cudaMemcpyHostToDevice, stream),
	     "cudaMemcpyToSymbolAsync");
	need(cudaMemcpyFromSymbolAsync(pinned, table, 44, 16, cudaMemcpyDeviceToHost, stream),
	     "cudaMemcpyFromSymbolAsync");
	need(cudaStreamEndCapture(stream, &variables), "end capture");
	need(cudaGraphInstantiate(&exec, variables, 0), "cudaGraphInstantiate");
	need(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
	need(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	need(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
	need(cudaGraphDestroy(variables), "cudaGraphDestroy");
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
	need(cudaGraphDestroy(child), "cudaGraphDestroy");
	return finish();
}
