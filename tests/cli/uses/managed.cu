/* SPDX-License-Identifier: Apache-2.0 */
/* A worker of the device and the host at the same words of managed memory, again and again: each
 * fault that comes late, when the other one has opened the page, is the tracer's. */
#include <cstdio>

#define WORDS 2048
#define ROUNDS 3000

__global__ void add(int *sum, const int *data)
{
	sum[0] += data[threadIdx.x];
}

int main()
{
	int *data, *sum;
	long all = 0;

	cudaMallocManaged(&data, WORDS * sizeof(*data));
	cudaMallocManaged(&sum, 2 * sizeof(*sum));
	for (int i = 0; i < WORDS; i++)
		data[i] = i;
	for (int round = 0; round < ROUNDS; round++) {
		add<<<1, 1>>>(sum, data);
		if (cudaDeviceSynchronize() != cudaSuccess)
			return 2;
		if (round % 4 == 0)
			all += sum[round % 2];
	}
	printf("%ld %d %d\n", all, sum[0], sum[1]);
	return cudaGetLastError() != cudaSuccess;
}
