// SPDX-License-Identifier: Apache-2.0
// A kernel that runs what it is given; the lambda has the array.
#include <cstdio>

template <typename F> __global__ void for_each(int n, F body)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		body(i);
}

struct set_next {
	int *out;

	__device__ void operator()(int i) const
	{
		out[i + 1] = i; // check: out-of-bounds
	}
};

int main()
{
	const int n = 77;
	int *out;

	cudaMalloc(&out, n * sizeof(int));
	for_each<<<1, 96>>>(n, set_next{out});
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
