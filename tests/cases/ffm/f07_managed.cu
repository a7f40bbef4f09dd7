// SPDX-License-Identifier: Apache-2.0
// Managed memory: sync A before host reads at once (needed), sync B after which only the next
// kernel goes on (superfluous), sync C protects what the host fills for the next kernel (needed:
// the kernel reads it).
#include "burn.h"
constexpr int N = 2048;
__global__ void produce(float *x, float k, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	x[i] = k + i + (z == 7u);
}
__global__ void scale(const float *x, float *y, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	y[i] = 2 * x[i] + (z == 7u);
}
int main()
{
	float *x, *y;
	OK(cudaMallocManaged(&x, N * 4));
	OK(cudaMallocManaged(&y, N * 4));
	double sum = 0;
	for (int t = 0; t < 20; t++) {
		produce<<<N / 128, 128>>>(x, t, ROUNDS / 400);
		// problem: unnecessary-synchronization 20 of 20 times
		OK(cudaDeviceSynchronize()); // B superfluous
		burn_sink = burn(MS);
		scale<<<N / 128, 128>>>(x, y, ROUNDS / 400);
		OK(cudaDeviceSynchronize()); // A needed
		for (int i = 0; i < N; i++)
			sum += y[i];
	}
	double want = 0;
	for (int t = 0; t < 20; t++)
		for (int i = 0; i < N; i++)
			want += 2.0 * (t + i);
	for (int t = 0; t < 20; t++) {
		for (int i = 0; i < N; i++)
			x[i] = t;
		scale<<<N / 128, 128>>>(x, y, ROUNDS / 400);
		OK(cudaDeviceSynchronize()); // C needed
	}
	for (int i = 0; i < N; i++)
		sum += y[i], want += 2 * 19;
	printf("%s\n", sum == want ? "ok" : "WRONG");
	OK(cudaFree(x));
	OK(cudaFree(y));
	return sum != want;
}
