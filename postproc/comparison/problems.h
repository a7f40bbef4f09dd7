/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of two studies, and what those that are gone have saved. */
#ifndef CT_POSTPROC_COMPARISON_PROBLEMS_H
#define CT_POSTPROC_COMPARISON_PROBLEMS_H

#include "postproc/comparison/comparison.h"

/* Kernels, calls and ffm of the comparison are there. 0 or -ENOMEM */
int ct_compared_problems_make(struct ct_comparison *comparison);

#endif
