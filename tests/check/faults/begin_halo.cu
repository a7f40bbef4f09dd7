// SPDX-License-Identifier: Apache-2.0
// The kernel moves its pointer by the radius of a halo that the array does not have.
#include <cstdio>

template <int RADIUS> __global__ void window(const double *in, double *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	in -= RADIUS;
	double sum = 0;
	for (int k = 0; k <= RADIUS; k++)
		sum += in[i + k]; // check: before-begin
	out[i] = sum;
}

int main()
{
	const int n = 200;
	double *in, *out;

	cudaMalloc(&in, n * sizeof(double));
	cudaMalloc(&out, n * sizeof(double));
	cudaMemset(in, 0, n * sizeof(double));
	window<3><<<2, 128>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
