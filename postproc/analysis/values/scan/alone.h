/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies that stand alone: between two launches that may store what the trace does not tell, no
 * launch of which records are there, and nothing else that accesses, begins or ends their objects.
 * Whatever they read or overwrite is not known, and what they leave is not known any more when it
 * is accessed. So nothing follows from them, page by page, but that they have written; of a trace
 * of few launches of a program that copies between all of them these are nearly all copies.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SCAN_ALONE_H
#define CT_POSTPROC_ANALYSIS_VALUES_SCAN_ALONE_H

#include "postproc/analysis/values/base/engine.h"

/* By superstep; to be freed, in either case. 0 or -ENOMEM. */
int ct_value_alone_find(bool **alone, const struct ct_value_engine *engine);

/* The object that a copy which stands alone writes; CT_NONE: the host's memory. */
uint32_t ct_value_alone_target(const struct ct_value_engine *engine, uint32_t step);

#endif
