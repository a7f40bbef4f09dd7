/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device records: how one warp-level access is written down.
 *
 * The same on the GPU and on the CPU target; normative text in
 * docs/trace-format.md. A stream of records is a sequence of little-endian
 * 8-byte words. Every ring chunk and every trace chunk begins with a segment
 * header, so each can be decoded alone.
 *
 *   segment header, 2 words: everything up to the next one belongs to one warp
 *
 *     63  60 59     48 47         32 31                            0
 *    +------+---------+-------------+-------------------------------+
 *    |  15  |  SM id  |  sequence   |           launch id           |
 *    +------+---------+-------------+-------------------------------+
 *    | warp (63..59) |              linear CTA id (58..0)           |
 *    +---------------+----------------------------------------------+
 *
 *    sequence counts the segments of this warp from 0, modulo 65536.
 *    linear CTA id = x + gridDim.x * (y + gridDim.y * z).
 *    warp = linear thread id / 32 within the CTA.
 *
 *   short segment header, 1 word: the first segment of a warp (sequence 0), of
 *   the same launch and on the same SM as the segment before it in the chunk
 *
 *     63  60 59 58   54 53                                         0
 *    +------+--+-------+--------------------------------------------+
 *    |   0  | 1| warp  |               linear CTA id                |
 *    +------+--+-------+--------------------------------------------+
 *
 *   access record, 1 word or more. Where a group of its site is in force (see
 *   there), it stands for an access of each member.
 *
 *     63  60 59     48 47                                          0
 *    +------+---------+---------------------------------------------+
 *    | kind |  site   |                base address                 |
 *    +------+---------+---------------------------------------------+
 *
 *    site is the index in the unit's site table. CT_SITE_EXTENDED there means:
 *    the full index stands in the CT_REC_SITE word just before, with the tag of
 *    the unit (unit.h) if it is another than that of the launched kernel.
 *    S below is the access size in bytes of the site; "first" is the lowest
 *    active lane; a missing mask word means that all 32 lanes are active.
 *
 *   addresses have 48 bits. Bit 47 is never set in one of global memory:
 *
 *     47  46  44 43                                               0
 *    +---+------+--------------------------------------------------+
 *    | 1 |space |  offset in that space (enum ct_site_space)       |
 *    +---+------+--------------------------------------------------+
 *
 *    shared: from the start of the CTA's window; local: from the start of the
 *    thread's; constant: from the start of the constant bank.
 *
 *   extended record (kind 14), 1 word and what its variant adds
 *
 *     63  60 59     48 47     40 39                         8 7     0
 *    +------+---------+---------+----------------------------+-------+
 *    |  14  |  site   | variant |             0              | count |
 *    +------+---------+---------+----------------------------+-------+
 *
 *    variant RANGE (count 0): w1: mask[31:0], 0[63:32]; then n times two words:
 *      address, bytes. May have a SITE word before it; GROUP and LOOP never do.
 *    variant GROUP: count (1..CT_GROUP_MEMBERS - 1) words, the distances d. Until
 *      the next segment header that is not short, or the end of the ring chunk,
 *      every access record of this site stands for count + 1 accesses by the same
 *      lanes, in this order: of the site itself, and of each site + k, k = 1..count,
 *      at the same addresses plus d[k-1] (modulo 2^64). Another GROUP record of
 *      the site replaces the distances.
 *    variant LOOP: all 32 lanes ran a loop, in every iteration of which each of
 *      count (1..CT_LOOP_SITES) sites was executed once in the order of their
 *      numbers: site, site + 1, ... w1: iterations (> 0). Then per site 3 words:
 *        base[47:0], 0[58:48], L[63:59] (0..5)
 *        inner i32[31:0], outer i32[63:32]
 *        step i64
 *      In iteration i (from 0) lane l accesses base + (l & (2^L - 1)) * inner +
 *      (l >> L) * outer + i * step, modulo 2^48. A linear access has L = 5. Groups
 *      do not apply to what a LOOP record says.
 *
 *    variant CONTENT: the bytes of a RANGE, from their offset[63:32] of w1 (a multiple of
 *      8) on, of the lanes in mask[31:0] of w1. Then n times count words (n * count <=
 *      CT_CONTENT_WORDS), 0 beyond the end of the lane's range. Follows the RANGE of its
 *      lanes; may have a SITE word before it.
 *
 *   NEAR or DELTA: where DELTA fits, let base, W and shift be those of the DELTA
 *   record, and `all` the OR of the lanes' address - base. NEAR is chosen if the
 *   mask is full, all <= CT_NEAR_MOST, and with near = OR of the lanes' address -
 *   (base & ~15) and s = min(trailing zeros of near, 3), near >> s < 2^(8 * W). It
 *   has base & ~15, the same W, shift s, and deltas (address - (base & ~15)) >> s.
 *
 *   event record, 1 word: a site was executed that has no address
 *
 *     63  60 59     48 47   44 43     32 31                        0
 *    +------+---------+-------+---------+---------------------------+
 *    |  12  |  site   | phase |    0    |           mask            |
 *    +------+---------+-------+---------+---------------------------+
 *
 *    the site's operation says what it was. phase is CT_PHASE_LEAVE when the
 *    call of a CALL site has returned, else CT_PHASE_HAPPENS.
 *
 *   value record, 1 word and a payload: follows the access record of its lanes
 *
 *     63  60 59     48 47   44 43   40 39    32 31                 0
 *    +------+---------+-------+-------+--------+--------------------+
 *    |  11  |  site   | shape | part  | bytes  |        mask        |
 *    +------+---------+-------+-------+--------+--------------------+
 *
 *    part (enum ct_value_part) says which value, bytes (1..16) how much of it
 *    each lane has here, from its byte 16 * (part % 4) on. n = popcount(mask).
 */
