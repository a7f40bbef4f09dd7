// SPDX-License-Identifier: Apache-2.0
// A superfluous wait in a loop; every second time the kernel is done already when it is reached.
// None is needed: delete it.
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
	for (int k = 0; k < 20; k++) {
		job<<<N / 128, 128>>>(d, k, ROUNDS / 400);
		if (k % 2)
			burn(20 * MS); // 20 ms: longer than the kernel
		// reported: Delete cudaDeviceSynchronize
		// problem: unnecessary-synchronization 20 of 20 times
		OK(cudaDeviceSynchronize()); // SUPERFLUOUS 20 of 20; waits in 10
		burn(4 * MS);
	}
	OK(cudaMemcpy(h, d, N * 4, cudaMemcpyDeviceToHost));
	printf("%s\n", h[5] == 24 ? "ok" : "WRONG");
	return 0;
}
