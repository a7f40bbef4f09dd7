/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hooks of hooks.def on the GPU. Compiled to bitcode and linked into every
 * instrumented device module; it knows nothing of the program but what comes
 * through the context pointer.
 */
#include "device-rt/blocks.cuh"
#include "device-rt/content.cuh"
#include "device-rt/group.cuh"
#include "device-rt/space.cuh"
#include "device-rt/summary.cuh"
#include "device-rt/tiers.cuh"
#include "device-rt/value.cuh"
#include <cudatrace/ctas.h>
#include <cudatrace/series.h>

#define CT_HOOK extern "C" __device__

/*
 * The active mask is taken where the hook is inlined: an out-of-line function
 * may be entered by lanes from two places at once, whose sites differ. Not
 * __forceinline__, which would leave nothing to link.
 */
#define CT_HOOK_INLINE CT_HOOK __attribute__((always_inline))

/* Out of line for its division, which of 64 bits would take some hundred instructions: most
 * launches record every block. */
CT_RARE bool ct_block_is_due(uint32_t period, uint32_t offset)
{
	uint64_t number = ct_linear_cta() + offset;

	return number >> 32 ? number % period == 0 : (uint32_t)number % period == 0;
}

CT_INLINE bool ct_block_sampled(uint32_t period, uint32_t offset)
{
	return period <= 1 || ct_block_is_due(period, offset);
}

CT_HOOK_INLINE uint32_t __ct_block_sampled(uint32_t period, uint32_t offset)
{
	return ct_block_sampled(period, offset);
}

/* Called once by every lane that exists, so that waiting for all of them is
 * sound even if they do not arrive together. Takes a slot and begins a segment
 * here, where no user code is divergent yet. Returns the shared address of the
 * warp's state. A kernel node of a graph has no launch id in launches that are not recorded. */
CT_INLINE uint32_t ct_enter(uint64_t context, uint32_t launch, uint32_t flags,
			    uint32_t block_period, uint32_t block_offset, uint32_t thread,
			    uint32_t warp)
{
	bool is_on = ct_block_sampled(block_period, block_offset);

	if (flags & CT_LAUNCH_INDIRECT) {
		launch = ct_load(CT_CONTEXT(context, launch_ids) + 4ull * launch);
		is_on &= launch != 0;
	}
	if (thread % CT_WARP_LANES == 0) {
		if (!is_on)
			ct_warp_begin_off(warp);
		else if (flags & CT_LAUNCH_COUNTS)
			ct_count_begin(warp, context, flags);
		else
			ct_warp_begin(warp, context, launch);
	}
	__syncwarp(ct_warp_lanes(thread));
	if (is_on && !(flags & CT_LAUNCH_COUNTS) && !ct_warp_has_begun(warp))
		ct_warp_begin_together(warp, context, launch, ct_warp_lanes(thread));
	return warp;
}

CT_HOOK_INLINE uint32_t __ct_enter(uint64_t context, uint32_t launch, uint32_t flags,
				   uint32_t block_period, uint32_t block_offset)
{
	uint32_t thread = ct_thread();

	return ct_enter(context, launch, flags, block_period, block_offset, thread,
			ct_warp_state(thread));
}

CT_HOOK __noinline__ uint32_t __ct_enter_far(uint64_t context, uint32_t launch, uint32_t flags,
					     uint32_t block_period, uint32_t block_offset,
					     uint32_t states)
{
	uint32_t thread = ct_thread();

	return ct_enter(context, launch, flags, block_period, block_offset, thread,
			ct_warp_state_of(states, thread));
}

/* The row of this warp's SM. */
CT_HOOK_INLINE uint64_t __ct_blocks_begin(uint64_t context, uint32_t launch, uint32_t flags,
					  uint32_t block_period, uint32_t block_offset,
					  uint64_t counters, uint64_t row_bytes)
{
	bool is_on = ct_block_sampled(block_period, block_offset);

	if (flags & CT_LAUNCH_INDIRECT)
		is_on &= ct_load(CT_CONTEXT(context, launch_ids) + 4ull * launch) != 0;
	return is_on ? counters + row_bytes * (ct_sm() % CT_COUNTS_REPLICAS) : 0;
}

CT_HOOK_INLINE void __ct_block(uint64_t counters, uint32_t site, uint64_t others)
{
	struct ct_group g;

	if (!counters)
		return;
	ct_group_init(&g, __activemask());
	ct_block_write(counters, site, others, &g, 1, __popc(g.mask));
}

