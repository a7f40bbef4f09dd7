// SPDX-License-Identifier: Apache-2.0
// A device function that is not inlined is given a pointer into the array and a length.
#include <cstdio>

__device__ __noinline__ float sum_of(const float *from, int count)
{
	float sum = 0;

	for (int i = 0; i < count; i++)
		sum += from[i]; // check: out-of-bounds
	return sum;
}

__global__ void windows(const float *in, float *out, int n, int width)
{
	int i = threadIdx.x;

	if (i < n)
		out[i] = sum_of(in + i, width);
}

int main()
{
	const int n = 100;
	float *in, *out;

	cudaMalloc(&in, n * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemset(in, 0, n * sizeof(float));
	windows<<<1, 128>>>(in, out, n, 8);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
