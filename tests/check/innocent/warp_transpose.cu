// SPDX-License-Identifier: Apache-2.0
// Each warp transposes a small tile of its own in shared memory.
#include <cstdio>

__global__ void transpose(const int *in, int *out)
{
	__shared__ int tiles[4][8][5];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

	tiles[warp][lane / 4][lane % 4] = in[threadIdx.x];
	__syncwarp();
	out[threadIdx.x] = tiles[warp][lane % 8][lane / 8];
}

int main()
{
	int host[128], *in, *out;

	for (int i = 0; i < 128; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	transpose<<<1, 128>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
