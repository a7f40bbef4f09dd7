// SPDX-License-Identifier: Apache-2.0
// Memory of malloc that was registered is used by a kernel.
#include <cstdio>
#include <cstdlib>

__global__ void increment(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i]++;
}

int main()
{
	const int n = 4096;
	int *host = (int *)calloc(n, sizeof(int)), *device;

	cudaHostRegister(host, n * sizeof(int), cudaHostRegisterMapped);
	cudaHostGetDevicePointer((void **)&device, host, 0);
	increment<<<n / 256, 256>>>(device, n);
	cudaDeviceSynchronize();
	cudaHostUnregister(host);
	printf("%d\n", host[n - 1]);
	free(host);
	return 0;
}
