/* SPDX-License-Identifier: Apache-2.0 */
/* What a run has done to the bytes of its page, from its rows and cells to marks (history.h). */
#ifndef CT_VALUES_MARKS_H
#define CT_VALUES_MARKS_H

#include "postproc/analysis/values/page.h"

/* Rows are judged, and memory is as it was before the run. */
void ct_run_mark(struct ct_value_page *page);
/* Lanes do something to an element that is no cell: an atomic, or a value that nobody tells. */
void ct_mark_element(struct ct_value_page *page, uint32_t offset, uint32_t lanes, uint32_t what);

#endif
