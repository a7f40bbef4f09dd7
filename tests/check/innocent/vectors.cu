// SPDX-License-Identifier: Apache-2.0
// Vector types, each at a multiple of what it needs: float3 of 4, float2 of 8, float4 of 16.
#include <cstdio>

__global__ void mix(const float3 *a, const float2 *b, float4 *out, int n)
{
	int i = threadIdx.x;

	if (i < n) {
		float3 u = a[i];
		float2 v = b[i];

		out[i] = make_float4(u.x + v.x, u.y, u.z, v.y);
	}
}

int main()
{
	const int n = 33;
	float3 *a;
	float2 *b;
	float4 *out;

	cudaMalloc(&a, n * sizeof(float3));
	cudaMalloc(&b, n * sizeof(float2));
	cudaMalloc(&out, n * sizeof(float4));
	cudaMemset(a, 0, n * sizeof(float3));
	cudaMemset(b, 0, n * sizeof(float2));
	mix<<<1, 64>>>(a, b, out, n);
	cudaDeviceSynchronize();
	cudaFree(a);
	cudaFree(b);
	cudaFree(out);
	puts("done");
	return 0;
}
