// SPDX-License-Identifier: Apache-2.0
// The counter of a compaction is not set to 0 before the first atomicAdd.
#include <cstdio>

__global__ void positive(const int *in, int *out, int *count, int n)
{
	int i = threadIdx.x;

	if (i < n && in[i] > 0) {
		int at = atomicAdd(count, 1); // check: uninitialized-read

		if (at >= 0 && at < n)
			out[at] = in[i];
	}
}

int main()
{
	const int n = 64;
	int host[n], *in, *out, *count;

	for (int i = 0; i < n; i++)
		host[i] = i % 3 - 1;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMalloc(&count, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	positive<<<1, n>>>(in, out, count, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	cudaFree(count);
	puts("done");
	return 0;
}
