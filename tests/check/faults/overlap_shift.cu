// SPDX-License-Identifier: Apache-2.0
// An array is shifted by one element, by a copy onto itself.
#include <cstdio>

int main()
{
	int *data;

	cudaMalloc(&data, 100 * sizeof(int));
	cudaMemset(data, 0, 100 * sizeof(int));
	// check: copy-overlap
	cudaMemcpy(data + 1, data, 99 * sizeof(int), cudaMemcpyDeviceToDevice);
	cudaFree(data);
	puts("done");
	return 0;
}
