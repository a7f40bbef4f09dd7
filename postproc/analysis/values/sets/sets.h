/* SPDX-License-Identifier: Apache-2.0 */
/* The stage that counts the values of sets: entries of one value side by side. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SETS_SETS_H
#define CT_POSTPROC_ANALYSIS_VALUES_SETS_SETS_H

#include "postproc/analysis/values/base/engine.h"

struct ct_value_sets;

int ct_value_sets_open(struct ct_value_sets **out, struct ct_value_engine *engine,
		       struct ct_sums *sums);
void ct_value_sets_close(struct ct_value_sets *sets); /* NULL is allowed */
/* Adds what is counted to the sums. */
int ct_value_sets_take(struct ct_value_sets *sets, uint32_t partition);

#endif
