// SPDX-License-Identifier: Apache-2.0
// The end of a range is taken for its last element.
#include <cstdio>

__global__ void clear(int *begin, int *end)
{
	for (int *p = begin + threadIdx.x; p <= end; p += blockDim.x)
		*p = 0; // check: out-of-bounds
}

int main()
{
	const int n = 640;
	int *data;

	cudaMalloc(&data, n * sizeof(int));
	clear<<<1, 64>>>(data, data + n);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
