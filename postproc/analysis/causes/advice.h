/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to change where warps wait, and what that is worth: lines of kernels, joined with the
 * variable that is waited for (blame) and with what a trace knows of the accesses there (causes).
 *
 *	T samples of the kernel, B of them at barriers, M wait for what the line has begun or
 *	for queues that it fills, a share s of which would not be there if the cause were fixed;
 *	warps then wait less at barriers, too: (T - B) / (T - B - s M) times as fast
 *
 * Without a cause it is T / (T - M). Source: GPA (CGO 2021), stall elimination; blame.md,
 *section 6.
 */
#ifndef CT_POSTPROC_ANALYSIS_CAUSES_ADVICE_H
#define CT_POSTPROC_ANALYSIS_CAUSES_ADVICE_H

#include "postproc/analysis/blame/blame.h"
#include "postproc/analysis/causes/causes.h"
#include "postproc/analysis/samples/samples.h"

struct ct_advice {
	const struct ct_samples_kernel *kernel;
	const char *file;
	uint32_t line;
	const char *reason; /* of most samples that match; NULL: any, as of lanes that part */
	const struct ct_blame_variable *variable; /* NULL: none is known */
	const char *object;                       /* likewise */
	enum ct_cause_kind cause;                 /* CT_CAUSE_KINDS: not known */
	double matched;                           /* samples: M */
	double barriers;                          /* B, if there is a cause */
	double saved;                             /* s M: at most, */
	double saved_least;                       /* and if caches serve what they can */
	const char *fix;
};

struct ct_advices {
	struct ct_advice *list; /* those that save most first */
	size_t count;
	double total;   /* samples of all kernels */
	bool lists_all; /* the table has all, not only those that save most */
};

/* Advises on lines that are at least two percent of a kernel, and a thousandth of all samples.
 * causes NULL: there is no trace of accesses. All outlive the advices. 0 or -ENOMEM;
 * ct_advices_fini frees in either case. */
int ct_advices_init(struct ct_advices *advices, const struct ct_samples_study *study,
		    const struct ct_blame *blame, const struct ct_causes *causes);
void ct_advices_fini(struct ct_advices *advices);

/* How many times as fast the kernel would be, and all kernels together. INFINITY: nothing is left.
 */
double ct_advice_gain(const struct ct_advice *advice);
double ct_advice_least_gain(const struct ct_advice *advice); /* the kernel */
double ct_advice_run_gain(const struct ct_advices *advices, const struct ct_advice *advice);

/* How `saved` was found: "elimination", "sectors", "wavefronts", ... */
const char *ct_advice_method(const struct ct_advice *advice);
/* "uncoalesced"; "" not known */
const char *ct_advice_cause(const struct ct_advice *advice);

#endif
