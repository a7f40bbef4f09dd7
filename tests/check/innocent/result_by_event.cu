// SPDX-License-Identifier: Apache-2.0
// The event behind the copy is waited for before its result is read.
#include <cstdio>

__global__ void fill(int *x)
{
	x[threadIdx.x] = threadIdx.x;
}

int main()
{
	int *pinned, *device;
	cudaStream_t stream;
	cudaEvent_t copied;

	cudaStreamCreate(&stream);
	cudaEventCreate(&copied);
	cudaMallocHost((void **)&pinned, 4096);
	cudaMalloc(&device, 64 * sizeof(int));
	fill<<<1, 64, 0, stream>>>(device);
	cudaMemcpyAsync(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
	cudaEventRecord(copied, stream);
	cudaEventSynchronize(copied);
	printf("%d\n", pinned[63]);
	cudaEventDestroy(copied);
	cudaFreeHost(pinned);
	cudaFree(device);
	cudaStreamDestroy(stream);
	return 0;
}
