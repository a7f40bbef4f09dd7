// SPDX-License-Identifier: Apache-2.0
// The kernel is a node of a graph that a capture has made.
#include <cstdio>

__global__ void step(float *field, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		field[i + 32] += 1.f; // check: out-of-bounds
}

int main()
{
	const int n = 128;
	float *field;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	cudaMalloc(&field, n * sizeof(float));
	cudaMemset(field, 0, n * sizeof(float));
	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	step<<<2, 64, 0, stream>>>(field, n);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, stream);
	cudaStreamSynchronize(stream);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
	cudaStreamDestroy(stream);
	cudaFree(field);
	puts("done");
	return 0;
}
