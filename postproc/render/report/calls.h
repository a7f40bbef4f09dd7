/* SPDX-License-Identifier: Apache-2.0 */
/* The page's time line of calls and activities. */
#ifndef CT_POSTPROC_RENDER_REPORT_CALLS_H
#define CT_POSTPROC_RENDER_REPORT_CALLS_H

#include "postproc/render/report/parts.h"

struct ct_report_calls;

/* calls: not NULL. 0 or a negative error. */
int ct_report_calls_open(struct ct_report_calls **out, const struct ct_report *report);
void ct_report_calls_close(struct ct_report_calls *calls); /* NULL is allowed */

/* The rows of these are made from struct ct_report_calls. */
extern const struct ct_table_def ct_page_calls_table, ct_page_tracks_table, ct_page_lanes_table,
    ct_page_spans_table, ct_page_waits_table, ct_page_call_bins_table;
/* And these its stacks. */
extern const struct ct_table_def ct_page_stacks_table, ct_page_frames_table;
const struct ct_report_stacks *ct_report_calls_stacks(const struct ct_report_calls *calls);

#endif
