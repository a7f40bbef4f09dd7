// SPDX-License-Identifier: Apache-2.0
// Copies around launches, of which one is traced: what is known of each copy's bytes.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define N 3000 /* floats: two pages and more */

__global__ void twice(const float *in, float *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N)
		out[i] = 2 * in[i];
}

int main(void)
{
	float *host = (float *)malloc(N * sizeof(float)), *in, *out, *never;

	for (int i = 0; i < N; i++)
		host[i] = i;
	cudaMalloc(&in, N * sizeof(float));
	cudaMalloc(&out, N * sizeof(float));
	cudaMalloc(&never, N * sizeof(float));
	for (int step = 0; step < 6; step++) {
		cudaMemcpy(in, host, N * sizeof(float), cudaMemcpyHostToDevice);
		cudaMemcpy(never, host, N * sizeof(float), cudaMemcpyHostToDevice);
		twice<<<(N + 255) / 256, 256>>>(in, out);
		cudaMemcpy(host, out, N * sizeof(float), cudaMemcpyDeviceToHost);
	}
	printf("%g\n", host[N - 1]);
	cudaFree(in);
	cudaFree(out);
	cudaFree(never);
	free(host);
	return 0;
}
