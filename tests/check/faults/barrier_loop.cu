// SPDX-License-Identifier: Apache-2.0
// Threads go through a loop with a barrier a different number of times.
#include <cstdio>

__global__ void rounds(const int *counts, int *out)
{
	int sum = 0;

	for (int i = 0; i < counts[threadIdx.x]; i++) {
		sum += i;
		__syncthreads(); // check: divergent-barrier
	}
	out[threadIdx.x] = sum;
}

int main()
{
	int host[64], *counts, *out;

	for (int i = 0; i < 64; i++)
		host[i] = i < 48 ? 3 : 5;
	cudaMalloc(&counts, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(counts, host, sizeof(host), cudaMemcpyHostToDevice);
	rounds<<<1, 64>>>(counts, out);
	printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
	cudaFree(counts);
	cudaFree(out);
	return 0;
}
