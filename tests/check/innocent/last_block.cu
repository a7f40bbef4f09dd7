// SPDX-License-Identifier: Apache-2.0
// The block that is done last adds up what all blocks have stored.
#include <cstdio>

__device__ unsigned blocks_done;

__global__ void sum(const int *in, volatile int *partial, int *out)
{
	__shared__ bool is_last;
	int mine = in[blockIdx.x * 32 + threadIdx.x];

	for (int lanes = 16; lanes; lanes /= 2)
		mine += __shfl_down_sync(0xffffffff, mine, lanes);
	if (threadIdx.x == 0) {
		partial[blockIdx.x] = mine;
		__threadfence();
		is_last = atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1;
	}
	__syncthreads();
	if (is_last && threadIdx.x == 0) {
		int total = 0;

		for (unsigned b = 0; b < gridDim.x; b++)
			total += partial[b];
		*out = total;
		blocks_done = 0;
	}
}

int main()
{
	int host[256], *in, *partial, *out;

	for (int i = 0; i < 256; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&partial, 8 * sizeof(int));
	cudaMalloc(&out, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	sum<<<8, 32>>>(in, partial, out);
	sum<<<8, 32>>>(in, partial, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(partial);
	cudaFree(out);
	puts("done");
	return 0;
}
