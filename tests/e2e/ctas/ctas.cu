/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs whose ends are all there are: in kernels and functions, early, divergent, in graphs, in
 * several streams, in clusters. What it prints does not depend on times. */
// construct: the CTA clock
#include "../features/feature.h"

/* Some threads have nothing to do, and in the last CTAs none has. */
__global__ void early(int *out, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= count)
		return;
	out[i] = i;
}

__device__ __noinline__ void leave_if(bool leaves)
{
	if (leaves)
		asm volatile("exit;");
}

__device__ __noinline__ void leave_deeper(bool leaves)
{
	leave_if(leaves);
}

/* Threads end in two functions, by an instruction, and by a return; all of every second CTA in
 * the function. */
__global__ void exits(int *out)
{
	unsigned cta = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);

	atomicAdd(&out[cta], 1);
	leave_if(cta % 2 == 1 || threadIdx.x == 3);
	leave_deeper(threadIdx.x == 5);
	if (threadIdx.x % 8 == 7)
		asm volatile("exit;");
	if (threadIdx.x > 40)
		return;
	atomicAdd(&out[cta], 100);
}

/* Each CTA waits for the one before it: so it ends after that has begun. */
__global__ void ordered(int *turn)
{
	if (threadIdx.x == 0) {
		while (atomicAdd(turn, 0) != (int)blockIdx.x)
			;
		atomicAdd(turn, 1);
	}
	__syncthreads();
}

__global__ void nothing()
{
}

template <typename T> __global__ void __cluster_dims__(2, 1, 1) twice(T *out)
{
	out[blockIdx.x] *= 2;
}

static void launch_ordered(int *turn, int ctas)
{
	void *arguments[] = {&turn};

	need(cudaLaunchCooperativeKernel((void *)ordered, dim3(ctas), dim3(64), arguments, 0, 0),
	     "cooperative launch");
}

static void launch_graph(cudaStream_t stream, int *out)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
	early<<<3, 32, 0, stream>>>(out, 70);
	exits<<<dim3(2, 2, 2), 64, 0, stream>>>(out + 100);
	need(cudaStreamEndCapture(stream, &graph), "capture");
	need(cudaGraphInstantiate(&exec, graph, 0), "graph");
	for (int i = 0; i < 5; i++)
		need(cudaGraphLaunch(exec, stream), "graph launch");
	need(cudaStreamSynchronize(stream), "graph");
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

int main()
{
	int *out = device_array<int>(4096), *turn = device_array<int>(1);
	cudaStream_t stream[3];

	early<<<10, 128>>>(out, 1000);
	check("early returns", all_equal(out, 1000, [](size_t i) { return i; }));
	upload(out, (const int[60]){0}, 60);
	exits<<<dim3(3, 4, 5), 64>>>(out);
	check("exits",
	      all_equal(out, 60, [](size_t i) { return i % 2 ? 64 : 64 + 100 * (41 - 2 - 5); }));
	launch_ordered(turn, 6);
	check("one after another", all_equal(turn, 1, [](size_t) { return 6; }));
	nothing<<<1, 1>>>();
	nothing<<<dim3(1, 300), dim3(5, 3, 2)>>>();
	for (auto &one : stream)
		need(cudaStreamCreate(&one), "stream");
	for (int i = 0; i < 60; i++)
		early<<<1 + i % 7, 64, 0, stream[i % 3]>>>(out + 1024 * (i % 3), 400);
	for (auto &one : stream)
		need(cudaStreamSynchronize(one), "stream");
	check("streams", all_equal(out + 2048, 64, [](size_t i) { return i; }));
	upload(out + 100, (const int[8]){0}, 8);
	launch_graph(stream[1], out);
	check("graph", all_equal(out + 100, 8, [](size_t i) {
		      return 5 * (i % 2 ? 64 : 64 + 100 * (41 - 2 - 5));
	      }));
	twice<<<8, 32>>>(out);
	for (auto &one : stream)
		cudaStreamDestroy(one);
	return finish();
}
