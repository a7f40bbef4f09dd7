// SPDX-License-Identifier: Apache-2.0
// A tree over a number of threads that is no power of two.
#include <cstdio>

__global__ void largest(const int *in, int *out)
{
	extern __shared__ int tile[];
	unsigned t = threadIdx.x;

	tile[t] = in[t];
	__syncthreads();
	for (unsigned half = 64; half; half /= 2) {
		if (t < half)
			tile[t] = max(tile[t], tile[t + half]); // check: uninitialized-shared
		__syncthreads();
	}
	if (t == 0)
		*out = tile[0];
}

int main()
{
	int *in, *out;

	cudaMalloc(&in, 100 * sizeof(int));
	cudaMalloc(&out, sizeof(int));
	cudaMemset(in, 0, 100 * sizeof(int));
	largest<<<1, 100, 128 * sizeof(int)>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
