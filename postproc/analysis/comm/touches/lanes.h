/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of an access, all of one size, in the order of their addresses. Inline, for it is in
 * the way of every access that is not regular. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_TOUCHES_LANES_H
#define CT_POSTPROC_ANALYSIS_COMM_TOUCHES_LANES_H

#include "postproc/analysis/comm/base/engine.h"

#include <stdbool.h>
#include <stdint.h>

/* All lanes in a row, at one place or side by side: one range. */
static inline bool ct_lanes_are_one_range(const struct ct_access *access, uint32_t lanes,
					  uint64_t size)
{
	uint32_t low = lanes & -lanes;

	return access->is_linear && lanes == access->mask && !(lanes & (lanes + low)) &&
	       (access->stride == 0 || access->stride == (int64_t)size);
}

static inline void ct_sort_lanes(uint64_t *address, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		uint64_t moved = address[i];
		uint32_t at = i;

		for (; at > 0 && address[at - 1] > moved; at--)
			address[at] = address[at - 1];
		address[at] = moved;
	}
}

/* In pages of their own, and no lane beside the next: to sort them would join hardly any. */
static inline bool ct_lanes_are_scattered(const uint64_t *address, uint32_t count, uint64_t size)
{
	uint64_t low = address[0], high = low;
	uint32_t beside = 0;

	for (uint32_t i = 1; i < count; i++) {
		beside += address[i] - address[i - 1] + size <= 2 * size;
		low = address[i] < low ? address[i] : low;
		high = address[i] > high ? address[i] : high;
	}
	return beside < count / 8 && high - low > (uint64_t)count * CT_PAGE_BYTES;
}

/* Lanes in rows, each of lanes side by side: bit i of *ends says that a row ends with lane i.
 * Returns whether rows ascend, with a gap between any two. */
static inline bool ct_lanes_in_rows(const uint64_t *address, uint32_t count, uint64_t size,
				    uint32_t *ends)
{
	uint32_t last = 1u << (count - 1), rest;

	*ends = last;
	for (uint32_t i = 0; i + 1 < count; i++)
		*ends |= (uint32_t)(address[i + 1] - address[i] != size) << i;
	for (rest = *ends; rest != last; rest &= rest - 1) {
		uint32_t end = (uint32_t)__builtin_ctz(rest);

		if (address[end + 1] <= address[end] + size)
			return false;
	}
	return true;
}

/* Takes lanes in the order of addresses, those from *at on that are side by side or at the same
 * place, each place `*times` times: how many bytes. *at: the first one behind them. */
static inline uint64_t ct_lanes_next_range(const uint64_t *address, uint32_t count, uint64_t size,
					   uint32_t *at, uint32_t *times)
{
	uint64_t begin = address[*at], end = begin + size;
	uint32_t i = *at, same;

	while (i < count && address[i] == begin)
		i++;
	*times = i - *at;
	for (; i < count && address[i] == end; i = same, end += size) {
		for (same = i; same < count && address[same] == end;)
			same++;
		if (same - i != *times)
			break;
	}
	*at = i;
	return end - begin;
}

#endif
