/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is wrong with a program, by what fixing it is worth: findings that say what to do, in
 * seconds of the program's run, those of one place as one problem, the most expensive first.
 *
 * A finding about a kernel tells which share of the kernel's time its fix saves. A second of it is
 * one of the run: the kernel's launches, traced or not, take their number times the mean of those
 * whose kernel was pristine, or else what the model predicts for them. On CPU threads, too: seconds
 * of the run are those of its threads, and shares of kernels are those of a GPU.
 */
#ifndef CT_POSTPROC_PROBLEMS_PROBLEMS_H
#define CT_POSTPROC_PROBLEMS_PROBLEMS_H

#include "postproc/analysis/finder.h"

/* Less than this share of the run is small. */
#define CT_PROBLEM_SMALL 0.001

/* Says what fixing one finding of a problem is worth. */
struct ct_problem_part {
	const struct ct_finding *finding;
	size_t number;         /* of the finding among all */
	double seconds;        /* of the run; NAN: not known */
	double bound;          /* likewise, at most; NAN: not known */
	bool is_estimate;      /* seconds: about; else at most, and the bound */
	double kernel_seconds; /* of its kernel, all launches, that the bound is a part of; NAN */
	double waiting;        /* of its kernel's samples, those that wait for it; NAN: not known */
	size_t problem;
};

/* Beside a baseline (verdict.h). */
enum ct_problem_state {
	CT_PROBLEM_ALONE, /* there is none */
	CT_PROBLEM_KNOWN,
	CT_PROBLEM_NEW, /* an id of it is not in the baseline */
};

struct ct_problem {
	size_t first, parts; /* of its parts; the first is worth most */
	/* Seconds of the run, of its first part and the same advice for other objects, or for
	 * other lines if the advice is on an object; NAN: not known. */
	double seconds, bound; /* bound: at most */
	double share;          /* of the run */
	bool is_small;
	enum ct_problem_state state;
	char file[512]; /* "" not known */
	uint32_t line;  /* 0: not known */
};

struct ct_problems {
	struct ct_problem *list; /* wrong results first, then the most seconds */
	size_t count, small;     /* small: of these; they are the last */
	struct ct_problem_part *part;
	size_t parts;
	/* Shares are of this; NAN: not known. Of the kernels alone where the run's own time is
	 * not known, for it was traced. */
	double run_seconds;
	bool is_of_kernels;
	bool is_predicted; /* seconds of kernels: by the model */
	bool is_cpu;       /* kernels ran on CPU threads */
};

/* Makes problems of a study's findings that are not suppressed, which outlive them. 0 or -ENOMEM;
 * fini frees in either case. */
int ct_problems_init(struct ct_problems *problems, const struct ct_findings *findings,
		     const struct ct_inquiry *inquiry);
/* "new", "known"; NULL: alone */
const char *ct_problem_state_text(enum ct_problem_state state);

/* Whether results are wrong, which no time reports. */
bool ct_problem_is_wrong(const struct ct_problem_part *part);
/* Whether it is about a kernel as a whole, and of no line of it. */
bool ct_problem_is_of_kernel(const struct ct_problem_part *part);
/* Whether a part, by number, is the same advice as the first one. */
bool ct_problem_is_likewise(const struct ct_problems *problems, const struct ct_problem *problem,
			    size_t part);
void ct_problems_fini(struct ct_problems *problems);

/* Whether a finding says what to do and what of the run that is worth: else it is a fact. */
bool ct_problems_has(const struct ct_problems *problems, size_t finding);

#endif
