/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two studies of a program, before and after it was changed: which problems are gone, remain and
 * are new, what was predicted of those that are gone beside what the runs say; kernels, lines and
 * calls side by side. (Seed 004, Figures 4.4 and 4.11: benefits, actual and predicted; what changes
 * of a hot region.)
 *
 * A problem that only one study could have found is not known of the other, and neither gone nor
 * new.
 */
#ifndef CT_POSTPROC_COMPARISON_COMPARISON_H
#define CT_POSTPROC_COMPARISON_COMPARISON_H

#include "postproc/analysis/ffm/compare.h"
#include "postproc/comparison/pairs.h"

enum ct_compared_state {
	CT_COMPARED_GONE,
	CT_COMPARED_NEW,
	CT_COMPARED_REMAINS,
	CT_COMPARED_UNKNOWN, /* in one of the studies what would tell was not recorded */
	CT_COMPARED_STATES,
};

/* The measured saving of a problem is of one of these. */
enum ct_compared_measure {
	CT_MEASURED_NOTHING, /* not known */
	CT_MEASURED_KERNEL,  /* launches of its kernels, pristine */
	CT_MEASURED_MODEL,   /* the same by the model, of traces without times */
	CT_MEASURED_CALLS,   /* calls of its function of the API */
	CT_MEASURED_RUN,
};

struct ct_compared_problem {
	enum ct_compared_state state;
	/* The part that stands for it; NULL: that study has not got it, or it is worth too little
	 * to be reported there. */
	const struct ct_problem_part *part[2];
	size_t number[2];                      /* of the problem that it is part of; CT_PAIR_NONE */
	double seconds[2], bound[2], share[2]; /* that fixing it is worth; NAN: not known */
	bool is_small;                         /* in both it is worth less than is reported */
	/* Says for problems that are gone and that remain how long what they cost took. */
	enum ct_compared_measure measure;
	const char *call;   /* of CT_MEASURED_CALLS */
	double measured[2]; /* seconds, before and after */
	size_t shared;      /* other problems that are gone whose saving is the same one */
};

/* A function of the API. */
struct ct_compared_call {
	const char *name;
	uint64_t count[2];
	double seconds[2], waited[2];
	double predicted; /* of problems at it that are gone, each for itself */
};

struct ct_comparison {
	const struct ct_side *side[2]; /* before, after; borrowed */
	bool lists_all;                /* tables: for people what has not changed, too */
	/* Problems that are gone come first, then new, remaining, unknown ones, each the most
	 * expensive first. */
	struct ct_compared_problem *problem;
	size_t problems, count[CT_COMPARED_STATES],
	    small[CT_COMPARED_STATES]; /* count: without small ones */
	struct ct_compared_pairs kernels, lines;
	struct ct_compared_call *call; /* by the time that they took before, the most first */
	size_t calls;
	/* Compares waits, copies and allocations of both; NULL: not recorded. */
	const struct ct_ffm_comparison *ffm;
	struct ct_ffm_comparison own_ffm;
	/* The predicted saving of all problems that are gone together: of each kernel at most its
	 * time, of calls by replay. */
	double predicted_kernels, predicted_calls;
	char **doubt; /* sentences: why it may not be sound */
	size_t doubts;
	bool is_other_program; /* no kernel and no source is in both: problems are not compared */
};

/* The sides are made, and outlive it. 0 or a negative error; fini frees in either case. */
int ct_comparison_init(struct ct_comparison *comparison, const struct ct_side *before,
		       const struct ct_side *after);
void ct_comparison_fini(struct ct_comparison *comparison);

/* Whether a kernel of before is one of those that a problem of before is about. */
bool ct_compared_concerns(const struct ct_comparison *comparison,
			  const struct ct_compared_problem *problem, size_t kernel);

/* "gone" */
const char *ct_compared_state_text(enum ct_compared_state state);

#endif
