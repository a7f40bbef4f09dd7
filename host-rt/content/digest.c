/* SPDX-License-Identifier: Apache-2.0 */
/* Launches the kernel ct_digest (device-rt/digest.cuh). */
#include "host-rt/content/digest.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/content/blocks.h"
#include "host-rt/content/hash.h"
#include "host-rt/streams/life.h"

#define THREADS 256u
#define DEVICES 64

/* Absent from the CPU target's archive. */
extern const void *__ct_digest_kernel(void) __attribute__((weak));

/* Loaded before it is launched: 1 it is, 2 it cannot be. Atomic, as any thread finds the same. */
static bool is_loaded(int device)
{
	static uint8_t loaded[DEVICES];
	struct cudaFuncAttributes attributes;
	uint8_t known;

	if (device < 0 || device >= DEVICES)
		return false;
	known = __atomic_load_n(&loaded[device], __ATOMIC_RELAXED);
	if (!known) {
		known =
		    cudaFuncGetAttributes(&attributes, __ct_digest_kernel()) == cudaSuccess ? 1 : 2;
		__atomic_store_n(&loaded[device], known, __ATOMIC_RELAXED);
	}
	return known == 1;
}

bool ct_digest_serves(cudaStream_t stream, const void *address)
{
	struct cudaPointerAttributes attributes = {.device = -1};
	int device;

	return __ct_digest_kernel && (!stream || stream == cudaStreamLegacy) &&
	       !ct_stream_is_any_non_blocking() && cudaGetDevice(&device) == cudaSuccess &&
	       cudaPointerGetAttributes(&attributes, address) == cudaSuccess &&
	       attributes.device == device && is_loaded(device);
}

bool ct_digest_begin(struct ct_digest *digest, cudaStream_t stream)
{
	uint64_t blocks = ct_blocks_count(digest->bytes);
	dim3 grid = {(unsigned)((blocks * CT_DIGEST_LANES + THREADS - 1) / THREADS), 1, 1};
	dim3 block = {THREADS, 1, 1};
	void *arguments[] = {digest};

	ct_hash_secret(digest->secret);
	return __real_cudaLaunchKernel(__ct_digest_kernel(), grid, block, arguments, 0, stream) ==
	       cudaSuccess;
}
