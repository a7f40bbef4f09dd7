// SPDX-License-Identifier: Apache-2.0
// The kernel is launched by the driver's call.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void negate(int *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] = -data[i]; // check: out-of-bounds
}

int main()
{
	int *data, n = 65;
	void *arguments[] = {&data, &n};
	cudaFunction_t function;

	cudaMalloc(&data, 64 * sizeof(int));
	cudaMemset(data, 0, 64 * sizeof(int));
	cudaGetFuncBySymbol(&function, (const void *)negate);
	cuLaunchKernel((CUfunction)function, 3, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
