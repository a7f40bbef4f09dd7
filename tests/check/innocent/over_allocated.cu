// SPDX-License-Identifier: Apache-2.0
// The array is allocated for the next power of two, and only what is needed of it is used.
#include <cstdio>

__global__ void reverse(int *data, int n)
{
	int i = threadIdx.x;

	if (i < n / 2) {
		int t = data[i];

		data[i] = data[n - 1 - i];
		data[n - 1 - i] = t;
	}
}

int main()
{
	const int n = 100, room = 128;
	int host[n] = {}, *data;

	cudaMalloc(&data, room * sizeof(int));
	cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
	reverse<<<1, 64>>>(data, n);
	cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost);
	cudaFree(data);
	puts("done");
	return 0;
}
