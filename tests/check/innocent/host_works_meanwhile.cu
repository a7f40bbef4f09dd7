// SPDX-License-Identifier: Apache-2.0
// While a copy from one half of a pinned buffer is under way the host uses the other half.
#include <cstdio>

int main()
{
	const int n = 2048;
	int *pinned, *device;
	long sum = 0;

	cudaMallocHost((void **)&pinned, 2 * n * sizeof(int));
	cudaMalloc(&device, n * sizeof(int));
	for (int i = 0; i < 2 * n; i++)
		pinned[i] = i;
	cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice);
	for (int i = n; i < 2 * n; i++)
		pinned[i] = -i;
	for (int i = 0; i < n; i++)
		sum += pinned[i];
	cudaDeviceSynchronize();
	printf("%ld\n", sum);
	cudaFreeHost(pinned);
	cudaFree(device);
	return 0;
}
