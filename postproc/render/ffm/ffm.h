/* SPDX-License-Identifier: Apache-2.0 */
/* What a study found: for a terminal, and as JSON. */
#ifndef CT_RENDER_FFM_H
#define CT_RENDER_FFM_H

#include "postproc/analysis/ffm/folds.h"
#include "postproc/analysis/ffm/kinds.h"
#include "postproc/analysis/ffm/sequences.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

enum ct_ffm_grouping { CT_FFM_BY_SITE, CT_FFM_BY_FUNCTION, CT_FFM_BY_SEQUENCE };

struct ct_ffm_view {
	struct ct_style style;
	size_t rows; /* most of each table */
	bool is_all; /* problems that are worth next to nothing, too */
	enum ct_ffm_grouping grouping;
};

/* All return 0 or a negative error. */

/* Where the figures come from, the problems, and beside them a profile of call times. */
int ct_ffm_write(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view);

/* All that is known of a problem (from 0): its stack, what it is related to, what to do. */
int ct_ffm_write_problem(FILE *out, const struct ct_ffm_study *study, size_t number,
			 const struct ct_ffm_view *view);

/* The lists of problems that ct_ffm_write shows: of sites, of functions, of sequences. */
int ct_ffm_write_entries(FILE *out, const struct ct_ffm_study *study,
			 const struct ct_ffm_view *view);
int ct_ffm_write_folds(FILE *out, const struct ct_ffm_folds *folds,
		       const struct ct_ffm_study *study, const struct ct_ffm_view *view);
int ct_ffm_write_sequences(FILE *out, const struct ct_ffm_sequences *sequences,
			   const struct ct_ffm_view *view);

/* Waits of which nothing is known, if there are any. */
int ct_ffm_write_unknown(FILE *out, const struct ct_ffm_study *study,
			 const struct ct_ffm_view *view);

/* A sequence (from 0) or, of its entries, `from` to `to` (from 0, both included): what it saves,
 * and its entries. */
int ct_ffm_write_sequence(FILE *out, const struct ct_ffm_sequences *sequences, size_t number,
			  size_t from, size_t to, const struct ct_ffm_view *view);

/* cudatrace-ffm-1 (docs/json-schema.md). name: of the study. */
int ct_ffm_write_json(FILE *out, const struct ct_ffm_study *study, const char *name);

#endif
