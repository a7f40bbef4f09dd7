/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for what a kernel pair's communication looks like (seed 001, 4.1 and 4.2.2).
 *
 * With S sources, T targets, P pairs of CTA ids that communicate, messages of a
 * CTA to itself left aside. The first rule that holds gives the name:
 *
 *   local           P = 0
 *   gather          one reading CTA in the grid, two or more that write, itself included
 *   scatter         one writing CTA in the grid, two or more that read, itself included *
 *   point-to-point  each source has one target, each target one source
 *   gather          few targets: T <= 2 < S, or 16 T <= S; or each source has one target
 *   scatter         few sources: S <= 2 < T, or 16 S <= T; or each target has one source *
 *   all-to-all      S, T > 2 and P >= 0.9 of the pairs there can be, S T - min(S, T)
 *   neighbours      at most 8 partners each way, or at most 26 and a quarter of the pairs
 *                   there can be; on average at least 0.4 of the most, both ways
 *   irregular       what is left
 *
 * (*) multicast if bytes that are read twice or more on average are sent:
 * bytes >= 2 distinct_bytes.
 *
 * Grids of few CTAs satisfy several descriptions at once (a halo exchange of
 * three CTAs in a ring is an all-to-all); then the order above decides.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FIGURES_PATTERN_H
#define CT_POSTPROC_ANALYSIS_COMM_FIGURES_PATTERN_H

#include "postproc/analysis/comm/base/figures.h"

/* From the evidence in pair: its degrees, sources, targets and bytes. pair->pattern is not read. */
enum ct_comm_pattern ct_pattern_of(const struct ct_comm_kernel_pair *pair);
/* "gather" */
const char *ct_pattern_text(enum ct_comm_pattern pattern);
/* One line that says why: "256 blocks send to 1; one receives from up to 256". Returns buffer. */
const char *ct_pattern_why(const struct ct_comm_kernel_pair *pair, char *buffer, size_t bytes);

#endif
