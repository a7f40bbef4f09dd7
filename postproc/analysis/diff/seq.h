/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare, thread by thread, the sequences of steps of paired launches,
 * whatever the grouping into warps' records: a 128-bit hash per thread that
 * depends on the order. Memory is bounded: a batch covers a window of at most
 * CT_SEQ_THREADS_MAX threads; every batch needs one scan of each trace.
 */
#ifndef CT_MODEL_SEQ_H
#define CT_MODEL_SEQ_H

#include "postproc/analysis/diff/pairs.h"

#define CT_SEQ_THREADS_MAX (8u << 20)

struct ct_seq;

int ct_seq_open(struct ct_seq **out, struct ct_pairs *pairs, uint64_t threads_max);
void ct_seq_close(struct ct_seq *seq); /* NULL is allowed */

/* Choose the next threads: 1, or 0 when all were compared. */
int ct_seq_next_batch(struct ct_seq *seq);

/* The launch number of the batch if it has only one, else 0. */
uint32_t ct_seq_single_launch(const struct ct_seq *seq);

void ct_seq_add(struct ct_seq *seq, int side, struct ct_match *match,
		const struct ct_warp_step *warp);

/* After both traces were scanned: notes the results in the pairs. */
void ct_seq_settle(struct ct_seq *seq);

#endif
