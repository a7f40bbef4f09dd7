/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of several traces; what they are made from is struct ct_compare. */
#ifndef CT_POSTPROC_RENDER_COMPARE_TABLES_H
#define CT_POSTPROC_RENDER_COMPARE_TABLES_H

#include "postproc/render/compare/compare.h"
#include "postproc/tables/table.h"

#define CT_COMPARE_TABLES 9u

extern const struct ct_table_def ct_compared_traces_table;
/* That one and all others; ends with NULL. */
extern const struct ct_table_def *const ct_compare_tables[CT_COMPARE_TABLES + 1];

#endif
