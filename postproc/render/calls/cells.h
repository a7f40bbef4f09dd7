/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the tables of calls. */
#ifndef CT_RENDER_CALLS_CELLS_H
#define CT_RENDER_CALLS_CELLS_H

#include "postproc/tables/amount.h"
#include "postproc/tables/layout.h"

#define CT_CELL_NONE "\xe2\x80\x93" /* where it has nothing */

static inline void ct_cell_amount(struct ct_table *table, double value, const char *unit)
{
	char text[CT_AMOUNT_BYTES];

	ct_table_text(table, ct_amount_text(&(struct ct_amount){value, unit}, text));
}

static inline void ct_cell_time(struct ct_table *table, uint64_t ns)
{
	ct_cell_amount(table, (double)ns / 1e9, "s");
}

static inline void ct_cell_share(struct ct_table *table, uint64_t part, uint64_t whole)
{
	if (whole)
		ct_cell_amount(table, 100.0 * (double)part / (double)whole, "%");
	else
		ct_table_text(table, CT_CELL_NONE);
}

#endif
