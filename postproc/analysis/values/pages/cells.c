/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what loads and stores find in a place: the thread's own last value, or that of memory. */
#include "postproc/analysis/values/pages/cells.h"
#include "base/array.h"
#include "postproc/analysis/values/pages/light.h"

#include <errno.h>
#include <string.h>

/* Mostly one lane, or all of them. */
static uint32_t count_lanes(uint32_t lanes)
{
	if (!(lanes & (lanes - 1)))
		return lanes != 0;
	return lanes == CT_FULL_MASK ? CT_WARP_LANES : (uint32_t)__builtin_popcount(lanes);
}

/* In this run. Afterwards it stands in no row. */
static bool is_seen(struct ct_value_page *page, uint32_t number)
{
	uint32_t seen = page->seen[number];

	if (seen >> 1 != page->run)
		return false;
	if (seen & 1)
		ct_row_leave(page, number);
	return true;
}

/* The cell, ready for the run and the warp at hand. */
static struct ct_cell *reach(struct ct_value_page *page, uint32_t offset)
{
	uint32_t number = ct_cell_number(offset, page->log2);
	struct ct_cell *cell = &page->cell[number];

	if (!is_seen(page, number)) {
		*cell = (struct ct_cell){.log2 = (uint8_t)page->log2};
		page->seen[number] = page->run << 1;
		page->touched[page->touches++] = number;
		page->sizes |= ct_cell_size(number, page->log2);
	}
	if (cell->warp != page->warp || cell->log2 != page->log2) {
		cell->flags |= cell->flags ? CT_CELL_SHARED : 0;
		cell->warp = page->warp;
		cell->log2 = (uint8_t)page->log2;
		cell->load.lanes = cell->store.lanes = cell->by_store = cell->stale = 0;
		cell->flags &= (uint16_t) ~(CT_CELL_LOADS_APART | CT_CELL_STORES_APART);
	}
	return cell;
}

static enum ct_held look_up(const struct ct_value_page *page, uint32_t offset, uint64_t value)
{
	return ct_cell_look_up(page, offset, page->bytes, page->floor, value);
}

/* Sets the lanes' own values and rows: in a block of the cell's, which lasts as long as the warp.
 */
static int set_apart(struct ct_value_page *page, struct ct_cell *cell, uint32_t lanes,
		     bool is_store, uint32_t row, uint64_t value)
{
	uint16_t apart = is_store ? CT_CELL_STORES_APART : CT_CELL_LOADS_APART;
	struct ct_cell_apart *block;

	if (!(cell->flags & apart)) {
		if (ct_array_reserve(&page->apart, &page->apart_room, page->aparts + 1,
				     sizeof(*page->apart)) < 0)
			return -ENOMEM;
		cell->apart[is_store] = (uint32_t)page->aparts++;
		cell->flags |= apart;
	}
	block = &page->apart[cell->apart[is_store]];
	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);

		block->value[lane] = value;
		block->row[lane] = row;
	}
	return 0;
}

/* Lanes that had a last value, and of them those that had this one. */
struct last {
	uint32_t had, same;
};

static int compare_apart(struct ct_value_page *page, const struct ct_cell *cell, bool is_store,
			 uint64_t value, struct last *last, bool pairs)
{
	const struct ct_cell_apart *block = &page->apart[cell->apart[is_store]];
	int err = 0;

	last->same = 0;
	for (uint32_t had = last->had; had && err == 0; had &= had - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(had);

		if (block->value[lane] != value)
			continue;
		last->same |= 1u << lane;
		if (pairs)
			err = ct_value_rows_pair(page->rows, is_store, block->row[lane], page->row,
						 1);
	}
	return err;
}

