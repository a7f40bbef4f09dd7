/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What samples of a run say a change can save at most: no warp takes longer than it waits for what
 * the change spares. Where nothing waits for shared memory, bank conflicts cost nothing, however
 * many there are.
 */
#ifndef CT_POSTPROC_PROBLEMS_WAITING_H
#define CT_POSTPROC_PROBLEMS_WAITING_H

#include "postproc/analysis/samples/samples.h"
#include "postproc/facts/finding.h"

/* Returns the share of a kernel's samples, by its symbol, of warps that wait for what the change
 * spares, or at a barrier for warps that do, and two standard errors more. NAN: not known, or
 * there are too few of them. */
double ct_waiting_share(const struct ct_samples_study *samples, const char *symbol,
			enum ct_change change);

#endif
