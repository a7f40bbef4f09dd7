// SPDX-License-Identifier: Apache-2.0
// Half of the array is copied to the device: the size of float in place of that of double.
#include <cstdio>
#include <vector>

__global__ void squares(const double *in, double *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[i] * in[i]; // check: uninitialized-read
}

int main()
{
	const int n = 300;
	std::vector<double> host(n, 1.5);
	double *in, *out;

	cudaMalloc(&in, n * sizeof(double));
	cudaMalloc(&out, n * sizeof(double));
	cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
	squares<<<3, 100>>>(in, out, n);
	cudaMemcpy(host.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