CT_HOOK_INLINE void __ct_block_times(uint64_t counters, uint32_t site, uint64_t times)
{
	if (counters)
		ct_block_times(counters, site, times, __activemask());
}

CT_HOOK_INLINE uint64_t __ct_block_step(uint64_t, uint32_t)
{
	return ct_block_step(__activemask());
}

CT_HOOK_INLINE void __ct_block_sum(uint64_t counters, uint32_t site, uint64_t steps)
{
	if (counters)
		ct_block_sum(counters, site, steps, __activemask());
}

CT_HOOK_INLINE uint64_t __ct_cta_begin(void)
{
	return ct_time();
}

/* By all lanes, to one address: they go out as one store, and to choose one of them would cost
 * more than the rest. To ask for the SM at the entry, too (docs/validation.md). */
CT_HOOK_INLINE void __ct_cta_end(uint64_t times, uint64_t begin)
{
	ct_store64_pair(times + sizeof(struct ct_cta_times) * ct_linear_cta(),
			CT_CTA_BEGIN(begin, ct_sm()), ct_time());
}

CT_HOOK_INLINE void __ct_access(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes)
{
	ct_access(warp, site, address, bytes, __activemask());
}

CT_OUT_OF_LINE uint32_t ct_access_checked(uint32_t warp, uint64_t site, uint64_t address,
					  uint32_t bytes, uint32_t mask)
{
	bool recorded = ct_is_on(warp) && ct_is_global(address);

	mask = ct_lanes_where(mask, recorded);
	if (!recorded)
		return CT_STATE_OFF;
	ct_access(warp, site, address, bytes, mask);
	return warp;
}

CT_HOOK_INLINE void __ct_group(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes,
			       uint32_t group, uint32_t count, uint64_t d1, uint64_t d2,
			       uint64_t d3, uint64_t d4, uint64_t d5)
{
	uint32_t mask = __activemask();

	if (mask != CT_FULL_MASK ||
	    !ct_record_full(warp, (uint32_t)site, address, bytes, 1u << group))
		ct_group_record(warp, (uint32_t)site, address, bytes, mask, group, count, d1, d2,
				d3, d4, d5);
}

/* Does the work of __ct_group, as a function that is called. */
CT_OUT_OF_LINE void ct_group_called(uint32_t warp, uint32_t site, uint64_t address, uint32_t bytes,
				    uint32_t mask, uint32_t group, uint32_t count, uint64_t d1,
				    uint64_t d2, uint64_t d3, uint64_t d4, uint64_t d5)
{
	if (mask != CT_FULL_MASK || !ct_record_full(warp, site, address, bytes, 1u << group))
		ct_group_record(warp, site, address, bytes, mask, group, count, d1, d2, d3, d4, d5);
}

CT_HOOK_INLINE void __ct_group_far(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes,
				   uint32_t group, uint32_t count, uint64_t d1, uint64_t d2,
				   uint64_t d3, uint64_t d4, uint64_t d5)
{
	ct_group_called(warp, (uint32_t)site, address, bytes, __activemask(), group, count, d1, d2,
			d3, d4, d5);
}

CT_HOOK_INLINE void __ct_access_alone(uint32_t warp, uint64_t site, uint64_t address,
				      uint32_t bytes)
{
	ct_access_alone(warp, site, address, bytes, __activemask());
}

CT_HOOK_INLINE uint32_t __ct_loop(uint32_t warp, uint64_t site, uint32_t count, uint64_t iterations,
				  uint64_t table)
{
	return ct_loop_record(warp, (uint32_t)site, count, iterations, table, __activemask());
}

/* ct_access, called. */
CT_OUT_OF_LINE void ct_access_called(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes,
				     uint32_t mask)
{
	ct_access(warp, site, address, bytes, mask);
}

CT_HOOK_INLINE void __ct_access_far(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes)
{
	ct_access_called(warp, site, address, bytes, __activemask());
}

/* The lanes go through it together: their table is one. */
CT_OUT_OF_LINE void ct_series_called(uint32_t warp, uint64_t site, uint64_t address, uint32_t count,
				     uint64_t table, uint32_t mask)
{
#pragma unroll 1
	for (uint32_t i = 0; i < count; i++) {
		uint64_t word = __ldg((const unsigned long long *)table + i);

		ct_access(warp, site + CT_SERIES_SITE(word), address + CT_SERIES_DISTANCE(word),
			  CT_SERIES_BYTES(word), mask);
		__syncwarp(mask);
	}
}

CT_HOOK_INLINE void __ct_series(uint32_t warp, uint64_t site, uint64_t address, uint32_t count,
				uint64_t table)
{
	ct_series_called(warp, site, address, count, table, __activemask());
}

