// SPDX-License-Identifier: Apache-2.0
// The number of thread blocks is rounded down: the last elements are not written.
#include <cstdio>

__global__ void set(float *x, int n, float value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i] = value;
}

__global__ void total(const float *x, int n, float *out)
{
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i]; // check: uninitialized-read
	*out = sum;
}

int main()
{
	const int n = 300;
	float *x, *out;

	cudaMalloc(&x, n * sizeof(float));
	cudaMalloc(&out, sizeof(float));
	set<<<n / 128, 128>>>(x, n, 1.f);
	total<<<1, 1>>>(x, n, out);
	cudaDeviceSynchronize();
	cudaFree(x);
	cudaFree(out);
	puts("done");
	return 0;
}
