/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of two traces side by side, and what was found about each pair. */
#ifndef CT_POSTPROC_ANALYSIS_DIFF_PAIRS_H
#define CT_POSTPROC_ANALYSIS_DIFF_PAIRS_H

#include "postproc/analysis/diff/match.h"
#include "trace/read/reader.h"

enum ct_pair_result {
	CT_PAIR_EQUAL,
	CT_PAIR_NOT_TRACED, /* in neither trace: nothing to compare */
	CT_PAIR_ONLY_A,
	CT_PAIR_ONLY_B,
	CT_PAIR_KERNEL, /* these differ in … */
	CT_PAIR_GRID,
	CT_PAIR_BLOCK,
	CT_PAIR_STREAM,
	CT_PAIR_TRACED,
	CT_PAIR_ACCESSES,
};

struct ct_pair {
	const struct ct_launch_info *launch[2]; /* NULL: the trace has none */
	enum ct_pair_result result;
	uint64_t ctas;        /* of CT_PAIR_EQUAL and CT_PAIR_ACCESSES */
	uint32_t cta_threads; /* whole warps */
	uint64_t steps[2];    /* thread-level: accesses, events and values */
	uint64_t accesses[2]; /* of them */
	uint64_t unknown[2];  /* of these in no known object */
	uint64_t stray[2];    /* outside the grid or block: a damaged trace */
	uint64_t threads_differ;
	uint64_t first_thread; /* cta * cta_threads + thread in CTA */
	/* The first difference in first_thread: */
	int located;
	uint64_t position; /* steps before it */
	int has[2];        /* 0: the thread made no more steps */
	struct ct_match_step step[2];
};

struct ct_pairs {
	struct ct_pair *pair; /* by process and launch number */
	size_t count;
	const struct ct_launch_info *launches[2];
	size_t *pair_of[2]; /* by launch index */
};

/* Pairs whose launches can be compared further are CT_PAIR_EQUAL so far. */
int ct_pairs_init(struct ct_pairs *pairs, const struct ct_trace *a, const struct ct_trace *b);
void ct_pairs_fini(struct ct_pairs *pairs);

/* The pair that an access of trace `side` belongs to. */
struct ct_pair *ct_pairs_of(const struct ct_pairs *pairs, int side, const struct ct_access *access);

/* The thread's number in its launch; UINT64_MAX outside the grid or block. */
uint64_t ct_pair_thread(const struct ct_pair *pair, const struct ct_access *access, uint32_t lane);

const char *ct_pair_result_text(enum ct_pair_result result);

#endif
