/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flush kernel: ships what lies in slots that no warp owns. One warp per
 * slot; safe beside running kernels, since it takes slots as they do.
 */
#include "ship.cuh"

extern "C" __global__ void ct_flush(uint64_t context)
{
	uint32_t slot = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = ct_lane();
	uint64_t pool_at, source;
	uint32_t position, start, fill;

	if (slot >= CT_CONTEXT(context, slots))
		return;
	pool_at = CT_CONTEXT(context, pool) + 4ull * slot;
	position = __shfl_sync(~0u, ct_load_relaxed(pool_at), 0);
	if (position == CT_SLOT_OWNED || (position & 0xffff) == position >> 16)
		return;
	if (lane == 0)
		position = ct_exchange_acquire(pool_at, CT_SLOT_OWNED);
	position = __shfl_sync(~0u, position, 0);
	if (position == CT_SLOT_OWNED)
		return;
	__syncwarp();
	start = position >> 16;
	fill = position & 0xffff;
	source = CT_CONTEXT(context, stage) + (uint64_t)slot * CT_CHUNK_BYTES + start;
	if (fill > start) {
		ct_ship(context, ~0u, lane, 0, source, fill - start);
		position = CT_SLOT_EMPTY(CT_SLOT_START(slot));
	}
	__syncwarp();
	if (lane == 0)
		ct_store_release(pool_at, position);
}

/* The handle that host-rt launches by: host-rt is C and has no <<<>>>. */
extern "C" __host__ const void *__ct_flush_kernel(void)
{
	return (const void *)ct_flush;
}
