// SPDX-License-Identifier: Apache-2.0
// A counter in shared memory is not set to 0.
#include <cstdio>

__global__ void count_odd(const int *in, int *out)
{
	__shared__ int count;

	if (in[threadIdx.x] % 2)
		atomicAdd(&count, 1); // check: uninitialized-shared
	__syncthreads();
	if (threadIdx.x == 0)
		*out = count;
}

int main()
{
	int host[96], *in, *out;

	for (int i = 0; i < 96; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	count_odd<<<1, 96>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
