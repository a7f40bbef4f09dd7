// SPDX-License-Identifier: Apache-2.0
// model.sh counts this by hand: 4 CTAs of 64 threads, 8 warps.
#include <cuda_runtime.h>

// Each thread loads 10 elements a warp's width apart and sums them, with a multiply-add each.
__global__ void sum(const float *x, float *y, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float s = 0;

#pragma nounroll
	for (int k = 0; k < rounds; k++)
		s = fmaf(x[k * 256 + i], 2.0f, s);
	y[i] = s;
}

// A column of a matrix: each lane has a sector, and a bank, of its own.
__global__ void column(const float *x, float *y)
{
	__shared__ float tile[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	tile[threadIdx.x] = x[8 * i];
	__syncthreads();
	y[8 * i] = tile[63 - threadIdx.x];
}

// All loads of one element, again and again.
__global__ void again(const volatile float *x, float *y, int rounds)
{
	float s = 0;

#pragma nounroll
	for (int k = 0; k < rounds; k++)
		s += x[0];
	y[threadIdx.x] = s;
}

// Its launches have one and three CTAs, which have the same to do.
__global__ void grown(const volatile float *x, float *y, int rounds)
{
	float s = 0;

#pragma nounroll
	for (int k = 0; k < rounds; k++)
		s += x[1024 * k];
	y[threadIdx.x] = s;
}

// A loop in a loop, which the assembler unrolls and leaves turns of beside it.
__global__ void nest(const float *x, float *y, int rounds)
{
	for (int j = 0; j < rounds; j++) {
		y[64 * j + threadIdx.x] = 0;
		for (int k = 0; k < rounds; k++)
			y[64 * j + threadIdx.x] += x[64 * k + threadIdx.x];
		y[2048 + 64 * j + threadIdx.x] = 1;
	}
}

int main()
{
	float *x, *y;

	cudaMalloc(&x, 4096 * sizeof(float));
	cudaMalloc(&y, 4096 * sizeof(float));
	cudaMemset(x, 0, 4096 * sizeof(float));
	sum<<<4, 64>>>(x, y, 10);
	sum<<<4, 64>>>(x, y, 10);
	column<<<4, 64>>>(x, y);
	again<<<1, 64>>>(x, y, 100);
	grown<<<1, 64>>>(x, y, 4);
	grown<<<3, 64>>>(x, y, 4);
	nest<<<1, 64>>>(x, y, 30);
	return cudaDeviceSynchronize() != cudaSuccess;
}
