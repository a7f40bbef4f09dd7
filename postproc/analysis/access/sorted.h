/* SPDX-License-Identifier: Apache-2.0 */
/* A warp's addresses in ascending order, without branches that addresses from all over memory would
 * make the processor guess. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_SORTED_H
#define CT_POSTPROC_ANALYSIS_ACCESS_SORTED_H

#include "trace/read/reader.h"

#include <stdbool.h>

/* Addresses of the lanes given, which are any but none; returns how many there are. 0: they are too
 * far from one another, some GiB, by as many bytes as are all their multiples; nothing is sorted.
 */
uint32_t ct_access_sort(uint64_t sorted[CT_WARP_LANES], const uint64_t address[CT_WARP_LANES],
			uint32_t lanes);

/* Is the address of each of these lanes that many bytes behind the one it is from? */
bool ct_access_is_moved(const uint64_t address[CT_WARP_LANES], const uint64_t from[CT_WARP_LANES],
			uint32_t lanes, uint64_t by);

/* An address, and how many lanes have it. */
struct ct_access_meeting {
	uint64_t address;
	uint32_t lanes;
};

/* Finds where lanes in ascending order, one or more, meet: each address once. Returns how many. */
uint32_t ct_access_meet_sorted(struct ct_access_meeting meeting[CT_WARP_LANES],
			       const uint64_t *sorted, uint32_t count);

/* Likewise, of the lanes given, which are in any order, and so are the addresses. */
uint32_t ct_access_meet(struct ct_access_meeting meeting[CT_WARP_LANES],
			const uint64_t address[CT_WARP_LANES], uint32_t lanes);

#endif
