/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of this folder share: an end that tells of errors. */
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