static int compare(struct ct_value_page *page, const struct ct_cell *cell, uint32_t lanes,
		   bool is_store, uint64_t value, struct last *last, bool pairs)
{
	const struct ct_cell_lanes *own = is_store ? &cell->store : &cell->load;
	uint32_t apart = is_store ? CT_CELL_STORES_APART : CT_CELL_LOADS_APART;

	last->had = lanes & own->lanes;
	if (cell->flags & apart)
		return compare_apart(page, cell, is_store, value, last, pairs);
	last->same = own->value == value ? last->had : 0;
	if (!pairs || !last->same)
		return 0;
	return ct_value_rows_pair(page->rows, is_store, own->row, page->row,
				  count_lanes(last->same));
}

/* The lanes' last value is this one now. */
static int remember(struct ct_value_page *page, struct ct_cell *cell, uint32_t lanes, bool is_store,
		    uint64_t value)
{
	struct ct_cell_lanes *own = is_store ? &cell->store : &cell->load;
	uint16_t apart = is_store ? CT_CELL_STORES_APART : CT_CELL_LOADS_APART;
	uint32_t others = own->lanes & ~lanes;
	int err = 0;

	if (!(cell->flags & apart) && others && (own->value != value || own->row != page->row))
		err = set_apart(page, cell, own->lanes, is_store, own->row, own->value);
	if (err == 0 && cell->flags & apart)
		err = set_apart(page, cell, lanes, is_store, page->row, value);
	own->lanes = lanes | (cell->flags & apart || others ? own->lanes : 0);
	own->row = page->row;
	own->value = value;
	return err;
}

/* Do others access it than these lanes? */
static void share(struct ct_cell *cell, uint32_t lanes)
{
	uint32_t before = cell->load.lanes | cell->store.lanes;

	if (cell->flags && (lanes & (lanes - 1) || (before && before != lanes)))
		cell->flags |= CT_CELL_SHARED;
}

/* The first access of the run. */
static void begin_loads(struct ct_value_page *page, struct ct_cell *cell, uint32_t offset,
			uint32_t lanes, uint64_t value)
{
	cell->flags =
	    CT_CELL_LOADED | CT_CELL_LOAD_FIRST | (lanes & (lanes - 1) ? CT_CELL_SHARED : 0);
	if (look_up(page, offset, value) == CT_HELD_OTHER)
		cell->flags |= CT_CELL_SURPRISES;
	cell->load = (struct ct_cell_lanes){lanes, page->row, value};
}

int ct_cell_load(struct ct_value_page *page, uint32_t offset, uint32_t lanes, uint64_t value)
{
	struct ct_cell *cell = reach(page, offset);
	struct last last;
	bool is_first;
	int err;

	cell->accesses += count_lanes(lanes);
	if (!cell->flags) {
		begin_loads(page, cell, offset, lanes, value);
		return 0;
	}
	share(cell, lanes);
	err = compare(page, cell, lanes, false, value, &last, true);

	ct_value_rows_at(page->rows, page->row)->counts.temporal += count_lanes(last.same);
	is_first = !(cell->flags & CT_CELL_LOADED);
	if (!is_first && cell->load.value != value)
		cell->flags |= CT_CELL_LOADS_DIFFER;
	/* All values are compared, since loads of a warp have no order. */
	if ((is_first || cell->load.value != value) && !(cell->flags & CT_CELL_STORED) &&
	    look_up(page, offset, value) == CT_HELD_OTHER)
		cell->flags |= CT_CELL_SURPRISES;
	cell->flags |= CT_CELL_LOADED;
	cell->by_store &= ~lanes;
	cell->stale &= ~lanes;
	return err == 0 ? remember(page, cell, lanes, false, value) : err;
}

static void contest(struct ct_value_page *page, uint32_t offset, uint32_t bytes)
{
	for (uint32_t at = offset; at < offset + bytes && at < CT_VALUE_PAGE_BYTES; at++) {
		uint32_t tag = page->cover[at], log2, start;

		if (!tag || tag == CT_COVER_BLIND)
			continue;
		tag--;
		log2 = tag & 3u;
		start = at - (tag >> 2);
		is_seen(page, ct_cell_number(start, log2));
		page->cell[ct_cell_number(start, log2)].flags |= CT_CELL_CONTESTED;
	}
}

