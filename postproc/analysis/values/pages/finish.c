/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run: what it does to bytes, what it leaves in memory, and what became of the stores
 * that waited for it. */
#include "base/array.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/pages/cells.h"
#include "postproc/analysis/values/pages/light.h"
#include "postproc/analysis/values/pages/page.h"
#include "postproc/facts/lanes.h"
#include <errno.h>

void ct_mark_element(struct ct_value_page *page, uint32_t offset, uint32_t lanes, uint32_t what)
{
	if (!page->remembers)
		return;
	ct_history_mark(&page->history, offset, page->bytes, what);
	ct_history_hit(&page->history, offset, ct_lane_count(lanes));
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
	ct_history_hit(&page->history, offset, cell->accesses);
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
			ct_history_hit(history, row->offset + (uint32_t)(i << row->log2),
				       row->times);
		return;
	}
	for (uint32_t i = 0; i < row->count; i++) {
		uint32_t offset = row->offset + (i << row->log2);

		if (page->seen[row->first + i] != stands)
			continue;
		ct_history_mark(history, offset, bytes, what_row(page, row, offset));
		ct_history_hit(history, offset, row->times);
	}
}

static void mark_single(struct ct_value_page *page, const struct ct_light_single *single)
{
	if (page->seen[single->cell] != (page->run << 1 | 1u))
		return;
	ct_history_mark(&page->history, single->offset, 1u << single->log2, CT_MARK_READ_OLD);
	ct_history_hit(&page->history, single->offset, 1);
}

void ct_run_mark(struct ct_value_page *page)
{
	if (!page->remembers)
		return;
	for (uint32_t i = 0; i < page->light_rows; i++)
		mark_row(page, &page->light_row[i]);
	for (uint32_t i = 0; i < page->light_singles && !page->are_singles_finished; i++)
		mark_single(page, &page->light_single[i]);
	for (uint32_t i = 0; i < page->touches; i++)
		mark_cell(page, page->touched[i]);
}

static void learn(struct ct_value_page *page, uint32_t offset, uint32_t bytes, uint64_t value)
{
	uint32_t since = page->at.step + 1;

	ct_value_write_bytes(page->content + offset, value, bytes);
	for (uint32_t i = 0; i < 4 && bytes == 4; i++) /* as mostly, at once */
		page->known[offset + i] = since;
	for (uint32_t i = 0; i < bytes && bytes != 4; i++)
		page->known[offset + i] = since;
}

static void forget(struct ct_value_page *page, uint32_t offset, uint32_t bytes)
{
	memset(page->known + offset, 0, bytes * sizeof(*page->known));
}

/* Stores of a cell that waited, and those of them that had seen another value. rest: of other
 * rows than the first's. */
static void finish_pending(struct ct_value_page *page, const struct ct_cell *cell, uint32_t number,
			   uint32_t stores, uint32_t seen, bool rest)
{
	struct ct_values_counts *counts = &ct_value_rows_at(page->rows, number)->counts;
	bool was_same = cell->flags & CT_CELL_WAS_SAME, was_other = cell->flags & CT_CELL_WAS_OTHER;
	bool many = cell->flags & CT_CELL_MANY, varies = cell->flags & CT_CELL_VARIES;

	if (!stores)
		return;
	if (cell->flags & CT_CELL_CONTESTED || (many && varies)) {
		counts->unknown += stores - seen;
		return;
	}
	if (many && was_same) {
		counts->known += stores;
		return;
	}
	if (!rest && (many || cell->flags & CT_CELL_FIRST)) {
		counts->known += was_same;
		counts->unknown += !was_same && !was_other;
		stores--;
	}
	if (many)
		counts->agreed += stores;
}

/* Loads of several sizes may meet at a byte, and not agree. */
static void compare_loads(struct ct_value_page *page)
{
	if (!page->remembers || !(page->sizes & (page->sizes - 1)))
		return;
	page->is_changed = true;
	for (uint32_t i = 0; i < page->touches; i++) {
		const struct ct_cell *cell = &page->cell[page->touched[i]];
		uint32_t offset = ct_cell_offset(page->touched[i]), bytes = 1u << cell->log2;

		if (cell->flags & CT_CELL_STORED || !(cell->flags & CT_CELL_LOADED) ||
		    ct_value_read_bytes(page->cover + offset, bytes))
			continue;
		if (cell->flags & CT_CELL_LOADS_DIFFER)
			forget(page, offset, bytes);
		else
			ct_page_agree(page, offset, bytes, (const uint8_t *)&cell->load.value);
	}
	ct_rows_agree(page);
}

