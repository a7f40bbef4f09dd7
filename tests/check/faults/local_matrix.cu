// SPDX-License-Identifier: Apache-2.0
// A small matrix per thread is read with a row that it does not have.
#include <cstdio>

__global__ void pick(const float *in, const int *rows, float *out)
{
	float m[3][3];

	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			m[r][c] = in[3 * r + c] + threadIdx.x;
	out[threadIdx.x] = m[rows[threadIdx.x]][1]; // check: local-out-of-bounds
}

int main()
{
	int host[32], *rows;
	float *in, *out;

	for (int i = 0; i < 32; i++)
		host[i] = i % 4;
	cudaMalloc(&rows, sizeof(host));
	cudaMemcpy(rows, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMalloc(&in, 9 * sizeof(float));
	cudaMemset(in, 0, 9 * sizeof(float));
	cudaMalloc(&out, 32 * sizeof(float));
	pick<<<1, 32>>>(in, rows, out);
	cudaDeviceSynchronize();
	cudaFree(rows);
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
