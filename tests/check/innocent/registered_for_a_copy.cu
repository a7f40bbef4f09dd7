// SPDX-License-Identifier: Apache-2.0
// A std::vector is registered while it is copied asynchronously.
#include <cstdio>
#include <vector>

int main()
{
	std::vector<float> host(2048, 1.f);
	size_t bytes = host.size() * sizeof(float);
	float *device;
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	cudaMalloc(&device, bytes);
	cudaHostRegister(host.data(), bytes, cudaHostRegisterDefault);
	cudaMemcpyAsync(device, host.data(), bytes, cudaMemcpyHostToDevice, stream);
	cudaMemsetAsync(device, 0, bytes / 2, stream);
	cudaMemcpyAsync(host.data(), device, bytes, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	cudaHostUnregister(host.data());
	printf("%g %g\n", host[0], host[2047]);
	cudaFree(device);
	cudaStreamDestroy(stream);
	return 0;
}
