/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find where the steps of one thread first differ between two traces. For
 * each of a few pairs a window of that thread's steps is kept from both
 * traces; while a window shows no difference, the next one is looked at.
 */
#ifndef CT_POSTPROC_ANALYSIS_DIFF_FIRST_DIFFERENCE_H
#define CT_POSTPROC_ANALYSIS_DIFF_FIRST_DIFFERENCE_H

#include "postproc/analysis/diff/pairs.h"
#include <stdbool.h>

#define CT_FIRST_DIFFERENCE_PAIRS 16u
#define CT_FIRST_DIFFERENCE_WINDOW (64u << 10)

struct ct_first_difference;

int ct_first_difference_open(struct ct_first_difference **out, struct ct_pairs *pairs,
			     uint64_t window);
void ct_first_difference_close(struct ct_first_difference *find); /* NULL is allowed */

/* Choose what the next scan of both traces looks for: 1, or 0 when every
 * difference is located. */
int ct_first_difference_next(struct ct_first_difference *find);

/* Whether a launch of a side is looked at, by its number in the trace's table. */
bool ct_first_difference_has(const struct ct_first_difference *find, int side, size_t launch);

/* 0 or -ENOMEM. Steps of different warps may be added at the same time. */
int ct_first_difference_add(struct ct_first_difference *find, int side, struct ct_match *match,
			    const struct ct_warp_step *warp);

/* After both traces were scanned: notes what was found in the pairs. */
void ct_first_difference_finish(struct ct_first_difference *find);

#endif
