/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what single lanes of an access did. */
#ifndef CT_POSTPROC_FACTS_LANES_H
#define CT_POSTPROC_FACTS_LANES_H

#include "trace/read/reader.h"

/* The active lanes whose address is in that space (enum ct_site_space). */
static inline uint32_t ct_lanes_in(const struct ct_access *access, uint32_t space)
{
	uint64_t any = 0;
	uint32_t lanes = 0;

	/* In a row of addresses, all lie between the first and the last. */
	if (access->is_linear && !((access->address[__builtin_ctz(access->mask)] |
				    access->address[31 - __builtin_clz(access->mask)]) &
				   CT_ADDRESS_SPACE_BIT))
		return space == CT_SPACE_GLOBAL ? access->mask : 0;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		any |= access->address[lane]; /* of inactive ones for nothing at worst */
	if (!(any & CT_ADDRESS_SPACE_BIT))    /* as nearly always */
		return space == CT_SPACE_GLOBAL ? access->mask : 0;
	for (uint32_t rest = access->mask; rest; rest &= rest - 1)
		if (CT_ADDRESS_SPACE(access->address[__builtin_ctz(rest)]) == space)
			lanes |= rest & -rest;
	return lanes;
}

static inline uint64_t ct_lane_bytes(const struct ct_access *access, uint32_t lane)
{
	return access->range ? access->range[lane] : access->info->bytes;
}

/* Mostly all are there; the compiler's way is a call where the processor's own is not built in. */
static inline uint32_t ct_lane_count(uint32_t lanes)
{
	if (lanes == CT_FULL_MASK)
		return CT_WARP_LANES;
	lanes -= lanes >> 1 & 0x55555555;
	lanes = (lanes & 0x33333333) + (lanes >> 2 & 0x33333333);
	return ((lanes + (lanes >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* Returns the bytes of these active lanes together. */
static inline uint64_t ct_lanes_bytes(const struct ct_access *access, uint32_t lanes)
{
	uint64_t bytes = 0;

	if (!access->range)
		return (uint64_t)ct_lane_count(lanes) * access->info->bytes;
	for (; lanes; lanes &= lanes - 1)
		bytes += access->range[__builtin_ctz(lanes)];
	return bytes;
}

#endif
