/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows: lanes side by side at elements side by side that nobody else has accessed in the run, as
 * most are. They are kept as they came, values byte by byte as in memory, and settled at once; what
 * is accessed again becomes cells first, and the same row of the same lanes again needs none. Loads
 * of one lane likewise.
 */
#ifndef CT_VALUES_LIGHT_H
#define CT_VALUES_LIGHT_H

#include "postproc/analysis/values/page.h"

/* Takes the piece if it is such a row; false: nothing has been done. *err: 0 or -ENOMEM. */
bool ct_row_take(struct ct_value_page *page, const struct ct_value_piece *piece, int *err);
/* A load of one lane. False: its place is not new in the run; it is a cell's. */
bool ct_mote_load(struct ct_value_page *page, uint32_t offset, uint32_t lane, uint64_t value);
/* A cell of a row, or a mote, stands for itself from now on. */
void ct_row_leave(struct ct_value_page *page, uint32_t number);
/* The end of the run: what their stores found, and then what they leave in memory. */
void ct_rows_judge(struct ct_value_page *page);
void ct_rows_learn(struct ct_value_page *page);
/* Bytes that another load has left otherwise are not known. */
void ct_rows_agree(struct ct_value_page *page);
/* Nothing is covered by their stores any more. */
void ct_rows_uncover(struct ct_value_page *page);

#endif
