// SPDX-License-Identifier: Apache-2.0
// Polls an event while it does useful work, then reads: needed.
#include "burn.h"
constexpr int N = 2048;
__global__ void job(float *x, float k, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	x[i] = k + i + (z == 7u);
}
int main()
{
	float *d, *h;
	OK(cudaMalloc(&d, N * 4));
	OK(cudaMallocHost(&h, N * 4));
	cudaEvent_t e;
	OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
	double sum = 0, want = 0;
	long polls = 0;
	for (int k = 0; k < 15; k++) {
		job<<<N / 128, 128>>>(d, k, ROUNDS / 400);
		OK(cudaMemcpyAsync(h, d, N * 4, cudaMemcpyDeviceToHost, 0));
		OK(cudaEventRecord(e));
		while (cudaEventQuery(e) == cudaErrorNotReady) {
			burn(MS);
			polls++;
		}
		for (int i = 0; i < N; i++)
			sum += h[i], want += k + i;
	}
	printf("%s\n", sum == want ? "ok" : "WRONG");
	return 0;
}
