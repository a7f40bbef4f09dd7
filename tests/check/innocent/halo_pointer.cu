// SPDX-License-Identifier: Apache-2.0
// The pointer is into the middle of its allocation: indices below 0 are within.
#include <cstdio>

#define RADIUS 3

__global__ void window(const float *in, float *out, int n)
{
	int i = threadIdx.x;
	float sum = 0;

	if (i >= n)
		return;
	for (int k = -RADIUS; k <= RADIUS; k++)
		sum += in[i + k];
	out[i] = sum;
}

int main()
{
	const int n = 90;
	float *memory, *out;

	cudaMalloc(&memory, (n + 2 * RADIUS) * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemset(memory, 0, (n + 2 * RADIUS) * sizeof(float));
	window<<<1, 96>>>(memory + RADIUS, out, n);
	cudaDeviceSynchronize();
	cudaFree(memory);
	cudaFree(out);
	puts("done");
	return 0;
}
