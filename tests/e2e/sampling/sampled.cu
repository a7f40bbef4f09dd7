/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sampling leaves out changes no result: kernels with shared memory and
 * barriers, local variables, structures by value, CTAs that wait for each other,
 * device functions, threads that exit early; launches from several places, graphs.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct arguments {
	int *data;
	int factor[4];
};

__device__ __noinline__ int mixed(const int *data, int i)
{
	return data[i] * 3 + 1;
}

__device__ int cta()
{
	return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

/* Every thread reads its neighbour's through shared memory; the first threads exit early. */
__global__ void turn(arguments a, int skip)
{
	__shared__ int line[64];
	int local[4], i = cta() * blockDim.x + threadIdx.x;

	line[threadIdx.x] = mixed(a.data, i);
	__syncthreads();
	for (int k = 0; k < 4; k++)
		local[k] = a.factor[(k + threadIdx.x) & 3];
	if (threadIdx.x < (unsigned)skip)
		return;
	a.data[i] = line[threadIdx.x ^ 1] + local[a.factor[0] & 3];
}

/* Each CTA adds to what the one before it has published. */
__global__ void look_back(int *published)
{
	int b = blockIdx.x;

	if (threadIdx.x != 0)
		return;
	if (b > 0)
		while (atomicAdd(&published[b - 1], 0) == 0)
			__nanosleep(100);
	__threadfence();
	atomicExch(&published[b], (b > 0 ? atomicAdd(&published[b - 1], 0) : 0) + b + 1);
}

static int *data, *published;

static __attribute__((noinline)) void step(int skip)
{
	arguments a = {data, {1, 2, 3, 5}};

	turn<<<dim3(5, 3, 3), 64>>>(a, skip);
}

static __attribute__((noinline)) int first_caller(int skip)
{
	step(skip);
	return skip;
}

static __attribute__((noinline)) int second_caller(int skip)
{
	step(skip);
	return skip + 1;
}

static void replay(cudaStream_t stream)
{
	arguments a = {data, {7, 1, 4, 2}};
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	turn<<<dim3(20, 2), 64, 0, stream>>>(a, 3);
	turn<<<dim3(11, 3), 64, 0, stream>>>(a, 0);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphInstantiate(&exec, graph, 0);
	for (int i = 0; i < 4; i++)
		cudaGraphLaunch(exec, stream);
	cudaStreamSynchronize(stream);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

int main(int argc, char **)
{
	static int host[64 * 64];
	unsigned sum = 0;
	int last = 0;
	cudaStream_t stream;
	int more = argc - 1; /* not known to the compiler, which would unroll the loops: */

	cudaMalloc(&data, sizeof(host));
	cudaMalloc(&published, 40 * sizeof(int));
	cudaMemset(data, 0, sizeof(host));
	cudaMemset(published, 0, 40 * sizeof(int));
	cudaStreamCreate(&stream);
	for (int i = 0; i < 7 + more; i++)
		last += first_caller(i);
	for (int i = 0; i < 4 + more; i++) /* more call sites, more contexts */
		last += second_caller(i);
	look_back<<<40, 32>>>(published);
	cudaDeviceSynchronize();
	replay(stream);
	cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost);
	for (int value : host)
		sum = sum * 31 + (unsigned)value;
	cudaMemcpy(host, published, 40 * sizeof(int), cudaMemcpyDeviceToHost);
	printf("%08x %d %d\n", sum, host[39], last);
	return host[39] != 820 || cudaGetLastError() != cudaSuccess;
}
