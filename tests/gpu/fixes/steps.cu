// SPDX-License-Identifier: Apache-2.0
// Many steps of two small kernels, one launch each. -DFIX_GRAPH: ten steps are one launch of a
// graph.
#include "fixes.h"

#define AT_ONCE 10

__global__ void push(float *x, const float *v, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i] += 0.01f * v[i];
}

__global__ void pull(const float *x, float *v, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		v[i] -= 0.01f * x[i];
}

static void step(float *x, float *v, int n, cudaStream_t stream)
{
	push<<<(n + 127) / 128, 128, 0, stream>>>(x, v, n);
	pull<<<(n + 127) / 128, 128, 0, stream>>>(x, v, n);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1024, rounds = argc > 2 ? atoi(argv[2]) : 2;
	std::vector<float> start(n, 1), end(n);
	cudaStream_t stream;
	float *x, *v;

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMalloc(&x, n * sizeof(float)));
	CHECK(cudaMalloc(&v, n * sizeof(float)));
	CHECK(cudaMemcpy(x, start.data(), n * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemset(v, 0, n * sizeof(float)));
#ifdef FIX_GRAPH
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	for (int i = 0; i < AT_ONCE; i++)
		step(x, v, n, stream);
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
#endif
	began();
	for (int round = 0; round < rounds; round++) {
#ifdef FIX_GRAPH
		CHECK(cudaGraphLaunch(exec, stream));
#else
		for (int i = 0; i < AT_ONCE; i++)
			step(x, v, n, stream);
#endif
	}
	CHECK(cudaStreamSynchronize(stream));
	ended();
	CHECK(cudaMemcpy(end.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
	printf("%.5g\n", end[n / 2]);
	return 0;
}
