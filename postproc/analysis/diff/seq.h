/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare, thread by thread, the sequences of steps of paired launches,
 * whatever the grouping into warps' records: a 128-bit hash per thread that
 * depends on the order. Memory is bounded: a batch covers a window of at most
 * CT_SEQ_THREADS_MAX threads; every batch needs one scan of each trace.
 */
#ifndef CT_POSTPROC_ANALYSIS_DIFF_SEQ_H
#define CT_POSTPROC_ANALYSIS_DIFF_SEQ_H

#include "postproc/analysis/diff/pairs.h"

#define CT_SEQ_THREADS_MAX (8u << 20)

struct ct_seq;

int ct_seq_open(struct ct_seq **out, struct ct_pairs *pairs, uint64_t threads_max);
void ct_seq_close(struct ct_seq *seq); /* NULL is allowed */

/* Choose the next threads: 1, or 0 when all were compared. */
int ct_seq_next_batch(struct ct_seq *seq);

/* How many pairs the batch is of, and the first of them. */
size_t ct_seq_pairs(const struct ct_seq *seq);
size_t ct_seq_first_pair(const struct ct_seq *seq);

/* Counts a pair. */
struct ct_seq_count {
	uint64_t steps, accesses, unknown; /* as in struct ct_pair */
	uint64_t stray;
};

/* Add a step to the hashes of its threads, and to what is counted of its pair. count: by pair
 * of the batch, the caller's. Steps of different warps may be added at the same time. */
void ct_seq_add(const struct ct_seq *seq, int side, struct ct_match *match,
		const struct ct_warp_step *warp, struct ct_seq_count *count);

/* Note what was counted of a side in the pairs. */
void ct_seq_note(struct ct_seq *seq, int side, const struct ct_seq_count *count);

/* After both traces were scanned: notes the results in the pairs. */
void ct_seq_finish(struct ct_seq *seq);

#endif
