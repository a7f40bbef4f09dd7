/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts of a loop whose accesses are known at its entry: all iterations at once. */
#ifndef CT_DEVICE_RT_COUNT_LOOP_H
#define CT_DEVICE_RT_COUNT_LOOP_H

#include "device-rt/count.cuh"

#define CT_COUNT_SECTOR (1u << CT_COUNTS_SECTOR_SHIFT)

/* An address moves through its sector by multiples of so many bytes, a power of two; a sector: it
 * stays where it is. */
CT_INLINE uint32_t ct_count_loop_phases(uint32_t step)
{
	step |= CT_COUNT_SECTOR;
	return step & (0 - step);
}

/* Addresses stand in their sectors as they did after so many iterations, a power of two. */
CT_INLINE uint32_t ct_count_loop_period(uint64_t step)
{
	return CT_COUNT_SECTOR / ct_count_loop_phases((uint32_t)step);
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

/* Lanes next to each other access this together in an iteration: [first, last] in the first one. */
struct ct_count_run {
	uint64_t first, last;
	uint32_t begins; /* the lanes that begin one */
	bool is_mine;    /* this lane does */
	bool is_apart;   /* if so, then a sector's length or more behind the one before */
};

CT_INLINE struct ct_count_run ct_count_run_of(uint64_t address, uint32_t bytes)
{
	uint32_t lane = ct_lane(), behind = ~((2u << lane) - 1), grows, next;
	uint64_t end = __shfl_sync(CT_FULL_MASK, address, lane ? lane - 1 : 0) + bytes;
	bool is_next = lane && address == end;
	struct ct_count_run run;

	run.is_mine = !lane || !(is_next || address == end - bytes);
	run.is_apart =
	    !lane || !run.is_mine || (address >= end && address - end >= CT_COUNT_SECTOR - 1);
	grows = __ballot_sync(CT_FULL_MASK, is_next);
	run.begins = __ballot_sync(CT_FULL_MASK, run.is_mine);
	next = run.begins & behind;
	run.first = address;
	run.last = address - 1 + bytes * (1 + __popc(grows & behind & ((next & (0 - next)) - 1)));
	return run;
}

/* Distinct sectors of all iterations, of runs that are all apart: then none is in two of them. */
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
CT_INLINE bool ct_count_loop_sweep(uint64_t area, uint64_t *first, uint64_t *last, uint64_t step,
				   uint64_t iterations)
{
	uint64_t size = (int64_t)step < 0 ? 0 - step : step, length = *last - *first + 1;

	if (size > length &&
	    (size > CT_COUNT_SECTOR || CT_COUNTS_AT(area, struct ct_counts_area, shared)))
		return false;
	if ((int64_t)step < 0)
		*first += (iterations - 1) * step;
	else
		*last += (iterations - 1) * step;
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

/* The bits bit..last of a map: words are asked for by four. */
CT_INLINE void ct_count_mark_long(uint64_t map, uint64_t bit, uint64_t last)
{
#pragma unroll 1
	for (uint64_t word = bit >> 6; word <= last >> 6; word += 4) {
		uint64_t before[4], bits;

#pragma unroll
		for (uint32_t i = 0; i < 4; i++)
			before[i] = word + i <= last >> 6 ? ct_load64(map + 8 * (word + i)) : ~0ull;
#pragma unroll
		for (uint32_t i = 0; i < 4; i++) {
			bits = word + i == bit >> 6 ? ~0ull << (bit & 63) : ~0ull;
			bits &= word + i == last >> 6 ? ~0ull >> (63 - (last & 63)) : ~0ull;
			ct_count_mark_word(map + 8 * (word + i), before[i], bits);
		}
	}
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
	if (maps.word & CT_COUNTS_READS)
		ct_count_mark_long(maps.read, origin + low, origin + high);
	if (maps.word & CT_COUNTS_WRITES)
		ct_count_mark_long(maps.written, origin + low, origin + high);
}

/* With more runs than this each lane reports its own, and does not ask whether others have. */
#define CT_COUNT_FEW_RUNS 16

CT_INLINE uint64_t ct_count_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* Where an area keeps what has been reported, and what its launch is mixed to; else launch + 1 from
 * first + 1 on might be the same. */
struct ct_count_reported {
	uint64_t table, launch;
};

CT_INLINE struct ct_count_reported ct_count_reported_of(uint64_t area)
{
	struct ct_count_reported reported;

	ct_load64_pair(area + offsetof(struct ct_counts_area, reported), &reported.table,
		       &reported.launch);
	reported.launch = ct_count_mix(reported.launch, 0);
	return reported;
}

/* One lane: whether what the run touches in all iterations was not reported yet in this launch in
 * all iterations, which this lane shall do then. Loops are taken for the same by a hash of 63 bits,
 * each in one of two places side by side, so that two that meet there do not drive out one another.
 * index: of the site in the area; how: of the step and the number of iterations. */
CT_INLINE bool ct_count_loop_is_new(const struct ct_count_reported *reported, uint32_t index,
				    const struct ct_count_run *run, uint64_t how)
{
	uint64_t hash = ct_count_mix(reported->launch, run->first), at, one, other;

	hash = ct_count_mix(hash, (run->last - run->first) << 32 | index);
	hash = ct_count_mix(hash, how) | 1; /* 0: an empty place */
	at = reported->table + 16 * (hash >> 32 & (CT_COUNTS_REPORTED / 2 - 1));
	ct_load64_pair_once(at, &one, &other);
	if (one == hash || other == hash)
		return false;
	ct_store64(at + 8 * (ct_time() >> 5 & 1), hash);
	return true;
}

/* Marks all that the iterations touch: runs that sweep over memory by the lanes that begin them;
 * a few other runs one after another, each lane for some iterations. */
CT_RARE void ct_count_loop_touch(uint64_t area, uint32_t index, uint64_t first, uint64_t last,
				 uint32_t is_mine, uint64_t step, uint64_t iterations)
{
	uint64_t low = first, high = last;
	bool sweeps = is_mine && ct_count_loop_sweep(area, &low, &high, step, iterations);
	uint32_t rest = __ballot_sync(CT_FULL_MASK, is_mine && !sweeps);

	if (sweeps)
		ct_count_loop_swept(area, index, low, high);
	__syncwarp();
	if (__popc(rest) > CT_COUNT_FEW_RUNS) {
		if (is_mine && !sweeps)
			ct_count_loop_steps(area, index, first, last, step, iterations, 0, 1);
		return;
	}
#pragma unroll 1
	for (; rest; rest &= rest - 1)
		ct_count_loop_steps(area, index, __shfl_sync(CT_FULL_MASK, first, __ffs(rest) - 1),
				    __shfl_sync(CT_FULL_MASK, last, __ffs(rest) - 1), step,
				    iterations, ct_lane(), CT_WARP_LANES);
}

/* Counts an access of a loop, whatever it is like. Returns whether this lane shall tell what its
 * run touches; nothing where lanes go on by different steps, for then all is done, iteration by
 * iteration. */
CT_INLINE bool ct_count_loop_access(uint32_t state, uint32_t site, const uint64_t *access,
				    uint64_t iterations)
{
	uint64_t address = access[0], step = access[1], area, row, sectors;
	uint32_t bytes = (uint32_t)access[2];
	struct ct_count_run run = ct_count_run_of(address, bytes);
	struct ct_count_reported reported;
	struct ct_group g;
	int32_t index;

	if (!__all_sync(CT_FULL_MASK, step == __shfl_sync(CT_FULL_MASK, step, 0))) {
#pragma unroll 1
		for (uint64_t i = 0; i < iterations; i++)
			ct_count_range(state, site, address + i * step, bytes, CT_FULL_MASK);
		return false;
	}
	ct_shared_load_pair(CT_COUNT_AT(state, area), &area, &row);
	ct_group_init(&g, CT_FULL_MASK);
	index = ct_count_index(state, area, site);
	sectors = __all_sync(CT_FULL_MASK, run.is_apart)
		      ? ct_count_runs_sectors(&run, step, iterations)
		      : ct_count_loop_sectors(address, step, bytes, iterations);
	ct_count_write(row, &g, index, iterations, sectors, CT_WARP_LANES * iterations * bytes);
	if (!run.is_mine || __popc(run.begins) > CT_COUNT_FEW_RUNS)
		return run.is_mine;
	index += ct_shared_load(CT_COUNT_AT(state, first));
	reported = ct_count_reported_of(area);
	return ct_count_loop_is_new(&reported, (uint32_t)index, &run,
				    ct_count_mix(step, iterations));
}

/* Counts the accesses in `left`, a bit of each; returns those of which this lane shall tell. */
CT_RARE uint32_t ct_count_loop_rest(uint32_t state, uint32_t site, uint32_t count,
				    uint64_t iterations, uint64_t table, uint32_t left)
{
	const uint64_t *access = (const uint64_t *)table;
	uint32_t mine = 0;

#pragma unroll 1
	for (uint32_t k = 0; k < count; k++, access += 3)
		if (left >> k & 1)
			mine |= (uint32_t)ct_count_loop_access(state, site + k, access, iterations)
				<< k;
	__syncwarp();
	return mine;
}

/* Counts the accesses of the lanes that have bits in `mine`. Those side by side, as of an
 * unrolled loop, are reported together; each lane has asked what one of them does. */
CT_RARE void ct_count_loop_tell(uint32_t state, uint32_t site, uint32_t count, uint64_t iterations,
				uint64_t table, uint32_t mine)
{
	const uint64_t *access = (const uint64_t *)table;
	uint64_t area = ct_shared_load64(CT_COUNT_AT(state, area)), step = 0;
	uint32_t number = site + (ct_lane() < count ? ct_lane() : 0), asked, word = 0, index = 0;
	struct ct_count_run all = {};

	number = (uint32_t)ct_count_index(state, area, number) +
		 ct_shared_load(CT_COUNT_AT(state, first));
	asked = ct_load(CT_COUNTS_AT(area, struct ct_counts_area, operations) + 4ull * number);
	asked &= CT_COUNTS_READS | CT_COUNTS_WRITES;
#pragma unroll 1
	for (uint32_t k = 0; k < count; k++, access += 3) {
		uint32_t own = __shfl_sync(CT_FULL_MASK, asked, k);
		struct ct_count_run run;

		if (!__any_sync(CT_FULL_MASK, mine >> k & 1))
			continue;
		run = ct_count_run_of(access[0], (uint32_t)access[2]);
		run.is_mine = mine >> k & 1;
		if (__all_sync(CT_FULL_MASK, own == word && access[1] == step &&
						 run.is_mine == all.is_mine &&
						 (!run.is_mine || run.first == all.last + 1))) {
			all.last = run.last;
			continue;
		}
		if (word)
			ct_count_loop_touch(area, index, all.first, all.last, all.is_mine, step,
					    iterations);
		all = run;
		step = access[1];
		index = __shfl_sync(CT_FULL_MASK, number, k);
		word = own;
	}
	if (word)
		ct_count_loop_touch(area, index, all.first, all.last, all.is_mine, step,
				    iterations);
	__syncwarp();
}

/* Whether the run is within one sector in every iteration. phases: a power of two, of which it
 * moves by multiples; at most a sector. */
CT_INLINE bool ct_count_is_in_sector(const struct ct_count_run *run, uint32_t phases)
{
	return ((uint32_t)run->first & (phases - 1)) + (uint32_t)(run->last - run->first) < phases;
}

static_assert(CT_LOOP_SITES <= 32, "a bit of each access");

/* As __ct_loop of hooks.def, by a whole warp that agrees on the number of iterations. Here, where
 * functions save no registers, is what most executions are: runs apart, that go on by whole sectors
 * or never leave one in an iteration, and are reported. */
CT_OUT_OF_LINE void ct_count_loop(uint32_t state, uint32_t site, uint32_t count,
				  uint64_t iterations, uint64_t table)
{
	const uint64_t *access = (const uint64_t *)table;
	uint64_t unit = ct_shared_load64(CT_COUNT_AT(state, first)), area, counter;
	uint32_t lane = ct_lane(), times = (uint32_t)iterations, left = 0, mine = 0;
	bool is_short = times == iterations && site + count <= unit >> 32;
	struct ct_count_reported reported;

	ct_shared_load_pair(CT_COUNT_AT(state, area), &area, &counter);
	counter += sizeof(struct ct_counts_site) * site + 8 * lane;
	reported = ct_count_reported_of(area);
#pragma unroll 1
	for (uint32_t k = 0; k < count; k++, access += 3) {
		uint64_t step = access[1];
		int32_t same = __shfl_sync(CT_FULL_MASK, (int32_t)step, 0);
		uint32_t phases = ct_count_loop_phases((uint32_t)same);
		uint32_t bytes = (uint32_t)access[2], sectors, each;
		struct ct_count_run run = ct_count_run_of(access[0], bytes);

		if (!__all_sync(CT_FULL_MASK, is_short && run.is_apart && step == (uint64_t)same &&
						  (phases == CT_COUNT_SECTOR ||
						   ct_count_is_in_sector(&run, phases)))) {
			left |= 1u << k;
			continue;
		}
		sectors = (uint32_t)(run.last >> CT_COUNTS_SECTOR_SHIFT) + 1 -
			  (uint32_t)(run.first >> CT_COUNTS_SECTOR_SHIFT);
		sectors = ct_add_lanes(CT_FULL_MASK, run.is_mine ? sectors : 0);
		each = lane == 2 ? sectors : CT_WARP_LANES * bytes;
		each = lane == 1 ? CT_WARP_LANES : lane == 0 ? 1 : each;
		if (lane < 4)
			ct_reduce_add(counter + sizeof(struct ct_counts_site) * k,
				      (uint64_t)times * each);
		if (run.is_mine && __popc(run.begins) <= CT_COUNT_FEW_RUNS)
			run.is_mine =
			    ct_count_loop_is_new(&reported, (uint32_t)unit + site + k, &run,
						 (uint64_t)times << 32 | (uint32_t)step);
		mine |= (uint32_t)run.is_mine << k;
	}
	if (left)
		mine |= ct_count_loop_rest(state, site, count, iterations, table, left);
	if (__any_sync(CT_FULL_MASK, mine))
		ct_count_loop_tell(state, site, count, iterations, table, mine);
	__syncwarp();
}

#endif
