// SPDX-License-Identifier: Apache-2.0
// A stencil with the radius as template argument forgets the right edge.
#include <cstdio>

template <int R, typename T> __global__ void smooth(const T *in, T *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	T sum = 0;

	if (i < R || i >= n)
		return;
	for (int k = -R; k <= R; k++)
		sum += in[i + k]; // check: out-of-bounds
	out[i] = sum / (2 * R + 1);
}

int main()
{
	const int n = 500;
	double *in, *out;

	cudaMalloc(&in, n * sizeof(double));
	cudaMalloc(&out, n * sizeof(double));
	cudaMemset(in, 0, n * sizeof(double));
	smooth<2><<<4, 128>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
