/* SPDX-License-Identifier: Apache-2.0 */
/* Four CTAs of 64 threads. Three launches write; two read what the next CTA has written. */
#include <cuda_runtime.h>

__global__ void put(int *a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	a[i] = i;
}

__global__ void take(int *b, const int *a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	b[i] = a[(i + 64) % 256];
}

int main()
{
	int *a, *b;

	cudaMalloc(&a, 256 * sizeof(int));
	cudaMalloc(&b, 256 * sizeof(int));
	put<<<4, 64>>>(b);
	put<<<4, 64>>>(b);
	put<<<4, 64>>>(a);
	take<<<4, 64>>>(b, a);
	take<<<4, 64>>>(a, b);
	return cudaDeviceSynchronize() != cudaSuccess;
}
