// SPDX-License-Identifier: Apache-2.0
// A function that fails has cleaned up, and its caller cleans up again.
#include <cstdio>

static int prepare(int **out, int n)
{
	cudaMalloc(out, n * sizeof(int));
	if (n < 100) {
		cudaFree(*out);
		return -1;
	}
	return 0;
}

int main()
{
	int *data = nullptr;

	if (prepare(&data, 10) < 0)
		puts("too small");
	cudaFree(data); // check: double-free
	return 0;
}
