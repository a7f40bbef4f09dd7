/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stages of analyses (scan/analysis.h) have in common that take records out of shuffles into
 * sums: the shuffle, which workers of the scan fill, and the part of a thread, whose sums are
 * joined part by part.
 */
#ifndef CT_POSTPROC_SHUFFLE_STAGE_H
#define CT_POSTPROC_SHUFFLE_STAGE_H

#include "postproc/scan/analysis.h"
#include "postproc/shuffle/shuffle.h"
#include "postproc/shuffle/sums.h"

/* Records are sorted by this of key[0] and key[1]: all; the first. */
extern const uint64_t ct_stage_all_of_key[2], ct_stage_first_of_key[2];

/* Written by all workers of the pass, read by all threads of a stage. As of ct_shuffle_open. */
int ct_stage_shuffle(struct ct_shuffle **out, const struct ct_room *room, size_t record_bytes,
		     uint32_t partitions, uint64_t memory_bytes, const uint64_t mask[2]);

/* A thread's state in a stage begins with it. */
struct ct_stage_part {
	void *job; /* of the analysis */
	struct ct_sums *sums;
};

/* A state of that many bytes, zero behind its part. 0 or -ENOMEM; ct_stage_close in either case. */
int ct_stage_open(void **state, size_t bytes, void *job);
void ct_stage_close(void *state); /* NULL is allowed */
/* A part of what states have to the sums, as of ct_stage.join; as many parts as sums have. */
int ct_stage_join(struct ct_sums *sums, void *const *states, uint32_t count, uint32_t part);

#endif
