/* SPDX-License-Identifier: Apache-2.0 */
/* The device runtime: launches of kernels from device code. */
#include "cpu-target/device/device.h"
#include "cpu-target/runtime/exec/device_launch.h"

#define FUNCTION(symbol) __ct_cpu_fn_##symbol
#define TAIL_STREAM 0x3 /* cudaStreamTailLaunch */

void *FUNCTION(__cudaCDP2GetParameterBuffer)(u64 alignment, u64 bytes)
{
	return __ct_cpu_launch_buffer(alignment, bytes);
}

u32 FUNCTION(__cudaCDP2LaunchDevice)(const struct ct_cpu_kernel *kernel, void *parameters,
				     const u32 *grid, const u32 *block, u32 dynamic_shared_bytes,
				     u64 stream)
{
	return __ct_cpu_launch_grid(kernel, parameters, grid, block, dynamic_shared_bytes,
				    stream == TAIL_STREAM);
}

u32 FUNCTION(__cudaCDP2MemcpyAsync)(void *to, const void *from, u64 bytes, u32 kind, u64 stream)
{
	(void)kind, (void)stream;
	return __ct_cpu_launch_copy(to, from, bytes);
}

u32 FUNCTION(__cudaCDP2MemsetAsync)(void *to, u32 value, u64 bytes, u64 stream)
{
	(void)stream;
	return __ct_cpu_launch_fill(to, value, bytes);
}

/* The device's heap, as malloc's. */
u32 FUNCTION(__cudaCDP2Malloc)(void **address, u64 bytes)
{
	*address = __ct_cpu_malloc(bytes);
	return *address || !bytes ? 0 : 2; /* cudaErrorMemoryAllocation */
}

u32 FUNCTION(__cudaCDP2Free)(void *address)
{
	__ct_cpu_free(address);
	return 0;
}

/* Launches report their errors themselves; nothing is left to ask for. */
u32 FUNCTION(__cudaCDP2GetLastError)(void)
{
	return 0;
}

u32 FUNCTION(__cudaCDP2PeekAtLastError)(void)
{
	return 0;
}

/* Grids run in the order of their launches, so all streams are alike. */
u32 FUNCTION(__cudaCDP2StreamCreateWithFlags)(u64 *stream, u32 flags)
{
	(void)flags;
	*stream = 0x100;
	return 0;
}

u32 FUNCTION(__cudaCDP2StreamDestroy)(u64 stream)
{
	(void)stream;
	return 0;
}
