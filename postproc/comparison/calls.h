/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the API in two studies. */
#ifndef CT_POSTPROC_COMPARISON_CALLS_H
#define CT_POSTPROC_COMPARISON_CALLS_H

#include "postproc/comparison/comparison.h"

/* None where one of the studies has no calls. ffm of the comparison is there. 0 or -ENOMEM */
int ct_compared_calls_make(struct ct_comparison *comparison);

#endif
