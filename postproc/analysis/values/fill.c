/* SPDX-License-Identifier: Apache-2.0 */
/* Memsets: what memory held where they write, and that it is known behind them. */
#include "postproc/analysis/values/cells.h"
#include "postproc/analysis/values/facts.h"

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
