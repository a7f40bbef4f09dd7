/* SPDX-License-Identifier: Apache-2.0 */
/* All kernels of a trace, modelled beside other analyses: with bounds of memory and time of their
 * own, and times of the same run. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_ALL_H
#define CT_POSTPROC_ANALYSIS_MODEL_ALL_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/model/kernel.h"

#define CT_MODEL_ALL_SECTORS (1u << 18) /* ct_model_job.sectors: of a launch that are kept */

struct ct_simulate_change;
struct ct_work_flow;

/* Zero-initialise. */
struct ct_model_all {
	struct ct_machine machine;      /* that the trace is of, or stands for */
	struct ct_model_kernel *kernel; /* the most time first */
	size_t kernels;
	double seconds;                     /* predicted: of all traced launches of all of them */
	const struct ct_model_cubin *cubin; /* that the caller has, before they are made */
	size_t cubins;
	const struct ct_model_job *job; /* that they are made from: as long as it is open */
	/* Only ctpost model sets these: */
	struct ct_work_flow *flow; /* by kernel; NULL: not made */
	size_t silent;             /* kernels of which nothing can be said */
};

/* calls: NULL if the trace has none. 0 or -ENOMEM; fini frees in either case. */
int ct_model_all_make(struct ct_model_all *all, const struct ct_model_job *job,
		      const struct ct_calls *calls);
/* Seconds that a change saves of a launch of one of these kernels, by simulation; less than
 * nothing: it takes longer. 0; 1: it is not known; -ENOMEM. */
int ct_model_change(double *saved, const struct ct_model_all *all,
		    const struct ct_model_kernel *kernel, const struct ct_simulate_change *change);
void ct_model_all_fini(struct ct_model_all *all);

/* NULL: nothing is known of that kernel. all may be NULL. */
const struct ct_model_kernel *ct_model_all_kernel(const struct ct_model_all *all,
						  const char *symbol);

/* The job of ct_model_finder. The engine knows the first member alone. */
struct ct_model_study {
	struct ct_model_job model;
	struct ct_model_all all; /* from find on; of no kernel if nothing is known of them */
};

/* Launching it costs a third of what it does itself, and more: no change of the kernel is noticed.
 */
#define CT_MODEL_RUNNING_MIN 0.75

static inline bool ct_model_is_launching(const struct ct_model_kernel *kernel)
{
	return kernel->running < CT_MODEL_RUNNING_MIN * kernel->predicted;
}

#endif