/* Nothing stored there. */
static void finish_loads(struct ct_value_page *page, const struct ct_cell *cell, uint32_t offset)
{
	uint32_t bytes = 1u << cell->log2;

	if (!page->remembers || ct_value_read_bytes(page->cover + offset, bytes))
		return;
	if (cell->flags & CT_CELL_SURPRISES)
		ct_value_rows_at(page->rows, cell->load.row)->surprises++;
	ct_page_keep(page, offset, bytes);
	if (page->learns && !(cell->flags & CT_CELL_LOADS_DIFFER))
		learn(page, offset, bytes, cell->load.value);
	else
		forget(page, offset, bytes);
}

static void finish_stores(struct ct_value_page *page, const struct ct_cell *cell, uint32_t offset)
{
	struct ct_value_row *row = ct_value_rows_at(page->rows, cell->store.row);
	bool is_contested = cell->flags & CT_CELL_CONTESTED, varies = cell->flags & CT_CELL_VARIES;
	bool is_open = varies && cell->flags & CT_CELL_MANY; /* which one is the last? */

	if (!is_contested && !varies)
		row->equal += cell->stores - 1;
	if (!is_contested && is_open)
		row->candidates += cell->stores;
	finish_pending(page, cell, cell->pending_row, cell->pending, cell->pending_seen, false);
	page->is_changed = true;
	if (is_contested || is_open || !page->learns)
		forget(page, offset, 1u << cell->store_log2);
	else
		learn(page, offset, 1u << cell->store_log2, cell->store.value);
}

/* Nothing is covered by the next run's stores. */
static void uncover(struct ct_value_page *page)
{
	for (uint32_t i = 0; i < page->touches; i++) {
		const struct ct_cell *cell = &page->cell[page->touched[i]];

		if (cell->flags & CT_CELL_STORED)
			ct_value_write_bytes(page->cover + ct_cell_offset(page->touched[i]), 0,
					     1u << cell->store_log2);
	}
	/* Without a branch: these are mostly all of the page's bytes, of a copy. */
	for (uint32_t i = 0; page->has_blind && i < CT_VALUE_PAGE_BYTES; i++) {
		bool is_blind = page->cover[i] == CT_COVER_BLIND;

		page->known[i] = is_blind ? 0 : page->known[i];
		page->cover[i] = is_blind ? 0 : page->cover[i];
	}
	page->has_blind = false;
}

void ct_cells_finish(struct ct_value_page *page)
{
	ct_rows_judge(page);
	ct_run_mark(page);
	for (uint32_t i = 0; i < page->touches && !page->is_private; i++) {
		const struct ct_cell *cell = &page->cell[page->touched[i]];
		uint32_t offset = ct_cell_offset(page->touched[i]);

		if (cell->flags & CT_CELL_STORED)
			finish_stores(page, cell, offset);
		else if (cell->flags & CT_CELL_LOADED)
			finish_loads(page, cell, offset);
	}
	for (const struct ct_map_entry *e = ct_map_next(&page->pending, NULL); e;
	     e = ct_map_next(&page->pending, e))
		finish_pending(page, &page->cell[ct_map_key(e, 0)], (uint32_t)ct_map_key(e, 1),
			       (uint32_t)e->value.number, (uint32_t)(e->value.number >> 32), true);
	ct_rows_learn(page);
	compare_loads(page);
	ct_rows_uncover(page);
	uncover(page);
	if (page->pending.count)
		ct_map_clear(&page->pending);
	page->touches = page->sizes = 0;
}

/* Records what memory held where a memset writes; it is known behind it. */
int ct_page_fill(struct ct_value_page *page, uint32_t offset, uint32_t bytes, uint64_t pattern)
{
	uint32_t since = page->learns ? page->at.step + 1 : 0, same = 0, unknown = 0;

	page->is_changed = true;
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

/* Notes what a run has added to its rows: its launch did that there. */
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

static int add_fact(struct ct_value_page *page, uint32_t fact, uint64_t a, uint64_t b)
{
	if (!a && !b)
		return 0;
	return ct_sums_add(page->sums, CT_VALUE_FACT_KEY(fact, page->at.step), 0, a, b);
}

int ct_run_count(struct ct_value_page *page)
{
	uint64_t loads = 0, temporal = 0, stores = 0, redundant = 0, unknown = 0, unreported = 0;
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
		unreported += now->unreported - then->unreported;
	}
	page->run_rows = 0;
	err = add_fact(page, CT_VALUE_FACT_LAUNCH_LOADS, loads, temporal);
	if (err == 0)
		err = add_fact(page, CT_VALUE_FACT_LAUNCH_STORES, stores, redundant);
	return err == 0 ? add_fact(page, CT_VALUE_FACT_LAUNCH_OPEN, unknown, unreported) : err;
}
