// SPDX-License-Identifier: Apache-2.0
// Problems for the gate: a table that is read by columns, counters that all threads update. With
// -DMORE a second one of each, in another kernel; with -DSHIFT the same on other lines, with other
// parameters, in another type; with -DFIXED the table is read by rows.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#ifdef SHIFT
// Lines more, which move all that is below,
// and a name
// that is not used.
static const int unused_name = 3;
#endif

static const int many = 256;

#ifdef SHIFT
template <typename Sum> __global__ void columns(const float *table, Sum *sums, long rows)
#else
__global__ void columns(const float *table, float *sums)
#endif
{
	float sum = 0;
	for (int k = 0; k < many; k++)
#ifdef FIXED
		sum += table[k * many + threadIdx.x];
#else
		sum += table[threadIdx.x * many + k]; // EXPECTED
#endif
	sums[threadIdx.x] = sum;
}

__global__ void count(const float *table, int *counts)
{
	int bin = table[blockIdx.x * many + threadIdx.x] > 0.5f;
	atomicAdd(&counts[bin], 1); // COUNTED
}

#ifdef MORE
__global__ void more(const float *table, float *sums)
{
	float sum = 1;
	for (int k = 0; k < many; k++)
		sum *= table[threadIdx.x * many + k];
	sums[threadIdx.x] = sum;
}
#endif

int main()
{
	float *table, *sums, *host = (float *)malloc(many * many * sizeof(float));
	int *counts;
	for (int i = 0; i < many * many; i++)
		host[i] = (float)(i % 7) / 7;
	cudaMalloc(&table, many * many * sizeof(float));
	cudaMalloc(&sums, many * sizeof(float));
	cudaMalloc(&counts, 2 * sizeof(int));
	cudaMemcpy(table, host, many * many * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemset(counts, 0, 2 * sizeof(int));
#ifdef SHIFT
	columns<<<1, many>>>(table, sums, 0l);
#else
	columns<<<1, many>>>(table, sums);
#endif
	count<<<many, many>>>(table, counts);
#ifdef MORE
	more<<<1, many>>>(table, sums);
#endif
	cudaMemcpy(host, sums, many * sizeof(float), cudaMemcpyDeviceToHost);
	printf("%g\n", host[3]);
	cudaFree(table);
	cudaFree(sums);
	cudaFree(counts);
	free(host);
	return 0;
}
