// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp exchange values in shared memory, with __syncwarp() between.
#include <cstdio>

__global__ void warp_sums(const int *in, int *out)
{
	__shared__ int tile[64];
	int t = threadIdx.x, lane = t % 32;
	int sum = in[t];

	tile[t] = sum;
	__syncwarp();
	for (int half = 16; half > 0; half /= 2) {
		if (lane < half)
			sum += tile[t + half];
		__syncwarp();
		if (lane < half)
			tile[t] = sum;
		__syncwarp();
	}
	if (lane == 0)
		out[t / 32] = sum;
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
