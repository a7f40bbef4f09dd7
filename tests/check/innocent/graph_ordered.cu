// SPDX-License-Identifier: Apache-2.0
// Nodes of a graph that depend on one another, launched twice.
#include <cstdio>

__global__ void produce(int *data)
{
	data[threadIdx.x] = threadIdx.x;
}

__global__ void consume(const int *data, int *out)
{
	out[threadIdx.x] = data[63 - threadIdx.x];
}

int main()
{
	int *data, *out;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	cudaMalloc(&data, 64 * sizeof(int));
	cudaMalloc(&out, 64 * sizeof(int));
	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	produce<<<1, 64, 0, stream>>>(data);
	consume<<<1, 64, 0, stream>>>(data, out);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, stream);
	cudaGraphLaunch(exec, stream);
	cudaStreamSynchronize(stream);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
	cudaStreamDestroy(stream);
	cudaFree(data);
	cudaFree(out);
	puts("done");
	return 0;
}
