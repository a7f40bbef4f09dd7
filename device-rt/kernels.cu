/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that host-rt launches, and the handles that it launches them by: host-rt is C and
 * has no <<<>>>. */
#include "device-rt/digest.cuh"
#include "device-rt/ship.cuh"

/* Ships what lies in slots that no warp owns. One warp per slot; safe beside
 * running kernels, since it takes slots as they do. */
extern "C" __global__ void ct_flush(uint64_t context)
{
	uint32_t slot = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = ct_lane();
	uint64_t pool_at, position, source;
	uint32_t start, fill;

	if (slot >= CT_CONTEXT(context, slots))
		return;
	pool_at = CT_CONTEXT(context, pool) + 8ull * slot;
	position = __shfl_sync(~0u, ct_load_relaxed64(pool_at), 0);
	if (position == CT_SLOT_OWNED || CT_SLOT_FILL(position) == CT_SLOT_AT(position))
		return;
	if (lane == 0)
		position = ct_exchange_relaxed64(pool_at, CT_SLOT_OWNED);
	position = __shfl_sync(~0u, position, 0);
	if (position == CT_SLOT_OWNED)
		return;
	__syncwarp();
	start = CT_SLOT_AT(position);
	fill = CT_SLOT_FILL(position);
	source = CT_CONTEXT(context, stage) + (uint64_t)slot * CT_CHUNK_BYTES + start;
	if (fill > start) {
		ct_ship(context, CT_SLOT_LAUNCH(position), ~0u, source, fill - start);
		position = CT_SLOT_EMPTY(CT_SLOT_START(slot));
	}
	__syncwarp();
	if (lane == 0)
		ct_add_release64(pool_at, position - CT_SLOT_OWNED);
}

/* Launch ids of a graph's kernels, ahead of its launch: 0 for those not to be recorded. */
extern "C" __global__ void ct_launch_ids(uint32_t *slots, uint32_t count, uint32_t id, uint32_t low,
					 uint32_t high)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		slots[i] = id + i >= low && id + i <= high ? id + i : 0;
}

/* One thread: tells its time in each round that the host asks for (host-rt/ctas/clock.c has the
 * layout). A host that does not ask for a millisecond asks no more. */
extern "C" __global__ void ct_clock(volatile uint64_t *talk, uint32_t rounds)
{
	for (uint64_t round = 1; round <= rounds; round++) {
		uint64_t since = ct_time(), asked;

		do
			asked = talk[0];
		while (asked < round && ct_time() - since < 1000000);
		if (asked != round)
			return;
		talk[17] = ct_time();
		ct_fence_system();
		talk[16] = round;
	}
}

extern "C" __host__ const void *__ct_digest_kernel(void)
{
	return (const void *)ct_digest;
}

extern "C" __host__ const void *__ct_clock_kernel(void)
{
	return (const void *)ct_clock;
}

extern "C" __host__ const void *__ct_flush_kernel(void)
{
	return (const void *)ct_flush;
}

extern "C" __host__ const void *__ct_launch_ids_kernel(void)
{
	return (const void *)ct_launch_ids;
}

#include "device-rt/count_kernels.cuh"
