// SPDX-License-Identifier: Apache-2.0
// Barriers that vote and count.
#include <cstdio>

__global__ void votes(const int *in, int *out)
{
	int t = threadIdx.x, round = 0, value = in[t];

	while (__syncthreads_or(value > 0)) {
		value -= t + 1;
		round++;
	}
	int zeros = __syncthreads_count(in[t] == 0);
	int all = __syncthreads_and(round > 0);
	if (t == 0)
		*out = zeros + all + round;
}

int main()
{
	int host[64], *in, *out;

	for (int i = 0; i < 64; i++)
		host[i] = i % 9;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	votes<<<1, 64>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
