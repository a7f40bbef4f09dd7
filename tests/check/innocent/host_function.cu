// SPDX-License-Identifier: Apache-2.0
// A function of the host runs in the stream, behind the copy whose result it reads.
#include <cstdio>

static int seen;

static void look(void *result)
{
	seen = *(int *)result;
}

__global__ void answer(int *out)
{
	*out = 42;
}

int main()
{
	int *pinned, *device;
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	cudaMallocHost((void **)&pinned, sizeof(int));
	cudaMalloc(&device, sizeof(int));
	answer<<<1, 1, 0, stream>>>(device);
	cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost, stream);
	cudaLaunchHostFunc(stream, look, pinned);
	cudaStreamSynchronize(stream);
	printf("%d\n", seen);
	cudaFreeHost(pinned);
	cudaFree(device);
	cudaStreamDestroy(stream);
	return 0;
}
