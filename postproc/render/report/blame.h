/* SPDX-License-Identifier: Apache-2.0 */
/* Blame in the page: its flame graph and the tree of variables. */
#ifndef CT_POSTPROC_RENDER_REPORT_BLAME_H
#define CT_POSTPROC_RENDER_REPORT_BLAME_H

#include "postproc/tables/sections.h"

struct ct_report_blame;

/* *out: NULL if no section has blame. 0 or -ENOMEM */
int ct_report_blame_open(struct ct_report_blame **out, const struct ct_sections *sections);
void ct_report_blame_close(struct ct_report_blame *blame); /* NULL is allowed */

/* The rows of these are made from struct ct_report_blame. */
extern const struct ct_table_def ct_page_blame_table, ct_page_flame_table, ct_page_variables_table;

#endif
