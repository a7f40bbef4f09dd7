// SPDX-License-Identifier: Apache-2.0
// A table that is a variable of the host, passed by its address.
#include <cstdio>

static int primes[12] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

__global__ void multiply(const int *table, int *out)
{
	int i = threadIdx.x;

	out[i] = i * table[i % 12]; // check: host-memory
}

int main()
{
	int *out;

	cudaMalloc(&out, 96 * sizeof(int));
	multiply<<<1, 96>>>(primes, out);
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
