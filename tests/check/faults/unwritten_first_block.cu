// SPDX-License-Identifier: Apache-2.0
// Offsets of thread blocks: that of the first one, 0, is not stored by anybody.
#include <cstdio>

__global__ void offsets(const int *counts, int *from, int blocks)
{
	int sum = 0;

	for (int b = 1; b < blocks; b++) {
		sum += counts[b - 1];
		from[b] = sum;
	}
}

__global__ void place(const int *from, int *out)
{
	int at = from[blockIdx.x] + threadIdx.x; // check: uninitialized-read

	if (at >= 0 && at < (int)(gridDim.x * blockDim.x))
		atomicExch(&out[at], 1);
}

int main()
{
	const int blocks = 8;
	int host[blocks], *counts, *from, *out;

	for (int b = 0; b < blocks; b++)
		host[b] = 16;
	cudaMalloc(&counts, sizeof(host));
	cudaMalloc(&from, sizeof(host));
	cudaMalloc(&out, 16 * blocks * sizeof(int));
	cudaMemset(out, 0, 16 * blocks * sizeof(int));
	cudaMemcpy(counts, host, sizeof(host), cudaMemcpyHostToDevice);
	offsets<<<1, 1>>>(counts, from, blocks);
	place<<<blocks, 16>>>(from, out);
	cudaDeviceSynchronize();
	cudaFree(counts);
	cudaFree(from);
	cudaFree(out);
	puts("done");
	return 0;
}
