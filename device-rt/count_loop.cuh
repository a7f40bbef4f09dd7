/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts of a loop whose accesses are known at its entry: all iterations at once. */
#ifndef CT_DEVICE_COUNT_LOOP_CUH
#define CT_DEVICE_COUNT_LOOP_CUH

#include "device-rt/count.cuh"

/* Addresses stand in their sectors as they did after so many iterations, a power of two. */
CT_INLINE uint32_t ct_count_loop_period(uint64_t step)
{
	uint32_t phase = (uint32_t)step & ((1u << CT_COUNTS_SECTOR_SHIFT) - 1);

	return phase ? (1u << CT_COUNTS_SECTOR_SHIFT) / (phase & (0u - phase)) : 1;
}

/* How many iterations are like iteration i, which is one of the first `period`. */
CT_INLINE uint64_t ct_count_loop_alike(uint64_t iterations, uint32_t period, uint32_t i)
{
	return (iterations - i + period - 1) >> (__ffs((int)period) - 1);
}

/* Distinct sectors of all iterations. */
CT_RARE uint64_t ct_count_loop_sectors(uint64_t address, uint64_t step, uint32_t bytes,
				       uint64_t iterations)
{
	uint32_t period = ct_count_loop_period(step);
	uint64_t last = address + bytes - 1, sectors = 0, one;
	struct ct_group g;

	ct_group_init(&g, CT_FULL_MASK);
#pragma unroll 1
	for (uint32_t i = 0; i < period && i < iterations; i++) {
		ct_count_distinct(&g, (address + i * step) >> CT_COUNTS_SECTOR_SHIFT,
				  (last + i * step) >> CT_COUNTS_SECTOR_SHIFT, &one);
		sectors += one * ct_count_loop_alike(iterations, period, i);
	}
	return sectors;
}

/* What lanes next to each other access together in an iteration: [first, last] in the first one. */
struct ct_count_run {
	uint64_t first, last;
	bool is_mine; /* this lane begins it */
};

CT_INLINE struct ct_count_run ct_count_run_of(uint64_t address, uint32_t bytes)
{
	uint32_t lane = ct_lane(), begins, others;
	uint64_t before = __shfl_sync(CT_FULL_MASK, address, lane ? lane - 1 : 0);
	struct ct_count_run run;

	run.is_mine = lane == 0 || (address != before && address != before + bytes);
	begins = __ballot_sync(CT_FULL_MASK, run.is_mine);
	others = begins & ~((2u << lane) - 1);
	run.first = address;
	run.last =
	    __shfl_sync(CT_FULL_MASK, address, others ? __ffs(others) - 2 : CT_WARP_LANES - 1) +
	    bytes - 1;
	return run;
}

/* Whether no two runs ever share a sector: each begins a sector's length or more behind the one
 * before. */
CT_INLINE bool ct_count_runs_apart(const struct ct_count_run *run)
{
	uint32_t lane = ct_lane();
	uint64_t before = __shfl_sync(CT_FULL_MASK, run->last, lane ? lane - 1 : 0);
	bool is_behind = run->first > before && run->first - before >= 1u << CT_COUNTS_SECTOR_SHIFT;

	return __all_sync(CT_FULL_MASK, lane == 0 || !run->is_mine || is_behind);
}

/* ct_count_loop_sectors of runs that are apart. */
CT_INLINE uint64_t ct_count_runs_sectors(const struct ct_count_run *run, uint64_t step,
					 uint64_t iterations)
{
	uint32_t period = ct_count_loop_period(step);
	uint64_t sectors = 0;

#pragma unroll 1
	for (uint32_t i = 0; i < period && i < iterations; i++) {
		uint64_t first = (run->first + i * step) >> CT_COUNTS_SECTOR_SHIFT;
		uint64_t last = (run->last + i * step) >> CT_COUNTS_SECTOR_SHIFT;

		sectors +=
		    ct_add_lanes(CT_FULL_MASK, run->is_mine ? (uint32_t)(last - first) + 1 : 0) *
		    ct_count_loop_alike(iterations, period, i);
	}
	return sectors;
}

/* One lane: the run of all iterations, if that leaves no gaps; or none of a sector, if there is no
 * second object in it. */
CT_INLINE bool ct_count_loop_sweep(uint64_t area, struct ct_count_run *run, uint64_t step,
				   uint64_t iterations)
{
	uint64_t size = (int64_t)step < 0 ? 0 - step : step, length = run->last - run->first + 1;

	if (size > length && (size > 1u << CT_COUNTS_SECTOR_SHIFT ||
			      CT_COUNTS_AT(area, struct ct_counts_area, shared)))
		return false;
	if ((int64_t)step < 0)
		run->first += (iterations - 1) * step;
	else
		run->last += (iterations - 1) * step;
	return true;
}

/* One lane: a run in the iterations i, i + stride, … */
CT_RARE void ct_count_loop_steps(uint64_t area, uint32_t index, uint64_t first, uint64_t last,
				 uint64_t step, uint64_t iterations, uint32_t i, uint32_t stride)
{
	uint64_t span = (iterations - 1) * step, origin;
	bool is_down = (int64_t)step < 0;
	struct ct_count_maps maps;

	if (first & CT_ADDRESS_SPACE_BIT || !ct_count_maps_load(area, index, &maps))
		return;
	if (last - first < 32u << CT_COUNTS_SECTOR_SHIFT &&
	    ct_count_hinted(&maps, is_down ? first + span : first, is_down ? last : last + span,
			    &origin)) {
#pragma unroll 1
		for (uint64_t k = i; k < iterations; k += stride)
			ct_count_mark_sectors(&maps, origin,
					      (first + k * step) >> CT_COUNTS_SECTOR_SHIFT,
					      (last + k * step) >> CT_COUNTS_SECTOR_SHIFT);
		return;
	}
#pragma unroll 1
	for (uint64_t k = i; k < iterations; k += stride)
		ct_count_effect(area, index, first + k * step, last + k * step, 0);
}

