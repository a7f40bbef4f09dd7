/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What changes of a kernel would bring: its launch is simulated once more for each that could
 * (simulate.h), with nothing else different. Each is the best that such a change can be: that
 * requests move as few sectors as their lanes' bytes need, that no bank is asked twice, that each
 * sector is loaded once by an SM, that chains are half as long.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_WHATIF_H
#define CT_POSTPROC_ANALYSIS_MODEL_WHATIF_H

#include "postproc/analysis/model/simulate.h"

/* The least share of the time that a launch runs: changes that save less are not listed. */
#define CT_MODEL_CHANGE_LEAST 0.02

/* Fills in kernel->change, the most first. kernel: with its simulation, made with these options. 0
 * or -ENOMEM. */
int ct_what_if(struct ct_model_kernel *kernel, const struct ct_model_job *job,
	       const struct ct_simulate_options *options);

/* Simulates one change, of as much of the launch: seconds that it saves. 0; 1: nothing can be
 * said; -ENOMEM. */
int ct_what_if_one(double *saved, const struct ct_model_kernel *kernel,
		   const struct ct_model_job *job, const struct ct_simulate_options *options,
		   const struct ct_simulate_change *change);

/*
 * Seconds of the simulated launch that a change saves, by simulations of as much of it before and
 * after. Those of few CTAs wait longer than the launch does, and find more to save; but the
 * load-store unit has to be busy for what is left of its requests, however short the waits, in the
 * time that the launch was measured to take.
 */
double ct_what_if_saved(const struct ct_model_kernel *kernel, const struct ct_machine *machine,
			const struct ct_simulation *before, const struct ct_simulation *after);

#endif
