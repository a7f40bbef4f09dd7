// SPDX-License-Identifier: Apache-2.0
// The left neighbour of the first element.
#include <cstdio>

__global__ void gradient(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n - 1)
		out[i] = in[i + 1] - in[i - 1]; // check: before-begin
}

int main()
{
	const int n = 300;
	float *in, *out;

	cudaMalloc(&in, n * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemset(in, 0, n * sizeof(float));
	gradient<<<3, 128>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
