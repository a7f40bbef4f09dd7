/* SPDX-License-Identifier: Apache-2.0 */
/* The objects alive at one point in time, found by address. */
#ifndef CT_TRACE_READ_LIVE_H
#define CT_TRACE_READ_LIVE_H

#include "base/buffer.h"

#include <stddef.h>
#include <stdint.h>

struct ct_live_range {
	uint64_t begin, end; /* end is exclusive */
	uint32_t object;     /* index, the caller's */
};

/* Disjoint ranges in ascending order, in blocks, so that a change moves the ranges of a block and
 * not all of them. Zero-initialised, it is empty. */
struct ct_live {
	struct ct_buffer blocks;          /* struct ct_live_block *, none of them empty */
	const struct ct_live_range *last; /* the last hit: the next one is often the same */
	uint64_t moved;                   /* ranges and blocks, by all changes */
};

/* The range that holds address, or NULL. Valid until the next change. */
const struct ct_live_range *ct_live_find(struct ct_live *live, uint64_t address);

/* Any range that shares an address with [begin, end), or NULL. */
const struct ct_live_range *ct_live_overlap(struct ct_live *live, uint64_t begin, uint64_t end);

/* Insert a range that overlaps none and is not empty. Returns 0 or -ENOMEM. */
int ct_live_insert(struct ct_live *live, const struct ct_live_range *range);

/* Remove the range that begins at begin and is of object, if there is one. */
void ct_live_remove(struct ct_live *live, uint64_t begin, uint32_t object);

void ct_live_fini(struct ct_live *live);

#endif
