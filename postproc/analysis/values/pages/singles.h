/* SPDX-License-Identifier: Apache-2.0 */
/* Single-lane records (base/piece.h): what the page stage does with them. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_PAGES_SINGLES_H
#define CT_POSTPROC_ANALYSIS_VALUES_PAGES_SINGLES_H

#include "postproc/analysis/values/pages/page.h"

/* Takes those of the single-lane records, in order, that come before the piece of that key; *taken:
 * how many. 0 or -ENOMEM */
int ct_singles_take(struct ct_value_page *page, const struct ct_value_single *single,
		    size_t singles, ct_value_key before, size_t *taken);

#endif
