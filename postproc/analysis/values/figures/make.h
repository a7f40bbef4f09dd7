/* SPDX-License-Identifier: Apache-2.0 */
/* From sums to figures. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FIGURES_MAKE_H
#define CT_POSTPROC_ANALYSIS_VALUES_FIGURES_MAKE_H

#include "postproc/analysis/values/base/engine.h"

/* Kernels go over from the engine to the figures. */
int ct_value_figures_make(struct ct_values_figures *figures, struct ct_value_engine *engine);
void ct_value_figures_fini(struct ct_values_figures *figures);

#endif
