/* SPDX-License-Identifier: Apache-2.0 */
/* A captured graph that forks and joins, launched again and again without waiting. */
#include "hang.h"

enum { CTAS = 64, THREADS = 128, COUNT = CTAS * THREADS };

__global__ void left(unsigned *a)
{
	a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void right(unsigned *b)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i % 3)
		b[i] += 2;
}

__global__ void join(const unsigned *a, const unsigned *b, unsigned *sum)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	sum[i] += a[i] + b[(i + 1) % COUNT];
}

static cudaGraphExec_t capture(unsigned *a, unsigned *b, unsigned *sum, cudaStream_t first,
			       cudaStream_t second)
{
	cudaGraphExec_t executable;
	cudaEvent_t forked, joined;
	cudaGraph_t graph;

	need(cudaEventCreate(&forked), "cudaEventCreate");
	need(cudaEventCreate(&joined), "cudaEventCreate");
	need(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
	need(cudaEventRecord(forked, first), "cudaEventRecord");
	need(cudaStreamWaitEvent(second, forked, 0), "cudaStreamWaitEvent");
	left<<<CTAS, THREADS, 0, first>>>(a);
	right<<<CTAS, THREADS, 0, second>>>(b);
	need(cudaEventRecord(joined, second), "cudaEventRecord");
	need(cudaStreamWaitEvent(first, joined, 0), "cudaStreamWaitEvent");
	join<<<CTAS, THREADS, 0, first>>>(a, b, sum);
	need(cudaStreamEndCapture(first, &graph), "cudaStreamEndCapture");
	need(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
	need(cudaEventDestroy(forked), "cudaEventDestroy");
	need(cudaEventDestroy(joined), "cudaEventDestroy");
	return executable;
}

int main(int argc, char **argv)
{
	unsigned launches = (unsigned)launches_wanted(argc, argv);
	unsigned *a = device_array<unsigned>(COUNT), *b = device_array<unsigned>(COUNT);
	unsigned *sum = device_array<unsigned>(COUNT), rounds = launches * (launches + 1) / 2;
	cudaStream_t first, second;
	cudaGraphExec_t graph;

	need(cudaStreamCreate(&first), "cudaStreamCreate");
	need(cudaStreamCreate(&second), "cudaStreamCreate");
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	graph = capture(a, b, sum, first, second);
	for (unsigned launch = 0; launch < launches; launch++)
		need(cudaGraphLaunch(graph, first), "cudaGraphLaunch");
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	need(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
	check("left branch", all_equal(a, COUNT, [&](size_t) { return launches; }));
	check("right branch",
	      all_equal(b, COUNT, [&](size_t i) { return i % 3 ? 2 * launches : 0; }));
	check("join", all_equal(sum, COUNT, [&](size_t i) {
		      return rounds * ((i + 1) % COUNT % 3 ? 3u : 1u);
	      }));
	count_stores("left", COUNT);
	count_stores("right", COUNT - (COUNT + 2) / 3);
	count_stores("join", COUNT);
	return finish();
}
