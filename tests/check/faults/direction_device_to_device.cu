// SPDX-License-Identifier: Apache-2.0
// The source of a copy on the device is an array of the host.
#include <cstdio>

int main()
{
	static int host[64];
	int *device;
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	cudaMalloc(&device, sizeof(host));
	// check: copy-direction
	cudaMemcpyAsync(device, host, sizeof(host), cudaMemcpyDeviceToDevice, stream);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	cudaFree(device);
	puts("done");
	return 0;
}
