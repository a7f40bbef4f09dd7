/* SPDX-License-Identifier: Apache-2.0 */
/* Figures in sentences on problems. */
#ifndef CT_POSTPROC_RENDER_FFM_FIGURES_H
#define CT_POSTPROC_RENDER_FFM_FIGURES_H

#include "postproc/tables/amount.h"
#include <stdint.h>

static inline const char *ct_ffm_time(int64_t ns, char buffer[CT_AMOUNT_BYTES])
{
	return ct_amount_text(&(struct ct_amount){(double)ns / 1e9, "s"}, buffer);
}

static inline const char *ct_ffm_percent(uint64_t part, uint64_t whole,
					 char buffer[CT_AMOUNT_BYTES])
{
	return ct_amount_text(
	    &(struct ct_amount){whole ? 100.0 * (double)part / (double)whole : 0.0, "%"}, buffer);
}

#endif
