/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts of a loop whose accesses are known at its entry: all iterations at once. */
#ifndef CT_DEVICE_COUNT_LOOP_CUH
#define CT_DEVICE_COUNT_LOOP_CUH

#include "device-rt/count.cuh"

/* Distinct sectors of all iterations. Those of one depend on where its addresses stand within
 * their sectors, which repeats after `period` iterations. */
CT_OUT_OF_LINE uint64_t ct_count_loop_sectors(uint64_t address, uint64_t step, uint32_t bytes,
					      uint64_t iterations)
{
	uint32_t phase = (uint32_t)step & ((1u << CT_COUNTS_SECTOR_SHIFT) - 1);
	uint32_t period = phase ? (1u << CT_COUNTS_SECTOR_SHIFT) / (phase & (0u - phase)) : 1;
	uint64_t sectors = 0, one;
	struct ct_group g;

	ct_group_init(&g, CT_FULL_MASK);
#pragma unroll 1
	for (uint32_t i = 0; i < period && i < iterations; i++, address += step) {
		ct_count_distinct(&g, address >> CT_COUNTS_SECTOR_SHIFT,
				  (address + bytes - 1) >> CT_COUNTS_SECTOR_SHIFT, &one);
		sectors += one * ((iterations - i + period - 1) / period);
	}
	return sectors;
}

/* One lane: [first, last] and what it becomes in all iterations, if that leaves no gaps; or
 * none of a sector, if there is no second object in it. */
CT_INLINE bool ct_count_loop_sweep(uint64_t area, uint64_t *first, uint64_t *last, uint64_t step,
				   uint64_t iterations)
{
	uint64_t size = (int64_t)step < 0 ? 0 - step : step, length = *last - *first + 1;

	if (size > length && (size > 1u << CT_COUNTS_SECTOR_SHIFT ||
			      CT_COUNTS_AT(area, struct ct_counts_area, shared)))
		return false;
	if ((int64_t)step < 0)
		*first += (iterations - 1) * step;
	else
		*last += (iterations - 1) * step;
	return true;
}

/* What all iterations touch. Of whole warps side by side one lane tells, or each lane tells of
 * some iterations; else each lane tells of itself. */
CT_OUT_OF_LINE void ct_count_loop_touch(uint64_t area, uint32_t index, uint64_t address,
					uint64_t step, uint32_t bytes, uint64_t iterations)
{
	uint64_t together = ct_count_together(address, bytes);
	uint64_t first = together ? __shfl_sync(CT_FULL_MASK, address, 0) : address;
	uint64_t last = together ? together : address + bytes - 1, i = 0, stride = 1;

	if (ct_count_loop_sweep(area, &first, &last, step, iterations)) {
		iterations = !together || ct_lane() == 0;
	} else if (together) {
		i = ct_lane();
		stride = CT_WARP_LANES;
	}
#pragma unroll 1
	for (; i < iterations; i += stride)
		ct_count_effect(area, index, first + i * step, last + i * step, 0);
}

CT_INLINE bool ct_count_is_same(uint64_t value)
{
	return __all_sync(CT_FULL_MASK, value == __shfl_sync(CT_FULL_MASK, value, 0));
}

/* As __ct_loop of hooks.def, by a whole warp that agrees on the number of iterations: if it
 * agrees on the steps, too. */
CT_OUT_OF_LINE uint32_t ct_count_loop(uint32_t state, uint32_t site, uint32_t count,
				      uint64_t iterations, uint64_t table)
{
	const uint64_t *access = (const uint64_t *)table;
	uint64_t area = ct_shared_load64(CT_COUNT_AT(state, area));
	struct ct_group g;

	ct_group_init(&g, CT_FULL_MASK);
#pragma unroll 1
	for (uint32_t k = 0; k < count; k++)
		if (!ct_count_is_same(access[3 * k + 1]))
			return 0;
#pragma unroll 1
	for (uint32_t k = 0; k < count; k++, access += 3) {
		uint32_t index = ct_count_index(state, area, site + k);
		uint32_t bytes = (uint32_t)access[2];
		uint64_t sectors = ct_count_loop_sectors(access[0], access[1], bytes, iterations);

		ct_count_write(state, area, &g, index, iterations, sectors,
			       CT_WARP_LANES * iterations * bytes);
		ct_count_loop_touch(area, index, access[0], access[1], bytes, iterations);
		__syncwarp();
	}
	return 1;
}

#endif
