// SPDX-License-Identifier: Apache-2.0
// All threads of a block set a variable in shared memory to the same value.
#include <cstdio>

__global__ void count(const int *in, int *out)
{
	__shared__ int hits;

	hits = 0;
	__syncthreads();
	if (in[threadIdx.x])
		atomicAdd(&hits, 1);
	__syncthreads();
	if (threadIdx.x == 0)
		*out = hits;
}

int main()
{
	int host[128], *in, *out;

	for (int i = 0; i < 128; i++)
		host[i] = i % 3;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	count<<<1, 128>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
