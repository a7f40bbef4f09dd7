/* SPDX-License-Identifier: Apache-2.0 */
/* What problems cost before and after, and what those that are gone were predicted to save. */
#ifndef CT_POSTPROC_COMPARISON_MEASURES_H
#define CT_POSTPROC_COMPARISON_MEASURES_H

#include "postproc/comparison/comparison.h"

/* Of all problems of the comparison, which are paired. */
void ct_compared_measure(struct ct_comparison *comparison);

/* The wait, copy or allocation that a problem is of. NULL: it is none. */
const struct ct_ffm_entry *ct_compared_entry(const struct ct_side *side,
					     const struct ct_finding *finding);

#endif
