// SPDX-License-Identifier: Apache-2.0
// The default stream waits for streams that do not say otherwise, and they wait for it.
#include <cstdio>

__global__ void produce(int *data)
{
	data[threadIdx.x] = threadIdx.x;
}

__global__ void change(int *data)
{
	data[threadIdx.x] *= 2;
}

__global__ void consume(const int *data, int *out)
{
	out[threadIdx.x] = data[threadIdx.x];
}

int main()
{
	cudaStream_t first, second;
	int *data, *out;

	cudaMalloc(&data, 32 * sizeof(int));
	cudaMalloc(&out, 32 * sizeof(int));
	cudaStreamCreate(&first);
	cudaStreamCreate(&second);
	produce<<<1, 32, 0, first>>>(data);
	change<<<1, 32>>>(data);
	consume<<<1, 32, 0, second>>>(data, out);
	cudaStreamSynchronize(second);
	cudaStreamDestroy(first);
	cudaStreamDestroy(second);
	cudaFree(data);
	cudaFree(out);
	puts("done");
	return 0;
}
