/* SPDX-License-Identifier: Apache-2.0 */
/* Tier values: what SUMMARY events say, by site, and as sums of the same kinds as scans make. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FIGURES_SUMMARIES_H
#define CT_POSTPROC_ANALYSIS_VALUES_FIGURES_SUMMARIES_H

#include "postproc/analysis/values/base/engine.h"

/* Fills figures->summary and adds to engine->sums, of what passes the filter. 0 or -ENOMEM */
int ct_value_summaries_add(struct ct_values_figures *figures, struct ct_value_engine *engine);

#endif
