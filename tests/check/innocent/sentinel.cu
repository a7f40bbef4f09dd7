// SPDX-License-Identifier: Apache-2.0
// A search goes on until it meets the sentinel behind the last element.
#include <cstdio>

__global__ void lengths(const int *lists, int each, int *out)
{
	const int *p = lists + threadIdx.x * (each + 1);
	int length = 0;

	while (*p != -1) {
		p++;
		length++;
	}
	out[threadIdx.x] = length;
}

int main()
{
	const int count = 16, each = 20;
	int host[count * (each + 1)], *lists, *out;

	for (int i = 0; i < count * (each + 1); i++)
		host[i] = i % (each + 1) == each ? -1 : i;
	cudaMalloc(&lists, sizeof(host));
	cudaMalloc(&out, count * sizeof(int));
	cudaMemcpy(lists, host, sizeof(host), cudaMemcpyHostToDevice);
	lengths<<<1, count>>>(lists, each, out);
	cudaDeviceSynchronize();
	cudaFree(lists);
	cudaFree(out);
	puts("done");
	return 0;
}
