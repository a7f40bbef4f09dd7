// SPDX-License-Identifier: Apache-2.0
// A scan in shared memory with barriers between the reads and the writes of each round.
#include <cstdio>

__global__ void scan(const int *in, int *out)
{
	__shared__ int sums[128];
	int t = threadIdx.x;

	sums[t] = in[t];
	__syncthreads();
	for (int distance = 1; distance < 128; distance *= 2) {
		int before = t >= distance ? sums[t - distance] : 0;

		__syncthreads();
		sums[t] += before;
		__syncthreads();
	}
	out[t] = sums[t];
}

int main()
{
	int host[128], *in, *out;

	for (int i = 0; i < 128; i++)
		host[i] = 1;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	scan<<<1, 128>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
