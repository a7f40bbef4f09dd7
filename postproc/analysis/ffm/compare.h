/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two studies of a program, before and after some of its problems were fixed: what is gone,
 * remains and is new, and what was predicted of it beside what it has saved.
 *
 * Problems are the same if kind, call, function and file are; lines move, so several of them in one
 * function are paired in the order of their lines, those on the same line first. Measured is the
 * difference of the two runs of stage 1. What makes the comparison doubtful is reported with it.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_COMPARE_H
#define CT_POSTPROC_ANALYSIS_FFM_COMPARE_H

#include "postproc/analysis/ffm/study.h"

struct ct_ffm_compared {
	const struct ct_ffm_entry *before, *after; /* NULL: it is new, it is gone */
};

/* A function of the API. */
struct ct_ffm_compared_call {
	const char *call;
	uint64_t count[2], call_ns[2], wait_ns[2]; /* before, after */
	uint64_t predicted_ns; /* of problems at it that are gone, each for itself */
	uint64_t fixed;        /* calls that may be gone with them */
};

/* Reasons to doubt; a sum. */
enum ct_ffm_doubt {
	CT_FFM_OTHER_COMMAND = 1,   /* its arguments */
	CT_FFM_OTHER_PROCESSES = 2, /* their number */
	CT_FFM_OTHER_LAUNCHES = 4,  /* the number of kernels that ran */
	CT_FFM_OTHER_KERNELS = 8,   /* the time that they took */
	CT_FFM_OTHER_CALLS = 16,    /* functions, with their likes that do not wait (Async), were
				       called less often than what is gone explains, or copies
				       were made more often */
	CT_FFM_SMALL = 32,          /* runs differ by as much as was saved */
};

struct ct_ffm_comparison {
	const struct ct_ffm_study *study[2]; /* before, after; borrowed */
	struct ct_ffm_compared *entry;       /* what is gone, what remains, what is new */
	size_t entries, gone, remaining;     /* in all; of these */
	struct ct_ffm_compared_call *call;   /* by the time that they took before, the most first */
	size_t calls;
	uint64_t kernels[2], kernel_ns[2];
	uint64_t predicted_ns; /* Figure 5.1 of what is gone together, with allocations dropped */
	int64_t replayed_ns;   /* likewise */
	int64_t saved_ns;
	unsigned doubts; /* enum ct_ffm_doubt */
};

/* Both must outlive it. 0 or a negative error; fini is allowed in either case. */
int ct_ffm_compare(struct ct_ffm_comparison *comparison, const struct ct_ffm_study *before,
		   const struct ct_ffm_study *after);
/* Whether a function and its likes were called less often than what is gone explains. */
bool ct_ffm_is_unexplained(const struct ct_ffm_comparison *comparison,
			   const struct ct_ffm_compared_call *call);
void ct_ffm_comparison_fini(struct ct_ffm_comparison *comparison);

#endif
