// SPDX-License-Identifier: Apache-2.0
// Accesses and frees that look like faults and are none; a destructor frees memory.
#include <cuda_runtime.h>

#define N 64

__device__ const int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int *kept;

struct holder {
	int *x;
	~holder()
	{
		cudaFree(x);
	}
};

static holder held;

/* Null pointers, literals, the device's heap, pointers to ends, arrays behind one another. */
__global__ void reach(int *x, const int *none, const int *end, int n)
{
	int i = threadIdx.x;
	const char *text = n > 4 ? "hello" : "world";
	int *heap = (int *)malloc(16);

	heap[i & 3] = none ? none[i] : text[i % 5];
	x[i] = heap[i & 3] + table[(i + n) & 7];
	if (i)
		x[i] += end[-1];
	free(heap);
	if (!i)
		kept = x;
}

/* One thread writes what the others of its block read. */
__global__ void hand_on(int *x, int *scratch)
{
	if (!threadIdx.x)
		*scratch = x[0];
	__syncthreads();
	x[threadIdx.x] = *scratch + kept[threadIdx.x];
}

/* Atomics, a barrier between warps, and stores of one value, which no order is needed for. */
__global__ void reverse(int *x, int *total, int *done)
{
	__shared__ int turned[N];

	*done = 1;
	atomicAdd(total, x[threadIdx.x]);
	turned[threadIdx.x] = x[threadIdx.x];
	__syncthreads();
	x[threadIdx.x + (blockIdx.x + 1) * N] = turned[N - 1 - threadIdx.x];
}

/* Padding is copied, and a sum begins at 0; a flag is sent and received, or behind a barrier. */
__global__ void announce(int *x, int *flag)
{
	struct padded {
		char tag;
		int value;
	};
	__shared__ padded from[N], to[N];
	__shared__ int sum, last;
	int i = threadIdx.x;

	from[i].tag = 'a';
	from[i].value = i;
	if (!i)
		sum = 0;
	__syncthreads();
	to[i] = from[(i + 1) % N];
	atomicAdd(&sum, to[i].value);
	if (!i) {
		x[blockIdx.x] = i;
		__threadfence();
		last = atomicAdd(flag, 1) == (int)gridDim.x - 1;
	}
	__syncthreads();
	if (last && i < (int)gridDim.x)
		x[i] += sum;
}

/* Packed members are read by parts; all threads of a block take a branch with a barrier, or come to
 * as many; two lists are both filled; lanes of a warp exchange values
 * behind a __syncwarp(). */
__global__ void unpack(const char *file, int *x)
{
	struct __attribute__((packed)) entry {
		char tag;
		int value;
	};
	__shared__ int tile[N];
	const entry *entries = (const entry *)file;
	int first[4], second[4], i = threadIdx.x;

	if (blockIdx.x) {
		__syncthreads();
		return;
	}
	for (int k = 0; k < x[0] + 4; k++)
		first[(k + i) % 4] = second[3 - (k + i) % 4] = k;
	for (int k = 0; k < x[0] + 3; k++)
		__syncthreads();
	tile[i] = first[i % 4];
	__syncwarp();
	x[i + 1] = entries[i].value + tile[i ^ 31] + second[i % 4];
}

int main(void)
{
	int *x, *scratch, *last, *turned;
	cudaStream_t one, two;
	cudaEvent_t done;

	cudaMalloc(&x, N * sizeof(*x));
	cudaMalloc(&scratch, sizeof(*scratch));
	cudaMalloc(&last, N * sizeof(*last));
	cudaMalloc(&turned, (3 * N + 2) * sizeof(*turned));
	cudaMalloc(&held.x, 8);
	cudaStreamCreate(&one);
	cudaStreamCreate(&two);
	cudaEventCreate(&done);
	cudaMemsetAsync(last, 0, N * sizeof(*last), one);
	cudaEventRecord(done, one);
	cudaStreamWaitEvent(two, done, 0);
	reach<<<1, N, 0, two>>>(x, nullptr, last + N, N);
	hand_on<<<1, N, 0, two>>>(x, scratch);
	cudaMemsetAsync(turned, 0, (3 * N + 2) * sizeof(*turned), two);
	reverse<<<2, N, 0, two>>>(turned, turned + 3 * N, turned + 3 * N + 1);
	cudaMemsetAsync(turned, 0, (3 * N + 2) * sizeof(*turned), two);
	announce<<<4, N, 0, two>>>(turned, turned + 3 * N);
	cudaMemsetAsync(turned, 0, (3 * N + 2) * sizeof(*turned), two);
	unpack<<<2, N, 0, two>>>((const char *)(turned + N + 1), turned);
	cudaStreamSynchronize(two);
	cudaStreamDestroy(one);
	cudaStreamDestroy(two);
	cudaEventDestroy(done);
	cudaFree(x);
	cudaFree(scratch);
	cudaFree(last);
	cudaFree(turned);
	cudaFree(nullptr);
	return 7;
}
