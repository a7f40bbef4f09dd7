/* SPDX-License-Identifier: Apache-2.0 */
/* A library that waits for the device by itself, compiled and linked without us, and without lines.
 */
#include <cuda_runtime_api.h>

void library_complete(cudaStream_t stream)
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