#ifndef CUDATRACE_RECORD_H
#define CUDATRACE_RECORD_H

#include <stdint.h>

#define CT_WARP_LANES 32u
#define CT_FULL_MASK 0xffffffffu

enum ct_record_kind {
	CT_REC_PAD = 0,     /* an all-zero word: padding, skipped; with CT_SEGMENT_SHORT: a short
			       segment header */
	CT_REC_AFFINE = 1,  /* addr = base + lane*S */
	CT_REC_UNIFORM = 2, /* addr = base */
	CT_REC_AFFINE_MASK = 3,  /* w1: mask[31:0];  addr = base + (lane-first)*S */
	CT_REC_UNIFORM_MASK = 4, /* w1: mask[31:0];  addr = base */
	CT_REC_STRIDED =
	    5,           /* w1: mask[31:0], stride i32[63:32]; addr = base + (lane-first)*stride */
	CT_REC_ROWS = 6, /* full mask; w1: row stride i32[31:0], log2 row width L[39:32] (3 or 4),
			    0[63:40]; addr = base + (lane & (2^L-1))*S + (lane >> L)*stride */
	CT_REC_DELTA =
	    7, /* w1: mask[31:0], planes W[39:32] (1..4), shift[47:40], 0[63:48]; then W*n bytes, n
		  = popcount(mask), zero-padded to a whole word; byte p*n+r is byte p of the delta
		  of the r-th active lane; addr = base + (delta << shift) */
	CT_REC_RAW =
	    8, /* base = 0; w1: mask[31:0], 0[63:32]; then n words, the addresses in lane order */
	CT_REC_RANKED = 9, /* as STRIDED, by rank among active lanes: addr = base + rank*stride */
	CT_REC_NEAR = 10, /* as DELTA, full mask, without its second word: base[47:4] << 4, W - 1 in
			     bits 1..0, shift in bits 3..2; then 4*W words of byte planes */
	CT_REC_VALUE = 11,
	CT_REC_EVENT = 12,
	CT_REC_SITE = 13, /* [31:0] full site index of the next record, [59:32] tag of its unit, 0:
			     the launch's */
	CT_REC_EXTENDED = 14, /* enum ct_extended_variant, see above */
	CT_REC_SEGMENT = 15,
};

enum ct_extended_variant {
	CT_EXTENDED_RANGE = 0,
	CT_EXTENDED_GROUP = 1,
	CT_EXTENDED_LOOP = 2,
	CT_EXTENDED_CONTENT = 3,
};

