/* SPDX-License-Identifier: Apache-2.0 */
/* The unit beside default-stream.cu that is built without per-thread default streams, nor any
 * header of CUDA's. */
#include <cstddef>

struct extent {
	unsigned x, y, z;
};

extern "C" int cudaLaunchKernel(const void *kernel, extent grid, extent block, void **arguments,
				size_t shared_bytes, void *stream);

void add_in_legacy_stream(const void *kernel, int *p, int value);

void add_in_legacy_stream(const void *kernel, int *p, int value)
{
	void *arguments[] = {&p, &value};

	cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr);
}
