// SPDX-License-Identifier: Apache-2.0
// The event that is waited for was recorded before the copy.
#include <cstdio>
#include <cstring>

__global__ void fill(char *x)
{
	x[threadIdx.x] = 'y';
}

int main()
{
	char *pinned, *device, text[65] = {};
	cudaStream_t stream;
	cudaEvent_t copied;

	cudaMallocHost((void **)&pinned, 4096);
	cudaMalloc(&device, 64);
	cudaStreamCreate(&stream);
	cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
	fill<<<1, 64, 0, stream>>>(device);
	cudaEventRecord(copied, stream);
	cudaMemcpyAsync(pinned, device, 64, cudaMemcpyDeviceToHost, stream);
	cudaEventSynchronize(copied);
	memcpy(text, pinned, 64); // check: result-before-wait
	cudaStreamSynchronize(stream);
	printf("%zu\n", strlen(text));
	cudaEventDestroy(copied);
	cudaStreamDestroy(stream);
	cudaFree(device);
	cudaFreeHost(pinned);
	return 0;
}