/* True if it lies below other stores of the run than those at the same place. */
static bool is_covered(struct ct_value_page *page, struct ct_cell *cell, uint32_t offset)
{
	uint64_t below = ct_value_read_bytes(page->cover + offset, page->bytes),
		 own = ct_cover_of[page->log2];

	if (below == own)
		return (cell->flags & CT_CELL_CONTESTED) != 0;
	if (below) {
		contest(page, offset, page->bytes);
		cell->flags |= CT_CELL_CONTESTED;
	}
	ct_value_write_bytes(page->cover + offset, own, page->bytes);
	return below != 0;
}

/* seen: those of the stores whose thread had seen another value there. */
static int wait_for_end(struct ct_value_page *page, struct ct_cell *cell, uint32_t stores,
			uint32_t seen)
{
	union ct_map_value *more;

	if (!stores)
		return 0;
	if (!cell->pending || cell->pending_row == page->row) {
		cell->pending_row = page->row;
		cell->pending += stores;
		cell->pending_seen += seen;
		return 0;
	}
	more = ct_map_put(&page->pending, (uint64_t)(cell - page->cell), page->row);
	if (!more)
		return -ENOMEM;
	more->number += stores | (uint64_t)seen << 32;
	return 0;
}

/* The first of the lanes. */
static uint64_t thread_of(const struct ct_value_page *page, uint32_t lanes)
{
	return (uint64_t)page->warp << CT_VALUE_WARP_BITS | (uint32_t)__builtin_ctz(lanes);
}

/* The first store of the run. */
static void begin_stores(struct ct_value_page *page, struct ct_cell *cell, uint32_t offset,
			 uint32_t lanes, uint32_t had, uint64_t value)
{
	enum ct_held held = look_up(page, offset, value);

	cell->flags |= CT_CELL_STORED;
	cell->flags |= held == CT_HELD_SAME    ? CT_CELL_WAS_SAME
		       : held == CT_HELD_OTHER ? CT_CELL_WAS_OTHER
					       : 0;
	if (lanes & ~had)
		cell->flags |= CT_CELL_FIRST;
	if (lanes & (lanes - 1))
		cell->flags |= CT_CELL_MANY;
	cell->writer = thread_of(page, lanes);
}

static void go_on_storing(struct ct_value_page *page, struct ct_cell *cell, uint32_t lanes,
			  uint64_t value)
{
	if (cell->writer != thread_of(page, lanes) || lanes & (lanes - 1))
		cell->flags |= CT_CELL_MANY;
	if (cell->store.value != value)
		cell->flags |= CT_CELL_VARIES;
}

/* Compares this store with the lanes' last access there, load or store. */
static int compare_any(struct ct_value_page *page, const struct ct_cell *cell, uint32_t lanes,
		       uint64_t value, struct last *last)
{
	struct last load, store;
	uint32_t fresh = lanes & ~cell->stale;
	int err = compare(page, cell, fresh & ~cell->by_store, false, value, &load, false);

	if (err == 0)
		err = compare(page, cell, fresh & cell->by_store, true, value, &store, false);
	if (err < 0)
		return err;
	last->had = load.had | store.had;
	last->same = load.same | store.same;
	return 0;
}

/* Stores whose thread knows what was there are finished, the others wait for the run's end. */
static int judge(struct ct_value_page *page, struct ct_cell *cell, uint32_t lanes,
		 const struct last *last)
{
	struct ct_values_counts *counts = &ct_value_rows_at(page->rows, page->row)->counts;
	uint32_t others = lanes & ~last->same;

	counts->silent += count_lanes(last->same);
	if (page->is_private) {
		counts->unknown += count_lanes(others & ~last->had);
		return 0;
	}
	if (cell->flags & CT_CELL_VARIES)
		others &= ~last->had; /* not all agree, and the thread had seen another value */
	return wait_for_end(page, cell, count_lanes(others), count_lanes(others & last->had));
}

