// SPDX-License-Identifier: Apache-2.0
// Warps take work from a counter until there is none left.
#include <cstdio>

__device__ int next_item;

__global__ void process(const float *in, float *out, int n)
{
	int lane = threadIdx.x % 32;

	for (;;) {
		int item = 0;

		if (lane == 0)
			item = atomicAdd(&next_item, 1);
		item = __shfl_sync(0xffffffff, item, 0);
		if (item * 32 >= n)
			return;
		if (item * 32 + lane < n)
			out[item * 32 + lane] = 2 * in[item * 32 + lane];
	}
}

int main()
{
	const int n = 500;
	float *in, *out;

	cudaMalloc(&in, n * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemset(in, 0, n * sizeof(float));
	process<<<2, 64>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
