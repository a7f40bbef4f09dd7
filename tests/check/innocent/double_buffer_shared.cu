// SPDX-License-Identifier: Apache-2.0
// Two tiles in turns, and one barrier for each step.
#include <cstdio>

#define T 64

__global__ void steps(const float *in, float *out, int count)
{
	__shared__ float tiles[2][T];
	int t = threadIdx.x;
	float sum = 0;

	for (int k = 0; k < count; k++) {
		tiles[k % 2][t] = in[k * T + t];
		__syncthreads();
		sum += tiles[k % 2][(t + 33) % T];
	}
	out[t] = sum;
}

int main()
{
	const int count = 6;
	float host[count * T] = {}, *in, *out;

	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, T * sizeof(float));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	steps<<<1, T>>>(in, out, count);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
