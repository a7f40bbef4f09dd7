/* SPDX-License-Identifier: Apache-2.0 */
/* From rows and sums to what analysis.h promises, on rank 0. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_RESULTS_H
#define CT_POSTPROC_ANALYSIS_ACCESS_RESULTS_H

#include "postproc/analysis/access/rows.h"

/* Takes the engine's kernels over. ct_access_results_fini frees in either case. */
int ct_access_results_make(struct ct_access_results *results, struct ct_access_engine *engine,
			   const struct ct_access_rows *rows);
void ct_access_results_fini(struct ct_access_results *results);

#endif
