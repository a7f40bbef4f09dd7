/* SPDX-License-Identifier: Apache-2.0 */
/* Why a comparison may not be sound, in sentences. */
#ifndef CT_POSTPROC_COMPARISON_DOUBTS_H
#define CT_POSTPROC_COMPARISON_DOUBTS_H

#include "postproc/comparison/comparison.h"

/* Everything else of the comparison is there. 0 or -ENOMEM */
int ct_compared_doubts_make(struct ct_comparison *comparison);

#endif
