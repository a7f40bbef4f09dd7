/* SPDX-License-Identifier: Apache-2.0 */
/* What a run has added to its rows is what its launch did there; and what memsets did. */
#include "postproc/analysis/values/cells.h"
#include "postproc/analysis/values/facts.h"

#include "base/array.h"
#include <errno.h>

int ct_run_note(struct ct_value_page *page, uint32_t number)
{
	struct ct_value_row *row = ct_value_rows_at(page->rows, number);

	if (!number || row->run == page->run)
		return 0;
	if (ct_array_reserve(&page->run_row, &page->room, page->run_rows + 1,
			     sizeof(*page->run_row)) < 0)
		return -ENOMEM;
	row->run = page->run;
	row->before = row->counts;
	page->run_row[page->run_rows++] = number;
	return 0;
}

static int add(struct ct_value_page *page, uint32_t fact, uint64_t a, uint64_t b)
{
	if (!a && !b)
		return 0;
	return ct_sums_add(page->sums, CT_VALUE_FACT_KEY(fact, page->at.step), 0, a, b);
}

int ct_run_count(struct ct_value_page *page)
{
	uint64_t loads = 0, temporal = 0, stores = 0, redundant = 0, unknown = 0, untold = 0;
	int err;

	for (size_t i = 0; i < page->run_rows; i++) {
		const struct ct_value_row *row = ct_value_rows_at(page->rows, page->run_row[i]);
		const struct ct_values_counts *now = &row->counts, *then = &row->before;
		enum ct_class class = (enum ct_class)page->engine->site[row->site].class;
		uint64_t elements = now->elements - then->elements;
		uint64_t moved_again =
		    ct_values_redundant(now, class) - ct_values_redundant(then, class);

		*(class == CT_CLASS_LOAD ? &loads : &stores) += elements;
		*(class == CT_CLASS_LOAD ? &temporal : &redundant) += moved_again;
		unknown += now->unknown - then->unknown;
		untold += now->untold - then->untold;
	}
	page->run_rows = 0;
	err = add(page, CT_VALUE_FACT_LAUNCH_LOADS, loads, temporal);
	if (err == 0)
		err = add(page, CT_VALUE_FACT_LAUNCH_STORES, stores, redundant);
	return err == 0 ? add(page, CT_VALUE_FACT_LAUNCH_OPEN, unknown, untold) : err;
}

/* What memory held where a memset writes, and that it is known behind it. */
int ct_page_fill(struct ct_value_page *page, uint32_t offset, uint32_t bytes, uint64_t pattern)
{
	uint32_t since = page->learns ? page->at.step + 1 : 0, same = 0, unknown = 0;

	ct_history_mark(&page->history, offset, bytes, CT_MARK_WROTE);
	for (uint32_t i = 0; i < bytes; i++) {
		uint8_t byte = (uint8_t)(pattern >> 8 * (i % 8));
		uint32_t at = offset + i;

		if (page->known[at] <= page->floor)
			unknown++;
		else
			same += page->content[at] == byte;
		if (page->known[at] > page->floor && page->content[at] == byte)
			page->history.mark[at] |= CT_MARK_SAME;
		page->content[at] = byte;
		page->known[at] = since;
	}
	return ct_sums_add(page->sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_FILL, page->at.step), 0,
			   same, unknown);
}
