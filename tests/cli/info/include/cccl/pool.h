/* SPDX-License-Identifier: Apache-2.0 */
/* As a library's that allocates: not a line of the program. */
#pragma once
#include <cuda_runtime.h>

inline float *pool_take(size_t count)
{
	void *memory = nullptr;

	cudaMalloc(&memory, count * sizeof(float));
	return static_cast<float *>(memory);
}