/* The first access of the run, and no other store there: as most are. */
static int store_first(struct ct_value_page *page, struct ct_cell *cell, uint32_t offset,
		       uint32_t lanes, uint64_t value)
{
	begin_stores(page, cell, offset, lanes, 0, value);
	cell->store_log2 = (uint8_t)page->log2;
	cell->stores = count_lanes(lanes);
	cell->pending_row = page->row;
	cell->pending = cell->stores;
	cell->by_store = lanes;
	cell->store = (struct ct_cell_lanes){lanes, page->row, value};
	return 0;
}

int ct_cell_store(struct ct_value_page *page, uint32_t offset, uint32_t lanes, uint64_t value)
{
	struct ct_value_row *row = ct_value_rows_at(page->rows, page->row);
	struct ct_cell *cell = reach(page, offset);
	struct last own, any = {0, 0};
	int err;

	cell->accesses += count_lanes(lanes);
	share(cell, lanes);
	if (!cell->flags && !page->is_private && !is_covered(page, cell, offset))
		return store_first(page, cell, offset, lanes, value);
	err = compare(page, cell, lanes, true, value, &own, true);

	if (err == 0)
		err = compare_any(page, cell, lanes, value, &any);
	if (err < 0)
		return err;
	row->counts.temporal += count_lanes(own.same);
	if (!page->is_private && is_covered(page, cell, offset))
		any = (struct last){0, 0};
	if (cell->flags & CT_CELL_STORED)
		go_on_storing(page, cell, lanes, value);
	else
		begin_stores(page, cell, offset, lanes, any.had, value);
	if (cell->store_log2 < page->log2)
		cell->store_log2 = (uint8_t)page->log2;
	cell->stores += count_lanes(lanes);
	err = judge(page, cell, lanes, &any);
	cell->by_store |= lanes;
	cell->stale &= ~lanes;
	return err == 0 ? remember(page, cell, lanes, true, value) : err;
}

void ct_cell_exchange(struct ct_value_page *page, uint32_t offset, uint32_t lanes)
{
	struct ct_cell *cell = reach(page, offset);

	cell->stale |= lanes;
	ct_mark_element(page, offset, lanes, CT_MARK_READ_OLD | CT_MARK_READ_OWN | CT_MARK_WROTE);
	ct_cells_overwrite(page, offset, page->bytes);
}

static void make_stale(struct ct_value_page *page, uint32_t number)
{
	if (is_seen(page, number))
		page->cell[number].stale = CT_FULL_MASK;
}

/* Lanes of the warp at hand no longer know what is there, whoever of them wrote it. */
static void forget_lanes(struct ct_value_page *page, uint32_t offset, uint32_t bytes)
{
	uint32_t last = offset + bytes - 1;

	for (uint32_t log2 = 0; log2 < 4; log2++)
		for (uint32_t at = offset >> log2; at <= last >> log2; at++)
			make_stale(page, CT_CELLS_OF(log2) + at);
	for (uint32_t at = offset < 7 ? 0 : offset - 7; at <= last; at++)
		make_stale(page, CT_CELLS_UNALIGNED + at);
}

void ct_cells_overwrite(struct ct_value_page *page, uint32_t offset, uint32_t bytes)
{
	bool is_alone = !page->touches && !page->light_rows && !page->light_singles;

	if (page->is_private)
		return;
	page->is_changed = true;
	/* A copy is a run of its own: nothing else of it is there. */
	if (!is_alone) {
		contest(page, offset, bytes);
		forget_lanes(page, offset, bytes);
	}
	memset(page->cover + offset, CT_COVER_BLIND, bytes);
	page->has_blind = true;
}
