/* SPDX-License-Identifier: Apache-2.0 */
/* How long the kernels of a run take together, and the run. */
#ifndef CT_POSTPROC_PROBLEMS_KERNEL_TIMES_H
#define CT_POSTPROC_PROBLEMS_KERNEL_TIMES_H

#include "postproc/analysis/finder.h"

struct ct_kernel_time {
	const char *name, *symbol;
	uint64_t launches;
	double seconds; /* of all of them; 0: not known */
	bool is_predicted;
};

struct ct_kernel_times {
	struct ct_kernel_time *list;
	size_t count;
	double seconds;     /* of all kernels */
	double run_seconds; /* 0: not known */
};

/* 0 or -ENOMEM; fini frees in either case. */
int ct_kernel_times_init(struct ct_kernel_times *times, const struct ct_inquiry *inquiry);
void ct_kernel_times_fini(struct ct_kernel_times *times);

/* NULL: there is no such kernel. */
const struct ct_kernel_time *ct_kernel_times_of(const struct ct_kernel_times *times,
						const char *name);

#endif
