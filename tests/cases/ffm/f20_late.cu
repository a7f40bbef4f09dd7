// SPDX-License-Identifier: Apache-2.0
// Results are needed 6 ms after the wait.
#include "burn.h"
constexpr int N = 65536;
__global__ void job(float *x, float k, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	x[i] = k + i + (z == 7u);
}
static double consume(const float *h)
{
	double s = 0;
	for (int i = 0; i < N; i++)
		s += h[i];
	return s;
}
int main()
{
	float *d, *h;
	cudaStream_t s;
	OK(cudaStreamCreate(&s));
	OK(cudaMalloc(&d, N * 4));
	OK(cudaMallocHost(&h, N * 4));
	double sum = 0;
	for (int k = 0; k < 15; k++) {
		job<<<N / 128, 128, 0, s>>>(d, k, ROUNDS / 400);
		OK(cudaMemcpyAsync(h, d, N * 4, cudaMemcpyDeviceToHost, s));
		// reported: wait for it before f20_late.cu
		// problem: misplaced-synchronization 15 of 15 times
		OK(cudaStreamSynchronize(s)); // MISPLACED
		burn_sink = burn(6 * MS);
		sum += consume(h); // FIRST USE inside consume()
	}
	printf("%.6g\n", sum);
	return 0;
}
