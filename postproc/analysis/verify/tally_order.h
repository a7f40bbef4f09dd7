/* SPDX-License-Identifier: Apache-2.0 */
/* The order hash of tally.h, segment by segment. */
#ifndef CT_POSTPROC_ANALYSIS_VERIFY_TALLY_ORDER_H
#define CT_POSTPROC_ANALYSIS_VERIFY_TALLY_ORDER_H

#include "base/buffer.h"
#include "postproc/analysis/verify/tally.h"
#include "postproc/analysis/verify/tally_warps.h"

/* A segment of a warp: its hash as if it were the warp's first. */
struct ct_tally_segment {
	uint64_t cta;
	uint64_t segment; /* ct_access.segment */
	uint64_t hash;    /* by lane: index in lanes */
	uint32_t launch;
	uint32_t records;
	uint16_t sequence;
	uint8_t warp, by;
};

struct ct_tally_lanes {
	uint64_t hash[CT_WARP_LANES];
	uint32_t count[CT_WARP_LANES];
};

struct ct_tally_order {
	/* Where no order is asked for: warps with a segment of number 0, and of whom it is the one
	 * that was added last; its further segments, and of number 0, are among the others. */
	struct ct_tally_warps first;
	struct ct_tally_segment last;
	struct ct_tally_segment *segments;
	size_t count, room;
	struct ct_tally_lanes *lanes;
	size_t lanes_count, lanes_room;
	uint64_t power;                /* B^records of the last segment */
	uint64_t lane[CT_WARP_LANES];  /* L */
	uint64_t lane_sum, number_sum; /* of L, and of lane number times L */
};

static inline uint64_t ct_tally_hash(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ull;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

void ct_tally_order_init(struct ct_tally_order *order);
void ct_tally_order_fini(struct ct_tally_order *order);

/* by: enum ct_tally_by; line: hash of the site's line. 0 or -ENOMEM */
int ct_tally_order_add(struct ct_tally_order *order, uint32_t launch, uint8_t by,
		       const struct ct_access *access, uint64_t line);

/* The segment of `at` exists. */
int ct_tally_order_note(struct ct_tally_order *order, uint32_t launch, uint8_t by,
			const struct ct_access *at);

/* Take over from's segments. 0 or -ENOMEM */
int ct_tally_order_join(struct ct_tally_order *into, struct ct_tally_order *from);

/* The same by way of bytes, of another process: append from's segments, and take over those of
 * bytes, all of them. 0, -ENOMEM, or -EPROTO if that is not what they hold. */
int ct_tally_order_pack(const struct ct_tally_order *order, struct ct_buffer *bytes);
int ct_tally_order_unpack(struct ct_tally_order *into, const void *bytes, size_t count);

/* Sort; fill in launch[]. */
void ct_tally_order_finish(struct ct_tally_order *order, struct ct_tally_launch *launch);

#endif
