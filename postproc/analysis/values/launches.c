/* SPDX-License-Identifier: Apache-2.0 */
/* What a run has added to its rows is what its launch did there. */
#include "postproc/analysis/values/facts.h"
#include "postproc/analysis/values/page.h"

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