/* [first, last], however long. */
CT_INLINE void ct_count_loop_swept(uint64_t area, uint32_t index, uint64_t first, uint64_t last)
{
	uint64_t low = first >> CT_COUNTS_SECTOR_SHIFT, high = last >> CT_COUNTS_SECTOR_SHIFT;
	struct ct_count_maps maps;
	uint64_t origin;

	if (first & CT_ADDRESS_SPACE_BIT || !ct_count_maps_load(area, index, &maps))
		return;
	if (!ct_count_hinted(&maps, first, last, &origin)) {
		ct_count_touch_search(area, index, first, last, 0);
		return;
	}
#pragma unroll 1
	while (high - low >= 64) { /* to the end of a word */
		uint64_t end = ((origin + low) | 63) - origin;

		ct_count_mark_sectors(&maps, origin, low, end);
		low = end + 1;
	}
	ct_count_mark_sectors(&maps, origin, low, high);
}

/* With more runs than this each lane tells of its own, and does not ask whether others have. */
#define CT_COUNT_FEW_RUNS 16

CT_INLINE uint64_t ct_count_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* One lane: whether nobody has told in this launch what the run touches in all iterations, which
 * this lane shall do then. Loops are taken for the same by a hash of 63 bits. */
CT_INLINE bool ct_count_loop_is_new(uint64_t area, uint32_t index, const struct ct_count_run *run,
				    uint64_t step, uint64_t iterations)
{
	uint64_t told, launch, hash;

	ct_load64_pair(area + offsetof(struct ct_counts_area, told), &told, &launch);
	hash = ct_count_mix(launch, 0); /* else launch + 1 from first + 1 on might be the same */
	hash = ct_count_mix(hash, run->first);
	hash = ct_count_mix(hash, (run->last - run->first) << 32 | index);
	hash = ct_count_mix(hash, step);
	hash = ct_count_mix(hash, iterations) | 1; /* 0: an empty place */
	told += 8 * (hash >> 32 & (CT_COUNTS_TOLD - 1));
	if (ct_load64(told) == hash)
		return false;
	ct_store64(told, hash);
	return true;
}

/* What all iterations touch: runs that sweep over memory by the lanes that begin them; a few other
 * runs one after another, each lane telling of some iterations. */
CT_RARE void ct_count_loop_touch(uint64_t area, uint32_t index, struct ct_count_run run,
				 uint64_t step, uint64_t iterations)
{
	struct ct_count_run sweep = run;
	bool sweeps = run.is_mine && ct_count_loop_sweep(area, &sweep, step, iterations);
	uint32_t rest = __ballot_sync(CT_FULL_MASK, run.is_mine && !sweeps);

	if (sweeps)
		ct_count_loop_swept(area, index, sweep.first, sweep.last);
	__syncwarp();
	if (__popc(rest) > CT_COUNT_FEW_RUNS) {
		if (run.is_mine && !sweeps)
			ct_count_loop_steps(area, index, run.first, run.last, step, iterations, 0,
					    1);
		return;
	}
#pragma unroll 1
	for (; rest; rest &= rest - 1)
		ct_count_loop_steps(area, index,
				    __shfl_sync(CT_FULL_MASK, run.first, __ffs(rest) - 1),
				    __shfl_sync(CT_FULL_MASK, run.last, __ffs(rest) - 1), step,
				    iterations, ct_lane(), CT_WARP_LANES);
}

CT_INLINE bool ct_count_is_same(uint64_t value)
{
	return __all_sync(CT_FULL_MASK, value == __shfl_sync(CT_FULL_MASK, value, 0));
}

/* As __ct_loop of hooks.def, by a whole warp that agrees on the number of iterations: if it
 * agrees on the steps, too. */
CT_RARE uint32_t ct_count_loop(uint32_t state, uint32_t site, uint32_t count, uint64_t iterations,
			       uint64_t table)
{
	const uint64_t *access = (const uint64_t *)table;
	struct ct_group g;
	uint64_t area, row;
	uint32_t unit;

	ct_shared_load_pair(CT_COUNT_AT(state, area), &area, &row);
	unit = ct_shared_load(CT_COUNT_AT(state, first));
	ct_group_init(&g, CT_FULL_MASK);
#pragma unroll 1
	for (uint32_t k = 0; k < count; k++)
		if (!ct_count_is_same(access[3 * k + 1]))
			return 0;
#pragma unroll 1
	for (uint32_t k = 0; k < count; k++, access += 3) {
		int32_t index = ct_count_index(state, area, site + k);
		uint32_t bytes = (uint32_t)access[2];
		struct ct_count_run run = ct_count_run_of(access[0], bytes);
		uint64_t sectors =
		    ct_count_runs_apart(&run)
			? ct_count_runs_sectors(&run, access[1], iterations)
			: ct_count_loop_sectors(access[0], access[1], bytes, iterations);

		ct_count_write(row, &g, index, iterations, sectors,
			       CT_WARP_LANES * iterations * bytes);
		if (__popc(__ballot_sync(CT_FULL_MASK, run.is_mine)) <= CT_COUNT_FEW_RUNS &&
		    run.is_mine)
			run.is_mine = ct_count_loop_is_new(area, unit + (uint32_t)index, &run,
							   access[1], iterations);
		if (__any_sync(CT_FULL_MASK, run.is_mine))
			ct_count_loop_touch(area, unit + (uint32_t)index, run, access[1],
					    iterations);
		__syncwarp();
	}
	return 1;
}

#endif
