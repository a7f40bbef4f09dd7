// SPDX-License-Identifier: Apache-2.0
// cudaFree of pinned host memory.
#include <cstdio>

int main()
{
	int *host;

	cudaMallocHost(&host, 4096);
	host[0] = 1;
	cudaFree(host); // check: wrong-free
	puts("done");
	return 0;
}
