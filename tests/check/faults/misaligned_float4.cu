// SPDX-License-Identifier: Apache-2.0
// A float4 is read from an address that is no multiple of 16. On CPU threads the kernel ends with
// an error as well, which calls it an illegal address.
#include <cstdio>

__global__ void sums(const float *in, float *out, int quads)
{
	int i = threadIdx.x;

	if (i < quads) {
		float4 v = *(const float4 *)(in + 1 + 4 * i); // check: misaligned

		out[i] = v.x + v.y + v.z + v.w;
	}
}

int main()
{
	float *in, *out;

	cudaMalloc(&in, 129 * sizeof(float));
	cudaMemset(in, 0, 129 * sizeof(float));
	cudaMalloc(&out, 32 * sizeof(float));
	sums<<<1, 32>>>(in, out, 32);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
