/* SPDX-License-Identifier: Apache-2.0 */
/* Launches by kernel: how many, and what they did together. */
#ifndef CT_POSTPROC_ANALYSIS_TOTALS_KERNELS_H
#define CT_POSTPROC_ANALYSIS_TOTALS_KERNELS_H

#include "postproc/analysis/totals/totals.h"
#include "postproc/facts/sampling.h"

/* Launches of one symbol, of whatever unit or process. */
struct ct_kernel_totals {
	const struct ct_launch_info *first; /* of the launches that pass */
	const struct ct_launch_info *left;  /* the first that is not traced; NULL: all are */
	uint64_t traced, counted;           /* launches; counted: of tier counts */
	uint64_t failed;                    /* with a CUDA error */
	uint64_t bounds;                    /* whose counts are upper bounds */
	uint64_t lossy;                     /* traced, but chunks of them are lost */
	uint64_t ctas, recorded;            /* of traced launches */
	struct ct_launch_totals totals;
};

struct ct_kernels {
	struct ct_kernel_totals *list; /* in the order of their first launch */
	size_t count;
};

/* Lists the kernels of the launches that pass (filter NULL: all), after the totals have finished;
 * the trace must outlive the list. 0 or -ENOMEM */
int ct_kernels_init(struct ct_kernels *kernels, const struct ct_trace *trace,
		    const struct ct_totals *totals, const struct ct_sampling *sampling,
		    const struct ct_filter *filter);
void ct_kernels_fini(struct ct_kernels *kernels);

#endif
