/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures that tell whether a trace holds every access, each at its address and
 * in its order: per launch and site how many, the sum and the sum of squares of
 * the addresses; per launch a hash of the order.
 *
 *   order = sum over warps  W * sum over lanes  L * sum over k  B^k * (address + H(line))
 *
 * modulo 2^64, where an access of a lane has number k (from 0), line is the source
 * line of its site in the kernel's own body, H(x) the finalizer of splitmix64 of x,
 * W = H(32 * CTA + warp) | 1, L = H(lane) | 1, B = CT_TALLY_BASE. k counts the
 * warp's records where all lanes of a warp go the same way, and else each lane's
 * accesses. Being linear in addresses, segments can be hashed alone.
 */
#ifndef CT_POSTPROC_ANALYSIS_VERIFY_TALLY_H
#define CT_POSTPROC_ANALYSIS_VERIFY_TALLY_H

#include "base/buffer.h"
#include "trace/read/reader.h"

#define CT_TALLY_BASE 0x9e3779b97f4a7c15ull

enum ct_tally_by { CT_TALLY_NO_ORDER = 0, CT_TALLY_BY_WARP = 1, CT_TALLY_BY_LANE = 2 };

struct ct_tally_figures {
	uint64_t count, sum, squares;
};

struct ct_tally_launch {
	uint64_t order; /* after ct_tally_finish */
	uint64_t warps, segments;
	uint64_t gaps;    /* segments missing within warps */
	uint64_t gap_cta; /* where the first one is missing */
	uint32_t gap_warp;
};

struct ct_tally;

/* by: a byte per launch of the trace, enum ct_tally_by, NULL: of none an order; copied. The trace
 * must outlive the tally. */
int ct_tally_open(struct ct_tally **out, const struct ct_trace *trace, const uint8_t *by);
void ct_tally_close(struct ct_tally *tally); /* NULL is allowed */

/* 0 or -ENOMEM */
int ct_tally_add(struct ct_tally *tally, const struct ct_access *access);
int ct_tally_add_event(struct ct_tally *tally, const struct ct_event *event);

/* Add what a tally of another shard has, which is as good as empty afterwards. 0 or -ENOMEM */
int ct_tally_join(struct ct_tally *into, struct ct_tally *from);

/* The same by way of bytes, of another process: append them, and add them. 0 or -ENOMEM; -EPROTO
 * if the bytes are not of the same trace. */
int ct_tally_pack(const struct ct_tally *tally, struct ct_buffer *bytes);
int ct_tally_unpack(struct ct_tally *into, const void *bytes, size_t count);

/* After all is added: bring segments into order. */
void ct_tally_finish(struct ct_tally *tally);

const struct ct_tally_launch *ct_tally_launch(const struct ct_tally *tally, size_t launch);

/* Sites of a launch with accesses, summed up by line and operation. Returns how many. */
struct ct_tally_line {
	uint32_t line, operation;
	struct ct_tally_figures figures;
};
int ct_tally_lines(const struct ct_tally *tally, size_t launch, struct ct_tally_line **lines,
		   size_t *count);

/* Line of a site in the body of the function that its kernel or device function is. */
uint32_t ct_tally_line_of(const struct ct_unit *unit, uint32_t site);

#endif
