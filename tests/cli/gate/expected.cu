// SPDX-License-Identifier: Apache-2.0
// Lines that are expected, in the ways in which a source says so (argument 0), and such that are
// not (argument 1); without an argument all of them.
#include <cstdlib>
#include <cuda_runtime.h>

static const int many = 256;

#define AT(k) table[threadIdx.x * many + (k)]

// clang-format off
__global__ void wider(float *table, float *sums)
{
	for (int k = 0; k < many; k++)
		sums[threadIdx.x] += AT(k); // ct: expected uncoalesced
}

__global__ void several(float *table, float *sums)
{
	for (int k = 0; k < many; k++)
		sums[threadIdx.x] += AT(k); /* ct: expected race, strided-accesses: it is small */
}

__global__ void every(float *table, float *sums)
{
	for (int k = 0; k < many; k++)
		sums[threadIdx.x] += AT(k); // ct:expected all
}

__global__ void above(float *table, float *sums)
{
	for (int k = 0; k < many; k++)
		// ct: expected race
		// ct: expected strided-accesses - a small table
		sums[threadIdx.x] += AT(k);
}

__global__ void another(float *table, float *sums)
{
	for (int k = 0; k < many; k++)
		sums[threadIdx.x] += AT(k); // ct: expected contended-atomics
}

__global__ void unsaid(float *table, float *sums)
{
	for (int k = 0; k < many; k++) // ct: expected all
		sums[threadIdx.x] += AT(k); // cut: expected all
}

__global__ void mistyped(float *table, float *sums)
{
	for (int k = 0; k < many; k++)
		sums[threadIdx.x] += AT(k); // ct: expected strided-acceses
}
// clang-format on

int main(int argc, char **argv)
{
	float *table, *sums;
	cudaMalloc(&table, many * many * sizeof(float));
	cudaMalloc(&sums, many * sizeof(float));
	cudaMemset(table, 0, many * many * sizeof(float));
	cudaMemset(sums, 0, many * sizeof(float));
	if (argc < 2 || atoi(argv[1]) == 0) {
		wider<<<1, many>>>(table, sums);
		several<<<1, many>>>(table, sums);
		every<<<1, many>>>(table, sums);
		above<<<1, many>>>(table, sums);
	}
	if (argc < 2 || atoi(argv[1]) == 1) {
		another<<<1, many>>>(table, sums);
		unsaid<<<1, many>>>(table, sums);
		mistyped<<<1, many>>>(table, sums);
	}
	cudaFree(table);
	cudaFree(sums);
	return 0;
}
