// SPDX-License-Identifier: Apache-2.0
// A thread works on 48 sums at a time, in 32 registers: the others are in local memory.
// -DFIX_BOUNDS: it has as many registers as it needs.
#include "fixes.h"

#define SUMS 48

#ifdef FIX_BOUNDS
#define BOUNDS __launch_bounds__(256)
#else
#define BOUNDS __launch_bounds__(256, 8)
#endif

__global__ void BOUNDS sums(const float *in, float *out, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum[SUMS];

#pragma unroll
	for (int s = 0; s < SUMS; s++)
		sum[s] = s;
	for (int r = 0; r < rounds; r++) {
		float x = in[r];
#pragma unroll
		for (int s = 0; s < SUMS; s++)
			sum[s] = sum[s] * x + sum[(s + 7) % SUMS];
	}
#pragma unroll
	for (int s = 1; s < SUMS; s++)
		sum[0] += sum[s];
	out[i] = sum[0];
}

int main(int argc, char **argv)
{
	int n = 256 * (argc > 1 ? atoi(argv[1]) : 4), rounds = argc > 2 ? atoi(argv[2]) : 20;
	std::vector<float> host(rounds), end(n);
	float *in, *out;

	for (int i = 0; i < rounds; i++)
		host[i] = 0.001f * (i % 7);
	CHECK(cudaMalloc(&in, rounds * sizeof(float)));
	CHECK(cudaMalloc(&out, n * sizeof(float)));
	CHECK(cudaMemcpy(in, host.data(), rounds * sizeof(float), cudaMemcpyHostToDevice));
	began();
	for (int i = 0; i < 20; i++)
		sums<<<n / 256, 256>>>(in, out, rounds);
	CHECK(cudaMemcpy(end.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
	ended();
	printf("%.5g\n", end[n / 2]);
	return 0;
}
