/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the tables of problems. */
#include "postproc/render/ffm/cells.h"

void ct_ffm_cells(struct ct_table *table, size_t number, const struct ct_ffm_benefit *benefit)
{
	if (number)
		ct_table_number(table, number);
	else
		ct_table_text(table, "");
	if (benefit->is_replayed)
		ct_cell_amount(table, (double)benefit->replayed_ns / 1e9, "s");
	else
		ct_cell_time(table, benefit->expected_ns);
	ct_cell_share(
	    table, ct_ffm_worth(benefit->expected_ns, benefit->replayed_ns, benefit->is_replayed),
	    benefit->run_ns);
	ct_cell_time(table, benefit->expected_ns);
}

void ct_ffm_cell_count(struct ct_table *table, uint64_t count, uint64_t all)
{
	char number[2][CT_NUMBER_BYTES], text[3 * CT_NUMBER_BYTES];

	if (count == all) {
		ct_table_number(table, count);
		return;
	}
	snprintf(text, sizeof(text), "%s of %s", ct_number(count, number[0]),
		 ct_number(all, number[1]));
	ct_table_text(table, text);
}
