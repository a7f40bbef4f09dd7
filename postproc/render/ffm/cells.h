/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the tables of problems, and figures in sentences. */
#ifndef CT_RENDER_FFM_CELLS_H
#define CT_RENDER_FFM_CELLS_H

#include "postproc/analysis/ffm/groups.h"
#include "postproc/render/calls/cells.h"
#include <stdbool.h>

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

/* What a list begins with: its number, what it saves by replay (else the bound), share, bound. */
#define CT_FFM_BENEFIT_COLUMNS                                                                     \
	{"#", .right = 1}, {"saves", .right = 1}, {"share", .right = 1},                           \
	{                                                                                          \
		"bound", .right = 1                                                                \
	}

struct ct_ffm_benefit {
	uint64_t expected_ns, run_ns;
	int64_t replayed_ns;
	bool is_replayed;
};

/* number: from 1; 0: an empty cell. */
void ct_ffm_cells(struct ct_table *table, size_t number, const struct ct_ffm_benefit *benefit);

/* "80 of 100", or "100" if it is all. */
void ct_ffm_cell_count(struct ct_table *table, uint64_t count, uint64_t all);

#endif
