/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies beside each other, in sentences. */
#ifndef CT_RENDER_FFM_COMPARE_H
#define CT_RENDER_FFM_COMPARE_H

#include "postproc/analysis/ffm/compare.h"
#include "postproc/render/ffm/ffm.h"

/* name: of both studies. */
void ct_ffm_write_comparison(FILE *out, const struct ct_ffm_comparison *comparison,
			     const char *const name[2], const struct ct_ffm_view *view);

#endif
