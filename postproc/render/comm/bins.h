/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms cut down to rows that fit a screen. */
#ifndef CT_POSTPROC_RENDER_COMM_BINS_H
#define CT_POSTPROC_RENDER_COMM_BINS_H

#include "postproc/analysis/comm/comm.h"

struct ct_bin {
	uint64_t first, last; /* keys, inclusive; between powers of two if not one key */
	uint64_t count[2];
};

#define CT_BINS_MAX 66u /* 0, and one for each power of two */

/* The bins of one histogram, or of two with the same bins (b may be NULL), in
 * ascending order and none of them empty: single keys if there are at most
 * `most` different ones. Returns their number. */
size_t ct_comm_bins(const struct ct_comm_histogram *a, const struct ct_comm_histogram *b,
		    size_t most, struct ct_bin bins[CT_BINS_MAX]);

uint64_t ct_comm_total(const struct ct_comm_histogram *histogram);

/* The key that occurs most often, the smallest of several; NULL if empty. */
const struct ct_comm_count *ct_comm_mode(const struct ct_comm_histogram *histogram);

#endif
