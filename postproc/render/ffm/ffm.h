/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a study found, in sentences. */
#ifndef CT_POSTPROC_RENDER_FFM_FFM_H
#define CT_POSTPROC_RENDER_FFM_FFM_H

#include "postproc/analysis/ffm/kinds.h"
#include "postproc/analysis/ffm/sequences.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

struct ct_ffm_view {
	struct ct_style style;
	size_t rows; /* most of each list */
};

/* Where the figures come from, what is not known, what lists of problems leave out. */
void ct_ffm_write(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view);

/* These return 0 or a negative error. */

/* All that is known of a problem (from 0): its stack, what it is related to, what to do. */
int ct_ffm_write_problem(FILE *out, const struct ct_ffm_study *study, size_t number,
			 const struct ct_ffm_view *view);

/* A sequence (from 0) or, of its entries, `from` to `to` (from 0, both included): what it saves,
 * and its entries. */
int ct_ffm_write_sequence(FILE *out, const struct ct_ffm_sequences *sequences, size_t number,
			  size_t from, size_t to, const struct ct_ffm_view *view);

#endif
