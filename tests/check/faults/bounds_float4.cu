// SPDX-License-Identifier: Apache-2.0
// A copy by float4 of a number of elements that four does not divide.
#include <cstdio>

__global__ void copy4(const float4 *in, float4 *out, int quads)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < quads)
		out[i] = in[i]; // check: out-of-bounds
}

int main()
{
	const int n = 1021, quads = (n + 3) / 4;
	float *in, *out;

	cudaMalloc(&in, n * sizeof(float));
	cudaMemset(in, 0, n * sizeof(float));
	cudaMalloc(&out, quads * sizeof(float4));
	copy4<<<(quads + 127) / 128, 128>>>((const float4 *)in, (float4 *)out, quads);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
