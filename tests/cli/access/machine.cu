// SPDX-License-Identifier: Apache-2.0
// machine.sh counts this by hand: 2 CTAs of 64 threads, 4 warps.
#include <cuda_runtime.h>

#define THREADS 64

// Odd lanes turn, of each warp: a branch that parts, and the end of a turn.
__global__ void kept(float *to, int turns)
{
	int i = blockIdx.x * THREADS + threadIdx.x, t = 0;
	float y = to[i];

	if (i & 1) {
#pragma nounroll
		do {
			y = fmaf(y, 0.5f, to[i + t]);
		} while (++t < turns);
	}
	to[i] = y;
}

// An early end of lanes, at which one warp parts: no branch of the machine.
__global__ void gone(float *to, int count)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	if (i >= count)
		return;
	to[i] += 1;
}

// A loop that is left in its middle: the test of the first turn is before it, and the others' at
// its end.
__global__ void middle(float *to, int turns)
{
	__shared__ float tile[THREADS];
	int i = blockIdx.x * THREADS + threadIdx.x;

#pragma nounroll
	for (int t = 0;; t++) {
		tile[threadIdx.x] = to[i];
		__syncthreads();
		if (t == turns - 1)
			break;
		to[i] = tile[THREADS - 1 - threadIdx.x];
		__syncthreads();
	}
	to[i] += tile[0];
}

// One that is too long for that: its way back has no condition, and there is one less than turns.
// Three lanes of four go through what is long.
__global__ void back(float *to, int turns)
{
	__shared__ float tile[THREADS];
	int i = blockIdx.x * THREADS + threadIdx.x;
	float y = to[i];

#pragma nounroll
	for (int t = 0;; t++) {
		tile[threadIdx.x] = y;
		__syncthreads();
		if (threadIdx.x & 3) {
			float z = y;

			for (int k = 0; k < 12; k++)
				z = fmaf(z, tile[(threadIdx.x + k) % THREADS], 1);
			y = z;
		}
		if (t == turns - 1)
			break;
		to[i] = y;
		__syncthreads();
		y += to[blockIdx.x * THREADS + (threadIdx.x + 1) % THREADS];
	}
	to[i] = y;
}

// Whose slow way is not known.
__global__ void divides(float *to)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	to[i] = to[i] / to[THREADS - 1 - threadIdx.x];
}

// Which the assembler unrolls.
__global__ void unrolled(float *to, int turns)
{
	int i = blockIdx.x * THREADS + threadIdx.x;
	float y = 0;

	for (int t = 0; t < turns; t++)
		y += to[i + t];
	to[i] = y;
}

int main()
{
	float *data;

	if (cudaMalloc(&data, 512 * sizeof(*data)) != cudaSuccess ||
	    cudaMemset(data, 0x3f, 512 * sizeof(*data)) != cudaSuccess)
		return 1;
	kept<<<2, THREADS>>>(data, 5);
	gone<<<2, THREADS>>>(data, 100);
	middle<<<2, THREADS>>>(data, 3);
	back<<<2, THREADS>>>(data, 3);
	divides<<<2, THREADS>>>(data);
	unrolled<<<2, THREADS>>>(data, 37);
	return cudaDeviceSynchronize() != cudaSuccess;
}
