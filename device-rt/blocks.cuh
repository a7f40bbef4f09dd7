/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier blocks: executions of basic blocks, in counters of the block's sites (counts.h): value[0]
 * by warps, value[1] by lanes. Its kernels have no state in shared memory and trace nothing else.
 * As in count.cuh only `red`.
 */
#ifndef CT_DEVICE_RT_BLOCKS_H
#define CT_DEVICE_RT_BLOCKS_H

#include "device-rt/append.cuh"
#include <cudatrace/counts.h>

/* The lanes of mask: times by each of them, the largest of which is the warp's: lanes of a loop
 * stay together until they leave it. */
CT_INLINE void ct_block_agree(const struct ct_group *g, uint64_t times, uint64_t *most,
			      uint64_t *sum)
{
	*most = times;
	*sum = times * __popc(g->mask);
	if (__all_sync(g->mask, times == ct_from_lane(g, times, g->leader)))
		return;
	*most = *sum = 0;
#pragma unroll 1
	for (uint32_t rest = g->mask; rest; rest &= rest - 1) {
		uint64_t other = ct_from_lane(g, times, __ffs(rest) - 1);

		*most = other > *most ? other : *most;
		*sum += other;
	}
}

/* others: as of __ct_block of hooks.def. Each lane adds to one of the counters; where there are
 * fewer lanes than counters some add to several. */
CT_INLINE void ct_block_write(uint64_t counters, uint32_t site, uint64_t others,
			      const struct ct_group *g, uint64_t warps, uint64_t lanes)
{
	uint32_t count = __popc(g->mask);

#pragma unroll 1
	for (uint32_t i = g->rank; i < 10; i += count) {
		uint32_t member = i / 2, distance = 0;

		if (member)
			distance = (uint32_t)(others >> 16 * (member - 1)) & 0xffff;
		if (!member || distance)
			ct_reduce_add(counters + sizeof(struct ct_counts_site) * (site + distance) +
					  8 * (i % 2),
				      i % 2 ? lanes : warps);
	}
}

CT_OUT_OF_LINE void ct_block_times(uint64_t counters, uint32_t site, uint64_t times, uint32_t mask)
{
	uint64_t most, sum;
	struct ct_group g;

	ct_group_init(&g, mask);
	ct_block_agree(&g, times, &most, &sum);
	if (sum)
		ct_block_write(counters, site, 0, &g, most, sum);
}

/* A thread's steps: executions in the lower half, those of them that count for the warp in the
 * upper one: the lowest lane's. */
CT_INLINE uint64_t ct_block_step(uint32_t mask)
{
	return 1 | (uint64_t)((uint32_t)__ffs(mask) - 1 == ct_lane()) << 32;
}

CT_INLINE uint64_t ct_block_add_up(const struct ct_group *g, uint32_t value)
{
	return ct_add_lanes(g->mask, value & 0xffff) +
	       ((uint64_t)ct_add_lanes(g->mask, value >> 16) << 16);
}

CT_OUT_OF_LINE void ct_block_sum(uint64_t counters, uint32_t site, uint64_t steps, uint32_t mask)
{
	uint64_t warps, lanes;
	struct ct_group g;

	ct_group_init(&g, mask);
	lanes = ct_block_add_up(&g, (uint32_t)steps);
	warps = ct_block_add_up(&g, (uint32_t)(steps >> 32));
	if (lanes)
		ct_block_write(counters, site, 0, &g, warps, lanes);
}

#endif