CT_HOOK_INLINE uint32_t __ct_access_checked(uint32_t warp, uint64_t site, uint64_t address,
					    uint32_t bytes)
{
	return ct_access_checked(warp, site, address, bytes, __activemask());
}

CT_OUT_OF_LINE uint32_t ct_access_any(uint32_t warp, uint64_t site, uint64_t address,
				      uint32_t bytes, uint32_t spaces, uint32_t mask)
{
	uint32_t space = ct_space_of(address);
	bool recorded = ct_is_on(warp) && (spaces >> space & 1);

	mask = ct_lanes_where(mask, recorded);
	if (!recorded)
		return CT_STATE_OFF;
	ct_record(warp, site, ct_address_in(address, space), bytes, mask, 0);
	return warp;
}

CT_HOOK_INLINE uint32_t __ct_access_any(uint32_t warp, uint64_t site, uint64_t address,
					uint32_t bytes, uint32_t spaces)
{
	return ct_access_any(warp, site, address, bytes, spaces, __activemask());
}

CT_HOOK_INLINE void __ct_access_space(uint32_t warp, uint64_t site, uint64_t address,
				      uint32_t bytes, uint32_t space)
{
	if (space == CT_SPACE_GLOBAL)
		ct_access(warp, site, address, bytes, __activemask());
	else
		ct_record(warp, site, CT_ADDRESS_IN(space, address), bytes, __activemask(), 0);
}

/* Lanes without bytes, or whose address is elsewhere, are not in the record. */
CT_OUT_OF_LINE uint32_t ct_access_range(uint32_t warp, uint64_t site, uint64_t address,
					uint64_t bytes, uint32_t mask)
{
	bool recorded = ct_is_on(warp) && bytes && ct_is_global(address);

	mask = ct_lanes_where(mask, recorded);
	if (!recorded)
		return CT_STATE_OFF;
	if (ct_mode(warp) == CT_MODE_VALUES)
		return warp;
	if (ct_is_counting(warp)) {
		ct_count_range(warp, site, address, bytes, mask);
		return warp;
	}
	ct_write_range(warp, mask, site, address, bytes);
	return warp;
}

CT_HOOK_INLINE uint32_t __ct_access_range(uint32_t warp, uint64_t site, uint64_t address,
					  uint64_t bytes)
{
	return ct_access_range(warp, site, address, bytes, __activemask());
}

/* As many records as it takes to give every row a lane. */
CT_OUT_OF_LINE uint32_t ct_access_tile(uint32_t warp, uint64_t site, uint64_t address,
				       uint32_t row_bytes, uint32_t rows, uint64_t stride,
				       uint32_t mask)
{
	uint32_t rank = __popc(mask & ((1u << ct_lane()) - 1)), lanes = __popc(mask);

#pragma unroll 1
	for (uint32_t first = 0; first < rows; first += lanes) {
		uint32_t row = first + rank;

		ct_access_range(warp, site, address + row * stride, row < rows ? row_bytes : 0,
				mask);
		__syncwarp(mask);
	}
	return ct_is_on(warp) && ct_is_global(address) ? warp : CT_STATE_OFF;
}

CT_HOOK_INLINE uint32_t __ct_access_tile(uint32_t warp, uint64_t site, uint64_t address,
					 uint32_t row_bytes, uint32_t rows, uint64_t stride)
{
	return ct_access_tile(warp, site, address, row_bytes, rows, stride, __activemask());
}

CT_OUT_OF_LINE uint32_t ct_range_content(uint32_t warp, uint64_t site, uint64_t address,
					 uint64_t bytes, uint64_t from, uint32_t mask)
{
	uint32_t state = ct_access_range(warp, site, address, bytes, mask);

	mask = ct_lanes_where(mask, ct_mode(state) == CT_MODE_RECORD);
	if (ct_mode(state) == CT_MODE_RECORD)
		ct_content(warp, site, mask, from, bytes);
	return state;
}

CT_HOOK_INLINE uint32_t __ct_range_content(uint32_t warp, uint64_t site, uint64_t address,
					   uint64_t bytes, uint64_t from)
{
	return ct_range_content(warp, site, address, bytes, from, __activemask());
}

