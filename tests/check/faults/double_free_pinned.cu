// SPDX-License-Identifier: Apache-2.0
// Pinned memory is freed twice.
#include <cstdio>

static void release(void **buffer)
{
	cudaFreeHost(*buffer); // check: double-free
}

int main()
{
	void *buffer;

	cudaMallocHost(&buffer, 4096);
	release(&buffer);
	release(&buffer);
	puts("done");
	return 0;
}
