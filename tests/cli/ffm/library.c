/* SPDX-License-Identifier: Apache-2.0 */
/* A library that waits for the device by itself, without us: linked on its own, so that none of its
 * calls has a wrapper. */
#include <cuda_runtime_api.h>

void library_settle(cudaStream_t stream)
{
	cudaStreamSynchronize(stream);
	__asm__ volatile(""); /* its frame stays: no jump in place of the call */
}

void library_fetch(cudaStream_t stream)
{
	cudaStreamSynchronize(stream);
	__asm__ volatile("");
}

void library_finish(void)
{
	cudaDeviceSynchronize();
	__asm__ volatile("");
}
