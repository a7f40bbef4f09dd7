/* SPDX-License-Identifier: Apache-2.0 */
/* How the keys of a histogram are spread. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_BASE_SPREAD_H
#define CT_POSTPROC_ANALYSIS_COMM_BASE_SPREAD_H

#include "postproc/analysis/comm/base/figures.h"

/* Quantiles are keys: the least one that so large a part of what is counted does not exceed. */
struct ct_comm_spread {
	uint64_t count; /* 0: all else is 0, too */
	uint64_t p5, p25, median, p75, p95, most;
	double mean;
};

struct ct_comm_spread ct_comm_spread_of(const struct ct_comm_histogram *histogram);

#endif
