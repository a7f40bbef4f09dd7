/* SPDX-License-Identifier: Apache-2.0 */
/* What a study found: for a terminal, and as JSON. */
#ifndef CT_RENDER_FFM_H
#define CT_RENDER_FFM_H

#include "postproc/analysis/ffm/kinds.h"
#include "postproc/render/base/table.h"
#include <stdio.h>

struct ct_ffm_view {
	struct ct_style style;
	size_t rows; /* most of each table */
};

/* All return 0 or a negative error. */

/* Where the figures come from, the problems, and beside them a profile of call times. */
int ct_ffm_write(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view);

/* All that is known of a problem (from 0): its stack, what it is related to, what to do. */
int ct_ffm_write_problem(FILE *out, const struct ct_ffm_study *study, size_t number,
			 const struct ct_ffm_view *view);

/* cudatrace-ffm-1 (docs/json-schema.md). name: of the study. */
int ct_ffm_write_json(FILE *out, const struct ct_ffm_study *study, const char *name);

#endif
