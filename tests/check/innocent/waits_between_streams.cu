// SPDX-License-Identifier: Apache-2.0
// The host waits for one stream before it launches into the other.
#include <cstdio>

__global__ void produce(int *data)
{
	data[threadIdx.x] = threadIdx.x;
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
	cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
	produce<<<1, 32, 0, first>>>(data);
	cudaStreamSynchronize(first);
	consume<<<1, 32, 0, second>>>(data, out);
	cudaStreamSynchronize(second);
	cudaStreamDestroy(first);
	cudaStreamDestroy(second);
	cudaFree(data);
	cudaFree(out);
	puts("done");
	return 0;
}
