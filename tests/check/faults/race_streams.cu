// SPDX-License-Identifier: Apache-2.0
// Producer and consumer are in two streams, without an event between them.
#include <cstdio>

__global__ void produce(int *data)
{
	data[threadIdx.x] = threadIdx.x; // check: race
}

__global__ void consume(const int *data, int *out)
{
	out[threadIdx.x] = data[threadIdx.x] + 1;
}

int main()
{
	cudaStream_t first, second;
	int *data, *out;

	cudaMalloc(&data, 64 * sizeof(int));
	cudaMalloc(&out, 64 * sizeof(int));
	cudaMemset(data, 0, 64 * sizeof(int));
	cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
	cudaDeviceSynchronize();
	produce<<<1, 64, 0, first>>>(data);
	consume<<<1, 64, 0, second>>>(data, out);
	cudaDeviceSynchronize();
	cudaStreamDestroy(first);
	cudaStreamDestroy(second);
	cudaFree(data);
	cudaFree(out);
	puts("done");
	return 0;
}
