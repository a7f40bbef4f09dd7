// SPDX-License-Identifier: Apache-2.0
// The host asks again and again whether the stream is done, and reads the result then.
#include <cstdio>

__global__ void fill(int *x)
{
	x[threadIdx.x] = threadIdx.x;
}

int main()
{
	int *pinned, *device;
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	cudaMallocHost((void **)&pinned, 64 * sizeof(int));
	cudaMalloc(&device, 64 * sizeof(int));
	fill<<<1, 64, 0, stream>>>(device);
	cudaMemcpyAsync(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
	while (cudaStreamQuery(stream) == cudaErrorNotReady)
		;
	printf("%d\n", pinned[63]);
	cudaFreeHost(pinned);
	cudaFree(device);
	cudaStreamDestroy(stream);
	return 0;
}
