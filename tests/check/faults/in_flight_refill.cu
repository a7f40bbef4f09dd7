// SPDX-License-Identifier: Apache-2.0
// A pinned buffer is filled anew while it is still being copied.
#include <cstdio>

static void fill(float *buffer, int n, float value)
{
	for (int i = 0; i < n; i++)
		buffer[i] = value + i; // check: pinned-in-flight
}

int main()
{
	const int n = 2048, chunks = 4;
	float *buffer, *device;
	cudaStream_t stream;

	cudaMallocHost((void **)&buffer, n * sizeof(float));
	cudaMalloc(&device, chunks * n * sizeof(float));
	cudaStreamCreate(&stream);
	for (int c = 0; c < chunks; c++) {
		fill(buffer, n, c);
		cudaMemcpyAsync(device + c * n, buffer, n * sizeof(float), cudaMemcpyHostToDevice,
				stream);
	}
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	cudaFree(device);
	cudaFreeHost(buffer);
	puts("done");
	return 0;
}
