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
 *   access record, 1 word or more
 *
 *     63  60 59     48 47                                          0
 *    +------+---------+---------------------------------------------+
 *    | kind |  site   |                base address                 |
 *    +------+---------+---------------------------------------------+
 *
 *    site is the index in the unit's site table. CT_SITE_EXTENDED there means:
 *    the full index stands in the CT_REC_SITE word just before.
 *    S below is the access size in bytes of the site; "first" is the lowest
 *    active lane; a missing mask word means that all 32 lanes are active.
 */
#ifndef CUDATRACE_RECORD_H
#define CUDATRACE_RECORD_H

#include <stdint.h>

#define CT_WARP_LANES 32u
#define CT_FULL_MASK 0xffffffffu

enum ct_record_kind {
	CT_REC_PAD = 0,          /* an all-zero word: padding, skipped */
	CT_REC_AFFINE = 1,       /* addr = base + lane*S */
	CT_REC_UNIFORM = 2,      /* addr = base */
	CT_REC_AFFINE_MASK = 3,  /* w1: mask[31:0];  addr = base + (lane-first)*S */
	CT_REC_UNIFORM_MASK = 4, /* w1: mask[31:0];  addr = base */
	CT_REC_STRIDED = 5,      /* w1: mask[31:0], stride i32[63:32]; addr = base + (lane-first)*stride */
	CT_REC_ROWS = 6,         /* full mask; w1: row stride i32[31:0], log2 row width L[39:32] (3 or 4), 0[63:40];
	                            addr = base + (lane & (2^L-1))*S + (lane >> L)*stride */
	CT_REC_DELTA = 7,        /* w1: mask[31:0], planes W[39:32] (1..4), shift[47:40], 0[63:48]; then W*n bytes, n = popcount(mask),
	                            zero-padded to a whole word; byte p*n+r is byte p of the delta of the r-th active lane;
	                            addr = base + (delta << shift) */
	CT_REC_RAW = 8,          /* base = 0; w1: mask[31:0], 0[63:32]; then n words, the addresses in lane order */
	CT_REC_RANKED = 9,       /* as STRIDED, by rank among active lanes: addr = base + rank*stride */
	/* 10..12 reserved: prediction, values, warp events */
	CT_REC_SITE = 13,        /* [31:0] full site index of the next record, 0[59:32] */
	/* 14 reserved */
	CT_REC_SEGMENT = 15,
};

#define CT_RECORD_KIND_SHIFT 60
#define CT_SITE_SHIFT 48
#define CT_SITE_EXTENDED 0xfffu
#define CT_ADDRESS_BITS 48
#define CT_ADDRESS_MASK ((1ull << CT_ADDRESS_BITS) - 1)

#define CT_SEGMENT_BYTES 16u
/* Largest record: site word + raw record of 32 lanes. */
#define CT_RECORD_BYTES_MAX (8u + 16u + 8u * CT_WARP_LANES)

#define CT_SEGMENT_WORD0(sm, sequence, launch)                                 \
	(((uint64_t)CT_REC_SEGMENT << CT_RECORD_KIND_SHIFT) |                  \
	 ((uint64_t)((sm) & 0xfffu) << 48) |                                   \
	 ((uint64_t)((sequence) & 0xffffu) << 32) | (uint32_t)(launch))
#define CT_SEGMENT_WORD1(warp, cta)                                            \
	(((uint64_t)(warp) << 59) | ((uint64_t)(cta) & ((1ull << 59) - 1)))

#endif
