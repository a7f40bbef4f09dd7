/* SPDX-License-Identifier: Apache-2.0 */
/* Two kernels make a quarter and three quarters of the work, which goes on in variables of the
 * host, and from there to the device again. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define N 1000
#define COUNT 4
#define BYTES (COUNT * sizeof(int))

__device__ int symbol[COUNT];

__device__ __noinline__ int w(int n)
{
	volatile int step = 3;
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum = sum * step + i;
	return sum;
}

__global__ void make(int *to, int n)
{
	to[threadIdx.x] = w(n);
}

__global__ void make_symbol(int n)
{
	symbol[threadIdx.x] = w(n);
}

struct Result {
	int *list;
	int sum, none;
};

static int total;

/* Called twice: who gets which is known by the call. Optimised it ends in the copy. */
static __attribute__((noinline)) cudaError_t fetch(int *host, const int *device)
{
	return cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost);
}

static __attribute__((noinline)) int added(const int *list)
{
	int sum = 0;

	for (int i = 0; i < COUNT; i++)
		sum += list[i];
	return sum;
}

template <typename T> static T *array()
{
	return (T *)calloc(COUNT, sizeof(T));
}

static volatile int calls;

static __attribute__((noinline)) void launch(int *to, int n)
{
	make<<<1, COUNT>>>(to, n);
	calls = calls + 1;
}

/* Who launched is known, too: what is behind the calls keeps them from being jumps. */
static __attribute__((noinline)) void once(int *to)
{
	launch(to, N);
	calls = calls + 1;
}

static __attribute__((noinline)) void thrice(int *to)
{
	launch(to, 3 * N);
	calls = calls + 1;
}

static void roundtrip()
{
	int *quarter, *most, *again, *u = array<int>(), *v = array<int>(), *never = array<int>(),
				     *back = array<int>(), *pinned;
	Result r = {array<int>(), 0, 0};
	bool is_odd = false;

	cudaMalloc(&quarter, BYTES);
	cudaMalloc(&most, BYTES);
	cudaMalloc(&again, BYTES);
	cudaMallocHost(&pinned, BYTES);
	once(quarter);
	thrice(most);
	fetch(u, quarter);
	fetch(r.list, most);
	for (int i = 0; i < COUNT; i++) {
		v[i] = u[i] + 1;
		never[i] = i;
	}
	r.sum = added(r.list);
	if (u[0] & 1)
		is_odd = true;
	total = added(v) + r.sum;
	cudaMemcpyAsync(again, v, BYTES, cudaMemcpyHostToDevice, 0);
	cudaMemcpyAsync(pinned, again, BYTES, cudaMemcpyDeviceToHost, 0);
	cudaDeviceSynchronize();
	for (int i = 0; i < COUNT; i++)
		back[i] = pinned[i];
	printf("%d %d %d %d\n", total, never[1], is_odd, back[0] + r.none);
	cudaFree(quarter);
	cudaFree(most);
	cudaFree(again);
	cudaFreeHost(pinned);
	for (int *list : {u, v, never, back, r.list})
		free(list);
}

/* Another four, of which the symbol has one and the vector three. */
static void others()
{
	std::vector<int> some(COUNT), idle(COUNT);
	int *device, *back, one[COUNT], sum = 0, rest = 0;

	cudaMalloc(&device, BYTES);
	make_symbol<<<1, COUNT>>>(N);
	make<<<1, COUNT>>>(device, 3 * N);
	cudaMemcpyFromSymbol(one, symbol, sizeof(one));
	cudaMemcpy(some.data(), device, BYTES, cudaMemcpyDeviceToHost);
	cudaMalloc(&back, BYTES);
	cudaMemcpy(back, some.data(), BYTES, cudaMemcpyHostToDevice);
	for (int i = 0; i < COUNT; i++) {
		sum += some[i];
		rest += one[i] + idle[i];
	}
	printf("%d %d\n", sum, rest);
	cudaFree(device);
	cudaFree(back);
}

int main(int argc, char **)
{
	if (argc > 1)
		others();
	else
		roundtrip();
	return cudaDeviceSynchronize() != cudaSuccess;
}
