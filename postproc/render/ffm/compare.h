/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies beside each other: for a terminal, and as JSON. */
#ifndef CT_RENDER_FFM_COMPARE_H
#define CT_RENDER_FFM_COMPARE_H

#include "postproc/analysis/ffm/compare.h"
#include "postproc/render/ffm/ffm.h"

/* Sentences, one for each doubt; *count of them, each to be freed, and the array. NULL: memory is
 * short. */
char **ct_ffm_doubt_texts(const struct ct_ffm_comparison *comparison, size_t *count);

/* name: of both studies. 0 or a negative error. */
int ct_ffm_write_comparison(FILE *out, const struct ct_ffm_comparison *comparison,
			    const char *const name[2], const struct ct_ffm_view *view);
/* cudatrace-ffm-compare-1 (docs/json-schema.md) */
int ct_ffm_write_comparison_json(FILE *out, const struct ct_ffm_comparison *comparison,
				 const char *const name[2]);

#endif
