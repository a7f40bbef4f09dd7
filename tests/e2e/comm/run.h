/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of this folder share this: an end that reports errors. */
#include <cstdio>
#include <cstdlib>

static void must(cudaError_t error)
{
	if (error == cudaSuccess)
		return;
	printf("%s\n", cudaGetErrorString(error));
	exit(1);
}

static int finish()
{
	must(cudaGetLastError());
	must(cudaDeviceSynchronize());
	return 0;
}
