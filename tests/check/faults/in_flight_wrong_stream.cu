// SPDX-License-Identifier: Apache-2.0
// The stream that is waited for before the buffer is filled again is not that of the copy.
#include <cstdio>

int main()
{
	int *pinned, *device;
	cudaStream_t copies, other;

	cudaMallocHost((void **)&pinned, 4096);
	cudaMalloc(&device, 4096);
	cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
	pinned[0] = 1;
	cudaMemcpyAsync(device, pinned, 4096, cudaMemcpyHostToDevice, copies);
	cudaStreamSynchronize(other);
	pinned[0] = 2; // check: pinned-in-flight
	cudaDeviceSynchronize();
	cudaStreamDestroy(copies);
	cudaStreamDestroy(other);
	cudaFree(device);
	cudaFreeHost(pinned);
	puts("done");
	return 0;
}