/* After a store, what each lane has stored must be seen by those that record it. */
CT_OUT_OF_LINE uint32_t ct_tile_content(uint32_t warp, uint64_t site, uint64_t address,
					uint32_t row_bytes, uint32_t rows, uint64_t stride,
					uint32_t mask)
{
	uint32_t rank = __popc(mask & ((1u << ct_lane()) - 1)), lanes = __popc(mask);

	__syncwarp(mask);
#pragma unroll 1
	for (uint32_t first = 0; first < rows; first += lanes) {
		uint64_t at = address + (first + rank) * stride;

		ct_range_content(warp, site, at, first + rank < rows ? row_bytes : 0, at, mask);
		__syncwarp(mask);
	}
	return ct_is_on(warp) && ct_is_global(address) ? warp : CT_STATE_OFF;
}

CT_HOOK_INLINE uint32_t __ct_tile_content(uint32_t warp, uint64_t site, uint64_t address,
					  uint32_t row_bytes, uint32_t rows, uint64_t stride)
{
	return ct_tile_content(warp, site, address, row_bytes, rows, stride, __activemask());
}

CT_HOOK_INLINE void __ct_value(uint32_t warp, uint64_t site, uint32_t part, uint32_t bytes,
			       uint64_t low, uint64_t high, uint64_t address, uint32_t element)
{
	uint32_t mask = __activemask();
	bool is_summarised = ct_mode(warp) == CT_MODE_VALUES;
	uint32_t lanes = ct_lanes_where(mask, is_summarised);

	if (!lanes)
		ct_value(warp, site, part, bytes, low, high, mask);
	else if (is_summarised && element)
		ct_summary_value(warp, site, part, element, bytes, low, high, address, lanes);
}

CT_OUT_OF_LINE void ct_value_of_member(uint32_t warp, uint64_t site, uint32_t bytes, uint64_t value,
				       uint32_t mask)
{
	ct_value(warp, site, CT_PART_VALUE, bytes, value, 0, mask);
}

/* The mask is that of the group: none of its lanes has gone on alone since. */
CT_HOOK_INLINE void __ct_group_values(uint32_t warp, uint64_t site, uint64_t address,
				      uint32_t bytes, uint32_t group, uint32_t count, uint64_t d1,
				      uint64_t d2, uint64_t d3, uint64_t d4, uint64_t d5,
				      uint64_t v0, uint64_t v1, uint64_t v2, uint64_t v3,
				      uint64_t v4, uint64_t v5, uint32_t element)
{
	const uint64_t distance[] = {0, d1, d2, d3, d4, d5}, value[] = {v0, v1, v2, v3, v4, v5};
	uint32_t mask = __activemask();
	bool is_summarised;

	__ct_group(warp, site, address, bytes, group, count, d1, d2, d3, d4, d5);
	if (mask == CT_FULL_MASK &&
	    ct_values_of_group(warp, site, bytes, count + 1, v0, v1, v2, v3, v4, v5))
		return;
	is_summarised = ct_mode(warp) == CT_MODE_VALUES;
#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++) {
		if (k > count)
			continue;
		if (is_summarised)
			ct_summary_value(warp, site + k, CT_PART_VALUE, element, bytes, value[k], 0,
					 address + distance[k], mask);
		else
			ct_value_of_member(warp, site + k, bytes, value[k], mask);
	}
}

CT_OUT_OF_LINE void ct_event(uint32_t warp, uint64_t site, uint32_t phase, uint32_t mask)
{
	mask = ct_active(warp, mask);
	if (!mask)
		return;
	if (ct_is_counting(warp)) {
		if (phase == CT_PHASE_HAPPENS)
			ct_count_event(warp, site, mask);
		return;
	}
	ct_write(warp, mask, site,
		 (uint64_t)CT_REC_EVENT << CT_RECORD_KIND_SHIFT |
		     (uint64_t)phase << CT_EVENT_PHASE_SHIFT | mask,
		 0, 0, 0);
}

CT_HOOK_INLINE void __ct_event(uint32_t warp, uint64_t site, uint32_t phase)
{
	ct_event(warp, site, phase, __activemask());
}

/*
 * The last group of the warp to return gives the slot back. The counter's
 * order makes the other groups' records visible to the last one.
 */
CT_HOOK __noinline__ CT_RECORDS_ANNOTATION void __ct_exit(uint32_t warp)
{
	uint32_t mask = __activemask(), lane = ct_lane(), leader = __ffs(mask) - 1;
	uint32_t alive = __popc(ct_warp_lanes(ct_thread())), gone = __popc(mask);

	if (ct_mode(warp) != CT_MODE_RECORD)
		return;
	__syncwarp(mask);
	if (gone < alive) {
		if (lane == leader)
			gone += ct_shared_add(CT_AT(warp, exited), gone);
		gone = __shfl_sync(mask, gone, leader);
	}
	if (gone == alive)
		ct_warp_end(warp, mask);
}
