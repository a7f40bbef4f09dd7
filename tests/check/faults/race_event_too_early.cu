// SPDX-License-Identifier: Apache-2.0
// The event is recorded before the kernel that is to be waited for.
#include <cstdio>

__global__ void produce(int *data)
{
	data[threadIdx.x] = threadIdx.x; // check: race
}

__global__ void consume(const int *data, int *out)
{
	out[threadIdx.x] = 2 * data[threadIdx.x];
}

int main()
{
	cudaStream_t first, second;
	cudaEvent_t written;
	int *data, *out;

	cudaMalloc(&data, 32 * sizeof(int));
	cudaMalloc(&out, 32 * sizeof(int));
	cudaMemset(data, 0, 32 * sizeof(int));
	cudaDeviceSynchronize();
	cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
	cudaEventCreateWithFlags(&written, cudaEventDisableTiming);
	cudaEventRecord(written, first);
	produce<<<1, 32, 0, first>>>(data);
	cudaStreamWaitEvent(second, written, 0);
	consume<<<1, 32, 0, second>>>(data, out);
	cudaDeviceSynchronize();
	cudaEventDestroy(written);
	cudaStreamDestroy(first);
	cudaStreamDestroy(second);
	cudaFree(data);
	cudaFree(out);
	puts("done");
	return 0;
}
