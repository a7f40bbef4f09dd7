// SPDX-License-Identifier: Apache-2.0
// The consumer's stream waits for an event of the producer's.
#include <cstdio>

__global__ void produce(int *data, int value)
{
	data[threadIdx.x] = value + threadIdx.x;
}

__global__ void consume(const int *data, int *out)
{
	out[threadIdx.x] += data[threadIdx.x];
}

int main()
{
	cudaStream_t first, second;
	cudaEvent_t written, read;
	int *data, *out;

	cudaMalloc(&data, 64 * sizeof(int));
	cudaMalloc(&out, 64 * sizeof(int));
	cudaMemset(out, 0, 64 * sizeof(int));
	cudaDeviceSynchronize();
	cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
	cudaEventCreateWithFlags(&written, cudaEventDisableTiming);
	cudaEventCreateWithFlags(&read, cudaEventDisableTiming);
	for (int step = 0; step < 3; step++) {
		if (step)
			cudaStreamWaitEvent(first, read, 0);
		produce<<<1, 64, 0, first>>>(data, step);
		cudaEventRecord(written, first);
		cudaStreamWaitEvent(second, written, 0);
		consume<<<1, 64, 0, second>>>(data, out);
		cudaEventRecord(read, second);
	}
	cudaDeviceSynchronize();
	cudaEventDestroy(written);
	cudaEventDestroy(read);
	cudaStreamDestroy(first);
	cudaStreamDestroy(second);
	cudaFree(data);
	cudaFree(out);
	puts("done");
	return 0;
}
