// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp exchange values in shared memory as if they went in step: since sm_70 they need
// __syncwarp().
#include <cstdio>

__global__ void warp_sums(const int *in, int *out)
{
	__shared__ volatile int tile[64];
	int t = threadIdx.x, lane = t % 32;

	tile[t] = in[t];
	for (int half = 16; half > 0; half /= 2)
		if (lane < half)
			tile[t] += tile[t + half]; // check: shared-race
	if (lane == 0)
		out[t / 32] = tile[t];
}

int main()
{
	int host[64], *in, *out;

	for (int i = 0; i < 64; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, 2 * sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	warp_sums<<<1, 64>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
