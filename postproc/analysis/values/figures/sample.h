/* SPDX-License-Identifier: Apache-2.0 */
/* How far off the redundancy of a sample of CTAs may be (docs/sampling.md, docs/values.md). */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FIGURES_SAMPLE_H
#define CT_POSTPROC_ANALYSIS_VALUES_FIGURES_SAMPLE_H

#include "postproc/analysis/values/base/engine.h"

/* The share of elements that are redundant by their thread alone, and how many elements there are,
 * of all CTAs of the launches that are traced, from facts CTA_LOADS or CTA_STORES, as they come
 * sorted. */
struct ct_values_estimate ct_value_estimate(const struct ct_value_engine *engine,
					    const struct ct_sum *sum, size_t count);

#endif
