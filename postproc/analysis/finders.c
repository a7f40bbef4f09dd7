/* SPDX-License-Identifier: Apache-2.0 */
/* All analyses of a study. */
#include "postproc/analysis/finder.h"

const struct ct_finder *const ct_finders[CT_ANALYSES] = {
#define CT_ANALYSIS(name) &ct_##name##_finder,
#include "postproc/analyses.def"
};
