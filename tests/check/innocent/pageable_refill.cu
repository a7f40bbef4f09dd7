// SPDX-License-Identifier: Apache-2.0
// Pageable memory may be changed once the call that copies from it has returned.
#include <cstdio>
#include <vector>

int main()
{
	const int n = 1500;
	std::vector<int> host(n);
	int *device;
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	cudaMalloc(&device, 3 * n * sizeof(int));
	for (int c = 0; c < 3; c++) {
		for (int i = 0; i < n; i++)
			host[i] = c * i;
		cudaMemcpyAsync(device + c * n, host.data(), n * sizeof(int),
				cudaMemcpyHostToDevice, stream);
	}
	cudaStreamSynchronize(stream);
	cudaFree(device);
	cudaStreamDestroy(stream);
	puts("done");
	return 0;
}
