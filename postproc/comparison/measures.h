/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what problems cost before and after, and what those that are gone were predicted to
 * save. */
#ifndef CT_POSTPROC_COMPARISON_MEASURES_H
#define CT_POSTPROC_COMPARISON_MEASURES_H

#include "postproc/comparison/comparison.h"

/* Measures all problems of the comparison, which are paired. */
void ct_compared_measure(struct ct_comparison *comparison);

#endif
