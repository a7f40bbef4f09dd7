/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows: lanes side by side at elements side by side that nothing else has accessed in the run, as
 * most are. They are kept as they came, values byte by byte as in memory, and finished at once;
 * what is accessed again becomes cells first, and the same row of the same lanes again needs none.
 * Loads of one lane likewise.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_PAGES_LIGHT_H
#define CT_POSTPROC_ANALYSIS_VALUES_PAGES_LIGHT_H

#include "postproc/analysis/values/pages/cells.h"

/* Takes the piece if it is such a row; false: nothing has been done. *err: 0 or -ENOMEM. */
bool ct_row_take(struct ct_value_page *page, const struct ct_value_piece *piece, int *err);
/* Marks in seen that it stands in a row of the run, or is a single-lane record. */
static inline uint32_t ct_light_mark(const struct ct_value_page *page)
{
	return page->run << 1 | 1u;
}

/* A load of one lane. False: its place is not new in the run; it is a cell's. */
static inline bool ct_single_load(struct ct_value_page *page, uint32_t offset, uint32_t lane,
				  uint64_t value)
{
	uint32_t number = ct_cell_number(offset, page->log2), light = page->light_singles;

	if (page->seen[number] >= page->run << 1 || page->is_private ||
	    number >= CT_CELLS_UNALIGNED) /* values overlap there */
		return false;
	page->light_single[light] = (struct ct_light_single){
	    .cell = number,
	    .offset = offset,
	    .row = page->row,
	    .warp = page->warp,
	    .floor = page->floor,
	    .lane = (uint8_t)lane,
	    .log2 = (uint8_t)page->log2,
	};
	page->light_singles = light + 1;
	page->sizes |= 1u << page->log2;
	page->seen[number] = ct_light_mark(page);
	page->light_of[number] = (uint16_t)(CT_LIGHT_ROWS + light);
	ct_value_write_bytes(page->light[page->log2] + offset, value, page->bytes);
	return true;
}

/* A cell of a row, or a single-lane record, stands for itself from now on. */
void ct_row_leave(struct ct_value_page *page, uint32_t number);
/* The end of the run: what their stores found, and then what they leave in memory. */
void ct_rows_judge(struct ct_value_page *page);
void ct_rows_learn(struct ct_value_page *page);
/* Bytes that another load has left otherwise are not known. */
void ct_rows_agree(struct ct_value_page *page);
/* Nothing is covered by their stores any more. */
void ct_rows_uncover(struct ct_value_page *page);

#endif
