/* SPDX-License-Identifier: Apache-2.0 */
/* From rows and cells of a run to marks of bytes. */
#include "postproc/analysis/values/marks.h"
#include "postproc/analysis/values/cells.h"
#include "postproc/facts/lanes.h"

void ct_mark_element(struct ct_value_page *page, uint32_t offset, uint32_t lanes, uint32_t what)
{
	if (!page->remembers)
		return;
	ct_history_mark(&page->history, offset, page->bytes, what);
	page->history.hits[offset] += ct_lane_count(lanes);
}

static uint32_t what_cell(const struct ct_cell *cell)
{
	uint32_t flags = cell->flags, what = 0;

	if (!(flags & CT_CELL_STORED))
		return flags & CT_CELL_LOADED ? CT_MARK_READ_OLD : 0;
	what = CT_MARK_WROTE;
	if (flags & CT_CELL_WAS_SAME && !(flags & (CT_CELL_VARIES | CT_CELL_CONTESTED)))
		what |= CT_MARK_SAME;
	if (!(flags & CT_CELL_LOADED))
		return what;
	if (flags & CT_CELL_SHARED)
		return what | CT_MARK_READ_OLD | CT_MARK_READ_OWN;
	what |= CT_MARK_LOADED;
	what |= flags & CT_CELL_LOAD_FIRST ? CT_MARK_READ_OLD : 0;
	return what | (cell->by_store ? 0 : CT_MARK_READ_OWN); /* behind its last store */
}

static void mark_cell(struct ct_value_page *page, uint32_t number)
{
	const struct ct_cell *cell = &page->cell[number];
	uint32_t what = what_cell(cell), offset = ct_cell_offset(number);
	uint32_t log2 = cell->log2 > cell->store_log2 ? cell->log2 : cell->store_log2;

	if (what)
		ct_history_mark(&page->history, offset, 1u << log2, what);
	page->history.hits[offset] += cell->accesses;
}

static uint32_t what_row(const struct ct_value_page *page, const struct ct_light_row *row,
			 uint32_t offset)
{
	uint32_t bytes = 1u << row->log2;
	uint64_t value = ct_value_read_bytes(page->light[row->log2] + offset, bytes);

	if (!row->is_store)
		return CT_MARK_READ_OLD;
	return ct_cell_look_up(page, offset, bytes, row->floor, value) == CT_HELD_SAME
		   ? CT_MARK_WROTE | CT_MARK_SAME
		   : CT_MARK_WROTE;
}

static void mark_row(struct ct_value_page *page, const struct ct_light_row *row)
{
	struct ct_value_history *history = &page->history;
	uint32_t bytes = 1u << row->log2, stands = page->run << 1 | 1u;

	if (!row->is_left && (!row->is_store || !row->same || row->same == row->count)) {
		ct_history_mark(history, row->offset, row->count << row->log2,
				!row->is_store ? CT_MARK_READ_OLD
				: row->same    ? CT_MARK_WROTE | CT_MARK_SAME
					       : CT_MARK_WROTE);
		for (size_t i = 0; i < row->count; i++)
			history->hits[row->offset + (i << row->log2)] += row->times;
		return;
	}
	for (uint32_t i = 0; i < row->count; i++) {
		uint32_t offset = row->offset + (i << row->log2);

		if (page->seen[row->first + i] != stands)
			continue;
		ct_history_mark(history, offset, bytes, what_row(page, row, offset));
		history->hits[offset] += row->times;
	}
}

static void mark_mote(struct ct_value_page *page, const struct ct_light_mote *mote)
{
	if (page->seen[mote->cell] != (page->run << 1 | 1u))
		return;
	ct_history_mark(&page->history, mote->offset, 1u << mote->log2, CT_MARK_READ_OLD);
	page->history.hits[mote->offset]++;
}

void ct_run_mark(struct ct_value_page *page)
{
	if (!page->remembers)
		return;
	for (uint32_t i = 0; i < page->light_rows; i++)
		mark_row(page, &page->light_row[i]);
	for (uint32_t i = 0; i < page->light_motes; i++)
		mark_mote(page, &page->light_mote[i]);
	for (uint32_t i = 0; i < page->touches; i++)
		mark_cell(page, page->touched[i]);
}
