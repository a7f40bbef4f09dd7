/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA half of the project: one kernel and its host function. */
#include "saxpy.h"
#include <cmath>
#include <cstddef>
#include <cuda_runtime.h>

static __global__ void saxpy_kernel(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = fmaf(a, x[i], y[i]);
}

int saxpy(int n, float a, const float *x, float *y)
{
	size_t bytes = n * sizeof(float);
	float *device_x = nullptr, *device_y = nullptr;
	cudaError_t error = cudaMalloc(&device_x, bytes);

	if (!error)
		error = cudaMalloc(&device_y, bytes);
	if (!error)
		error = cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
	if (!error)
		error = cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);
	if (!error) {
		saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, device_x, device_y);
		error = cudaGetLastError();
	}
	if (!error)
		error = cudaMemcpy(y, device_y, bytes, cudaMemcpyDeviceToHost);
	cudaFree(device_x);
	cudaFree(device_y);
	return error;
}
