// SPDX-License-Identifier: Apache-2.0
// A kernel writes each second element, the next one reads all.
#include <cstdio>

__global__ void produce(int *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (2 * i < n)
		data[2 * i] = i;
}

__global__ void consume(const int *data, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = data[i] + 1; // check: uninitialized-read
}

int main()
{
	const int n = 256;
	int *data, *out;

	cudaMalloc(&data, n * sizeof(int));
	cudaMalloc(&out, n * sizeof(int));
	produce<<<2, 64>>>(data, n);
	consume<<<2, 128>>>(data, out, n);
	cudaDeviceSynchronize();
	cudaFree(data);
	cudaFree(out);
	puts("done");
	return 0;
}
