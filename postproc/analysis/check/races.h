/* SPDX-License-Identifier: Apache-2.0 */
/* Lists races that their analysis has found (races/analysis.h) as causes, a row for each two lines
 * of a kernel. Those of stores of one value do no harm, and are none. Reads of shared
 * memory that nothing has stored are what the same analysis knows. */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_RACES_H
#define CT_POSTPROC_ANALYSIS_CHECK_RACES_H

#include "postproc/analysis/check/causes.h"
#include "postproc/analysis/races/analysis.h"

/* 0 or -ENOMEM */
int ct_check_races(struct ct_check_causes *causes, const struct ct_races_results *results);

#endif
