/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks of kernels' bodies for one tier (llvm-pass/clone/tier_body.h), in place of those of the
 * same type in hooks.def: the warp's mode is known, and it is on. Inlined; sites and sizes are
 * constants.
 */
#ifndef CT_DEVICE_RT_TIERS_H
#define CT_DEVICE_RT_TIERS_H

#include "device-rt/summary.cuh"

/* Every lane begins the warp's state, so that none has to be chosen, and none waits for another. */
#define CT_TIER_HOOK extern "C" __device__ __attribute__((always_inline))

CT_TIER_HOOK uint32_t __ct_tier_enter(uint64_t context, uint32_t, uint32_t flags, uint32_t,
				      uint32_t)
{
	uint32_t warp = ct_warp_state(ct_thread());

	ct_count_begin(warp, context, flags);
	return warp;
}

CT_TIER_HOOK uint32_t __ct_values_enter(uint64_t context, uint32_t, uint32_t flags, uint32_t,
					uint32_t)
{
	uint32_t warp = ct_warp_state(ct_thread());

	ct_summary_begin(warp, context, flags);
	return warp;
}

CT_TIER_HOOK uint32_t __ct_tier_enter_far(uint64_t context, uint32_t, uint32_t flags, uint32_t,
					  uint32_t, uint32_t states)
{
	uint32_t warp = ct_warp_state_of(states, ct_thread());

	ct_count_begin(warp, context, flags);
	return warp;
}

CT_TIER_HOOK uint32_t __ct_values_enter_far(uint64_t context, uint32_t, uint32_t flags, uint32_t,
					    uint32_t, uint32_t states)
{
	uint32_t warp = ct_warp_state_of(states, ct_thread());

	ct_summary_begin(warp, context, flags);
	return warp;
}

CT_TIER_HOOK void __ct_counts_access(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes)
{
	uint32_t mask = __activemask();

	if (site >> 32)
		ct_count(warp, site, address, bytes, mask);
	else if (!ct_count_whole(warp, (int32_t)site, address, bytes, mask))
		ct_count_range(warp, site, address, bytes, mask);
}

CT_TIER_HOOK void __ct_counts_group(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes,
				    uint32_t, uint32_t count, uint64_t d1, uint64_t d2, uint64_t d3,
				    uint64_t d4, uint64_t d5)
{
	uint32_t mask = __activemask();

	if (!ct_count_group_whole(warp, (uint32_t)site, address, bytes, mask, count, d1, d2, d3, d4,
				  d5))
		ct_count_group(warp, (uint32_t)site, address, bytes, mask, count, d1, d2, d3, d4,
			       d5);
}

/* The same with less code at the call, for bodies with many of them. */
CT_TIER_HOOK void __ct_counts_access_called(uint32_t warp, uint64_t site, uint64_t address,
					    uint32_t bytes)
{
	ct_count(warp, site, address, bytes, __activemask());
}

CT_TIER_HOOK void __ct_counts_group_called(uint32_t warp, uint64_t site, uint64_t address,
					   uint32_t bytes, uint32_t, uint32_t count, uint64_t d1,
					   uint64_t d2, uint64_t d3, uint64_t d4, uint64_t d5)
{
	ct_count_group(warp, (uint32_t)site, address, bytes, __activemask(), count, d1, d2, d3, d4,
		       d5);
}

CT_TIER_HOOK void __ct_values_value(uint32_t warp, uint64_t site, uint32_t part, uint32_t bytes,
				    uint64_t low, uint64_t high, uint64_t address, uint32_t element)
{
	if (element)
		ct_summary_inline(warp, site, part, element, bytes, low, high, address,
				  __activemask());
}

CT_TIER_HOOK void __ct_values_group(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes,
				    uint32_t, uint32_t count, uint64_t d1, uint64_t d2, uint64_t d3,
				    uint64_t d4, uint64_t d5, uint64_t v0, uint64_t v1, uint64_t v2,
				    uint64_t v3, uint64_t v4, uint64_t v5, uint32_t element)
{
	const uint64_t distance[] = {0, d1, d2, d3, d4, d5}, value[] = {v0, v1, v2, v3, v4, v5};

	if (element)
		ct_summary_group(warp, site, element, bytes, count + 1, value, distance, address,
				 __activemask());
}

CT_TIER_HOOK void __ct_values_value_called(uint32_t warp, uint64_t site, uint32_t part,
					   uint32_t bytes, uint64_t low, uint64_t high,
					   uint64_t address, uint32_t element)
{
	if (element)
		ct_summary_value(warp, site, part, element, bytes, low, high, address,
				 __activemask());
}

CT_TIER_HOOK void __ct_values_group_called(uint32_t warp, uint64_t site, uint64_t address,
					   uint32_t bytes, uint32_t, uint32_t count, uint64_t d1,
					   uint64_t d2, uint64_t d3, uint64_t d4, uint64_t d5,
					   uint64_t v0, uint64_t v1, uint64_t v2, uint64_t v3,
					   uint64_t v4, uint64_t v5, uint32_t element)
{
	const uint64_t distance[] = {0, d1, d2, d3, d4, d5}, value[] = {v0, v1, v2, v3, v4, v5};
	uint32_t mask = __activemask();

	if (!element)
		return;
#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		if (k <= count)
			ct_summary_value(warp, site + k, CT_PART_VALUE, element, bytes, value[k], 0,
					 address + distance[k], mask);
}

#endif
