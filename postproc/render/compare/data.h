/* SPDX-License-Identifier: Apache-2.0 */
/* The tables that a page of several traces is drawn from, as one JSON object (tables/page.h). */
#ifndef CT_POSTPROC_RENDER_COMPARE_DATA_H
#define CT_POSTPROC_RENDER_COMPARE_DATA_H

#include "postproc/render/compare/compare.h"
#include "postproc/tables/table.h"

/* 0 or a negative error */
int ct_compare_put_data(FILE *out, const struct ct_compare_page *page, const char *title);

extern const struct ct_table_def ct_page_compared_words_table; /* from struct ct_comparison */

#endif
