// SPDX-License-Identifier: Apache-2.0
// A filter of 64 taps. All threads read a tap at the same time from global memory; -DFIX_CONSTANT:
// from constant memory.
#include "fixes.h"

#define TAPS 64

#ifdef FIX_CONSTANT
__constant__ float taps[TAPS];
#define TAPS_PARAMETER
#define TAPS_ARGUMENT
#else
#define TAPS_PARAMETER const float *taps,
#define TAPS_ARGUMENT taps,
#endif

__global__ void filter(TAPS_PARAMETER const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (i >= n)
		return;
	for (int t = 0; t < TAPS; t++)
		sum += taps[t] * in[i + t];
	out[i] = sum;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4096, rounds = argc > 2 ? atoi(argv[2]) : 3;
	std::vector<float> start(n + TAPS), weight(TAPS), end(n);
	float *in, *out;

	for (int i = 0; i < n + TAPS; i++)
		start[i] = i * 2654435761u % 65521 * 0.00001f;
	for (int t = 0; t < TAPS; t++)
		weight[t] = (t % 5 - 2) * 0.125f;
#ifdef FIX_CONSTANT
	CHECK(cudaMemcpyToSymbol(taps, weight.data(), TAPS * sizeof(float)));
#else
	float *taps;
	CHECK(cudaMalloc(&taps, TAPS * sizeof(float)));
	CHECK(cudaMemcpy(taps, weight.data(), TAPS * sizeof(float), cudaMemcpyHostToDevice));
#endif
	CHECK(cudaMalloc(&in, (n + TAPS) * sizeof(float)));
	CHECK(cudaMalloc(&out, n * sizeof(float)));
	CHECK(cudaMemcpy(in, start.data(), (n + TAPS) * sizeof(float), cudaMemcpyHostToDevice));
	began();
	for (int i = 0; i < rounds; i++)
		filter<<<(n + 255) / 256, 256>>>(TAPS_ARGUMENT in, out, n);
	CHECK(cudaMemcpy(end.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
	ended();
	printf("%.5g\n", end[n / 2]);
	return 0;
}
