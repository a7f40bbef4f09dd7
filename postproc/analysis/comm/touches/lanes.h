/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of an access, in the order of their addresses. Inline, for it is in the way of every
 * access that is not regular. */
#ifndef CT_COMM_TOUCHES_LANES_H
#define CT_COMM_TOUCHES_LANES_H

#include "postproc/analysis/comm/base/engine.h"

#include <stdbool.h>
#include <stdint.h>

struct ct_lane {
	uint64_t address;
	uint64_t bytes;
};

static inline void ct_sort_lanes(struct ct_lane *lane, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct ct_lane moved = lane[i];
		uint32_t at = i;

		for (; at > 0 && lane[at - 1].address > moved.address; at--)
			lane[at] = lane[at - 1];
		lane[at] = moved;
	}
}

/* In pages of their own, and no lane beside the next: to sort them would join hardly any. */
static inline bool ct_lanes_are_scattered(const struct ct_lane *lane, uint32_t count)
{
	uint64_t size = lane->bytes, low = lane->address, high = low;
	uint32_t beside = 0;

	for (uint32_t i = 1; i < count; i++) {
		uint64_t address = lane[i].address;

		beside += address - lane[i - 1].address + size <= 2 * size;
		low = address < low ? address : low;
		high = address > high ? address : high;
	}
	return beside < count / 8 && high - low > (uint64_t)count * CT_PAGE_BYTES;
}

#endif
