// SPDX-License-Identifier: Apache-2.0
// (1) host wait that only orders two streams: an event would do.  (2) result looked at every 10th
// step only (log). (3) sync directly before cudaMemcpy: superfluous but worth nothing.
#include "burn.h"
constexpr int N = 2048;
__global__ void a_writes(float *x, float k, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	x[i] = k + i + (z == 7u);
}
__global__ void b_reads(const float *x, float *y, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	y[i] = 2 * x[i] + (z == 7u);
}
static float *x, *y, *h;
static void ordered(cudaStream_t s1, cudaStream_t s2)
{
	for (int k = 0; k < 20; k++) {
		a_writes<<<N / 128, 128, 0, s1>>>(x, k, ROUNDS / 400);
		// reported: f12_order.cu:25 by an event that the other stream waits for
		// problem: unnecessary-synchronization 20 of 20 times
		OK(cudaStreamSynchronize(s1)); // ORDER
		b_reads<<<N / 128, 128, 0, s2>>>(x, y, ROUNDS / 400);
		burn_sink = burn(2 * MS);
		// reported: f12_order.cu:30 by an event that the other stream waits for
		// problem: unnecessary-synchronization 20 of 20 times
		OK(cudaStreamSynchronize(s2)); // ORDER BACK
	}
}
static double logged(cudaStream_t s)
{
	double sum = 0;
	for (int k = 0; k < 30; k++) {
		a_writes<<<N / 128, 128, 0, s>>>(x, k, ROUNDS / 400);
		OK(cudaMemcpyAsync(h, x, N * 4, cudaMemcpyDeviceToHost, s));
		// problem: unnecessary-synchronization 27 of 30 times
		OK(cudaStreamSynchronize(s)); // LOG: needed in 3 of 30
		if (k % 10 == 9)
			sum += h[3];
		burn_sink = burn(2 * MS);
	}
	return sum;
}
static double direct()
{
	double sum = 0;
	static float v[N];
	for (int k = 0; k < 20; k++) {
		a_writes<<<N / 128, 128>>>(x, k, ROUNDS / 400);
		// problem: unnecessary-synchronization 20 of 20 times
		OK(cudaDeviceSynchronize());                         // BEFORE COPY
		OK(cudaMemcpy(v, x, N * 4, cudaMemcpyDeviceToHost)); // COPY
		sum += v[9];
	}
	return sum;
}
int main()
{
	cudaStream_t s1, s2;
	OK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
	OK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
	OK(cudaMalloc(&x, N * 4));
	OK(cudaMalloc(&y, N * 4));
	OK(cudaMallocHost(&h, N * 4));
	ordered(s1, s2);
	double v = logged(s1) + direct();
	printf("%s\n", v == (9 + 3) + (19 + 3) + (29 + 3) + 190 + 20 * 9 ? "ok" : "WRONG");
	return 0;
}