#define CT_EXTENDED_VARIANT_SHIFT 40
#define CT_NEAR_MOST 0xfffffff0u /* of distances: with what base gives way, 32 bits hold them */
#define CT_GROUP_MEMBERS 6u      /* of a group, the leader included */
#define CT_GROUPS_MAX 12u        /* of one kernel */
#define CT_LOOP_SITES 16u        /* of one LOOP record */
#define CT_CONTENT_WORDS 64u     /* of one CONTENT record, all lanes together */
#define CT_LOOP_WIDTH_SHIFT 59   /* of L in the first word of a site */

enum ct_value_shape {
	CT_VALUE_ZERO = 0,    /* every lane has zero; no payload */
	CT_VALUE_UNIFORM = 1, /* the value, zero-padded to whole words */
	CT_VALUE_AFFINE = 2,  /* bytes <= 8: two words, base and step; value = base + rank*step
				 modulo 2^(8*bytes) */
	CT_VALUE_RAW = 3,     /* n*bytes bytes in lane order, zero-padded to a whole word */
};

/* part = 4 * role + number of the 16 bytes within the value */
enum ct_value_part {
	CT_PART_VALUE = 0,        /* loaded, stored; the operand of an atomic */
	CT_PART_COMPARE = 4,      /* what a compare-and-swap compares with */
	CT_PART_RETURNED = 8,     /* what an atomic returned */
	CT_PART_COORDINATES = 12, /* of a fetch, an event: 4 bytes each, as PTX has them */
	CT_PART_IMAGE = 13,       /* of a fetch: the handle of its texture or surface, 8 bytes */
	CT_PART_CONTENT = 16,     /* of a range; in CONTENT records, not in value records */
};

enum ct_event_phase { CT_PHASE_HAPPENS = 0, CT_PHASE_LEAVE = 1 };

#define CT_RECORD_KIND_SHIFT 60
#define CT_SITE_SHIFT 48
#define CT_SITE_EXTENDED 0xfffu
#define CT_EVENT_PHASE_SHIFT 44
#define CT_VALUE_SHAPE_SHIFT 44
#define CT_VALUE_PART_SHIFT 40
#define CT_VALUE_BYTES_SHIFT 32
#define CT_ADDRESS_BITS 48
#define CT_ADDRESS_MASK ((1ull << CT_ADDRESS_BITS) - 1)

#define CT_SEGMENT_BYTES 16u
/* Largest record: site word + range or value record of 32 lanes. */
#define CT_RECORD_BYTES_MAX (8u + 16u + 16u * CT_WARP_LANES)
#define CT_VALUE_BYTES_MAX 16u /* of one part */

#define CT_ADDRESS_SPACE_BIT (1ull << 47)
#define CT_ADDRESS_OFFSET_MASK ((1ull << 44) - 1)
/* The address of offset in a space other than global. */
#define CT_ADDRESS_IN(space, offset)                                                               \
	(CT_ADDRESS_SPACE_BIT | (uint64_t)(space) << 44 |                                          \
	 (CT_ADDRESS_OFFSET_MASK & (uint64_t)(offset)))
/* enum ct_site_space of an address (1: global) */
#define CT_ADDRESS_SPACE(address) ((address) >> 47 == 1 ? (uint32_t)((address) >> 44 & 7) : 1u)

/* A short segment header. */
#define CT_SEGMENT_SHORT (1ull << 59)
#define CT_SEGMENT_SHORT_WARP_SHIFT 54
#define CT_SEGMENT_SHORT_CTA_BITS 54
#define CT_SEGMENT_SHORT_WORD(warp, cta)                                                           \
	(CT_SEGMENT_SHORT | (uint64_t)(warp) << CT_SEGMENT_SHORT_WARP_SHIFT | (uint64_t)(cta))

#define CT_SEGMENT_WORD0(sm, sequence, launch)                                                     \
	(((uint64_t)CT_REC_SEGMENT << CT_RECORD_KIND_SHIFT) | ((uint64_t)(0xfffu & (sm)) << 48) |  \
	 ((uint64_t)(0xffffu & (sequence)) << 32) | (uint32_t)(launch))
#define CT_SEGMENT_WORD1(warp, cta)                                                                \
	(((uint64_t)(warp) << 59) | ((uint64_t)(cta) & ((1ull << 59) - 1)))

#endif
