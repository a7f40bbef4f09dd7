// SPDX-License-Identifier: Apache-2.0
// Two streams use two halves of one array at once.
#include <cstdio>

__global__ void fill(int *part, int value)
{
	part[threadIdx.x] = value;
}

int main()
{
	cudaStream_t streams[2];
	int *data;

	cudaMalloc(&data, 128 * sizeof(int));
	for (int s = 0; s < 2; s++) {
		cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
		fill<<<1, 64, 0, streams[s]>>>(data + 64 * s, s);
	}
	cudaDeviceSynchronize();
	for (int s = 0; s < 2; s++)
		cudaStreamDestroy(streams[s]);
	cudaFree(data);
	puts("done");
	return 0;
}
