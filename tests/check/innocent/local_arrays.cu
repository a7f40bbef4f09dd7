// SPDX-License-Identifier: Apache-2.0
// Arrays in local memory with indices that are known at run time alone.
#include <cstdio>

__global__ void sort(int *data, int each)
{
	int mine[12];

	for (int i = 0; i < each; i++)
		mine[i] = data[threadIdx.x * each + i];
	for (int i = 1; i < each; i++) {
		int value = mine[i], at = i;

		while (at > 0 && mine[at - 1] > value) {
			mine[at] = mine[at - 1];
			at--;
		}
		mine[at] = value;
	}
	for (int i = 0; i < each; i++)
		data[threadIdx.x * each + i] = mine[i];
}

int main()
{
	int host[16 * 12], *data;

	for (int i = 0; i < 16 * 12; i++)
		host[i] = i * 31 % 57;
	cudaMalloc(&data, sizeof(host));
	cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
	sort<<<1, 16>>>(data, 12);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
