// SPDX-License-Identifier: Apache-2.0
// Two kinds of 16-bit floats, alone and in pairs.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void convert(const __half2 *in, __nv_bfloat16 *out, int pairs)
{
	int i = threadIdx.x;

	if (i < pairs) {
		float2 v = __half22float2(in[i]);

		out[2 * i] = __float2bfloat16(v.x);
		out[2 * i + 1] = __float2bfloat16(v.y);
	}
}

int main()
{
	const int pairs = 40;
	__half2 *in;
	__nv_bfloat16 *out;

	cudaMalloc(&in, pairs * sizeof(__half2));
	cudaMalloc(&out, 2 * pairs * sizeof(__nv_bfloat16));
	cudaMemset(in, 0, pairs * sizeof(__half2));
	convert<<<1, 64>>>(in, out, pairs);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
