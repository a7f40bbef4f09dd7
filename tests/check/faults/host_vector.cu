// SPDX-License-Identifier: Apache-2.0
// data() of a std::vector is no memory of the device.
#include <cstdio>
#include <vector>

template <typename T> __global__ void axpy(T a, const T *x, T *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] += a * x[i]; // check: host-memory
}

int main()
{
	std::vector<float> x(1500, 1.f);
	int n = (int)x.size();
	float *y;

	cudaMalloc(&y, n * sizeof(float));
	cudaMemset(y, 0, n * sizeof(float));
	axpy<<<(n + 127) / 128, 128>>>(2.f, x.data(), y, n);
	cudaDeviceSynchronize();
	cudaFree(y);
	puts("done");
	return 0;
}
