// SPDX-License-Identifier: Apache-2.0
// Two arrays are carved out of dynamic shared memory, and the second one begins in the first.
#include <cstdio>

__global__ void both(const int *in, int *out, int n)
{
	extern __shared__ int memory[];
	int *keys = memory, *counts = memory + n - 1;
	int t = threadIdx.x;

	keys[t] = in[t];
	counts[t] = -t; // check: shared-race
	__syncthreads();
	out[t] = keys[t] + counts[t];
}

int main()
{
	const int n = 96;
	int host[n], *in, *out;

	for (int i = 0; i < n; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	both<<<1, n, 2 * n * sizeof(int)>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
