/* SPDX-License-Identifier: Apache-2.0 */
/* Joins what each launch, launch site, copy and memset found in memory. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FIGURES_RUNS_H
#define CT_POSTPROC_ANALYSIS_VALUES_FIGURES_RUNS_H

#include "postproc/analysis/values/base/engine.h"

/* By superstep. */
struct ct_value_runs {
	struct ct_value_run {
		struct ct_values_done done;
		uint64_t same, unknown; /* bytes, of memsets */
	} * run;
};

/* 0 or -ENOMEM; the caller frees run. */
int ct_value_runs_init(struct ct_value_runs *runs, const struct ct_value_engine *engine);
/* Facts LAUNCH_… and FILL. */
void ct_value_runs_add(struct ct_value_runs *runs, const struct ct_sum *sum);
/* Fills launches, contexts and transfers of the figures. Likewise */
int ct_value_runs_finish(const struct ct_value_runs *runs, struct ct_values_figures *figures,
			 const struct ct_value_engine *engine);

#endif
