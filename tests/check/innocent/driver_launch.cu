// SPDX-License-Identifier: Apache-2.0
// A kernel that the driver's call launches.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void negate(int *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] = -data[i];
}

int main()
{
	int *data, n = 70;
	void *arguments[] = {&data, &n};
	cudaFunction_t function;

	cudaMalloc(&data, n * sizeof(int));
	cudaMemset(data, 0, n * sizeof(int));
	cudaGetFuncBySymbol(&function, (const void *)negate);
	cuLaunchKernel((CUfunction)function, 3, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
	cuCtxSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
