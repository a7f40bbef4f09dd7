/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel makes what the other one uses; with `refill` it is overwritten in between. With
 * `callers` two functions have one kernel work for a quarter and three quarters. */
#include <cuda_runtime.h>

#define N 1000
#define COUNT 4

__device__ __noinline__ int w(int n)
{
	volatile int step = 3;
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum = sum * step + i;
	return sum;
}

__device__ __noinline__ int get(const int *from, int i)
{
	return from[i];
}

/* Inlined: two instances at one place. */
template <typename T> __device__ inline void keep(T *to, int value)
{
	to[threadIdx.x] = (T)value;
}

__global__ void produce(int *to, int n)
{
	keep(to, w(n));
}

__global__ void consume(int *to, const int *from)
{
	keep((unsigned *)to, get(from, threadIdx.x) + w(N));
}

static void launch(int *to, int n)
{
	produce<<<1, COUNT>>>(to, n);
}

static void few(int *to)
{
	launch(to, N);
}

static void many(int *to)
{
	launch(to, 3 * N);
}

int main(int argc, char **argv)
{
	int *r, *a, *other, *h, *h2, zeros[COUNT] = {0};

	cudaMalloc(&r, sizeof(zeros));
	cudaMalloc(&a, sizeof(zeros));
	cudaMalloc(&other, sizeof(zeros));
	cudaMallocHost(&h, sizeof(zeros));
	cudaMallocHost(&h2, sizeof(zeros));
	cudaMemset(other, 0, sizeof(zeros));
	if (argc > 1 && argv[1][0] == 'c') {
		few(r);
		many(r);
		return cudaDeviceSynchronize() != cudaSuccess;
	}
	produce<<<1, COUNT>>>(r, N);
	if (argc > 1)
		cudaMemcpy(r, zeros, sizeof(zeros), cudaMemcpyHostToDevice);
	consume<<<1, COUNT>>>(a, r);
	cudaMemcpy(h, a, sizeof(zeros), cudaMemcpyDeviceToHost);
	cudaMemcpy(h2, other, sizeof(zeros), cudaMemcpyDeviceToHost);
	cudaFree(r);
	cudaFree(a);
	cudaFree(other);
	cudaFreeHost(h);
	cudaFreeHost(h2);
	return cudaDeviceSynchronize() != cudaSuccess;
}
