/* SPDX-License-Identifier: Apache-2.0 */
/* The page stage: from pieces to cells, run by run. */
#include "postproc/analysis/values/pages/page.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/pages/light.h"
#include "postproc/analysis/values/pages/singles.h"
#include "postproc/facts/lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_value_pages {
	struct ct_value_page page;
};

int ct_value_pages_open(struct ct_value_pages **out, struct ct_value_engine *engine,
			struct ct_sums *sums)
{
	struct ct_value_pages *pages = calloc(1, sizeof(*pages));

	*out = pages;
	if (!pages)
		return -ENOMEM;
	pages->page.engine = engine;
	pages->page.sums = sums;
	pages->page.history.engine = engine;
	pages->page.history.sums = sums;
	return ct_value_rows_open(&pages->page.rows);
}

void ct_value_pages_close(struct ct_value_pages *pages)
{
	if (!pages)
		return;
	free(pages->page.apart);
	ct_map_fini(&pages->page.pending);
	ct_value_rows_close(pages->page.rows);
	free(pages->page.run_row);
	free(pages->page.history.part);
	free(pages);
}

static uint64_t value_of(const struct ct_value_piece *piece, uint32_t rank)
{
	uint32_t bytes = 1u << piece->how.log2;
	uint64_t value = 0;

	switch (piece->how.shape) {
	case CT_PIECE_UNIFORM:
		return piece->payload.word[0];
	case CT_PIECE_AFFINE:
		value = piece->payload.word[0] + rank * ct_value_piece_step(piece);
		return bytes == 8 ? value : value & (((uint64_t)1 << 8 * bytes) - 1);
	default:
		memcpy(&value, piece->payload.byte + ((size_t)rank << piece->how.log2), bytes);
		return value;
	}
}

static uint32_t offset_of(const struct ct_value_piece *piece, uint32_t rank, uint32_t distance)
{
	uint16_t offset;

	if (piece->how.shape != CT_PIECE_SCATTER)
		return (uint32_t)((int32_t)piece->how.offset +
				  (int32_t)distance * piece->how.stride);
	memcpy(&offset,
	       piece->payload.byte +
		   ((size_t)ct_value_scatter_lanes(piece->how.log2) << piece->how.log2) +
		   2 * (size_t)rank,
	       sizeof(offset));
	return offset;
}

/* Lanes at the same place, with the same value. */
static int do_lanes(struct ct_value_page *page, const struct ct_value_piece *piece, uint32_t offset,
		    uint32_t lanes, uint64_t value)
{
	switch (piece->how.operation) {
	case CT_OPERATION_LOAD:
		return ct_cell_load(page, offset, lanes, value);
	case CT_OPERATION_STORE:
		return ct_cell_store(page, offset, lanes, value);
	case CT_OPERATION_EXCHANGE:
		ct_cell_exchange(page, offset, lanes);
		return 0;
	case CT_OPERATION_BLIND_STORE:
		ct_mark_element(page, offset, lanes, CT_MARK_WROTE);
		ct_cells_overwrite(page, offset, page->bytes);
		return 0;
	case CT_OPERATION_NO_EXCHANGE:
		ct_mark_element(page, offset, lanes,
				CT_MARK_READ_OLD | CT_MARK_READ_OWN | CT_MARK_WROTE);
		return 0;
	case CT_OPERATION_BLIND_LOAD:
		ct_mark_element(page, offset, lanes, CT_MARK_READ_OLD);
		return 0;
	default:
		return 0;
	}
}

/* Values side by side, of lanes at equal distances. */
static int do_row(struct ct_value_page *page, const struct ct_value_piece *piece)
{
	uint32_t first = (uint32_t)__builtin_ctz(piece->mask), rank = 0;
	bool is_load = piece->how.operation == CT_OPERATION_LOAD;
	int err = 0;

	for (uint32_t rest = piece->mask; rest && err == 0; rest &= rest - 1, rank++) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest), value;
		uint32_t offset = (uint32_t)((int32_t)piece->how.offset +
					     (int32_t)(lane - first) * piece->how.stride);

		memcpy(&value, piece->payload.byte + 4 * (size_t)rank, sizeof(value));
		err = is_load ? ct_cell_load(page, offset, 1u << lane, value)
			      : ct_cell_store(page, offset, 1u << lane, value);
	}
	return err;
}

static int do_piece(struct ct_value_page *page, const struct ct_value_piece *piece)
{
	uint32_t first = (uint32_t)__builtin_ctz(piece->mask), rank = 0;
	int err = 0;

	if (piece->how.shape == CT_PIECE_UNIFORM && !piece->how.stride)
		return do_lanes(page, piece, piece->how.offset, piece->mask,
				piece->payload.word[0]);
	if (piece->how.shape == CT_PIECE_RAW && piece->how.log2 == 2 &&
	    piece->how.operation <= CT_OPERATION_STORE)
		return do_row(page, piece);
	for (uint32_t rest = piece->mask; rest && err == 0; rest &= rest - 1, rank++) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		err = do_lanes(page, piece, offset_of(piece, rank, lane - first), 1u << lane,
			       value_of(piece, rank));
	}
	return err;
}

static void count_piece(struct ct_value_page *page, const struct ct_value_piece *piece)
{
	struct ct_values_counts *counts = &ct_value_rows_at(page->rows, page->row)->counts;
	uint64_t elements = ct_lane_count(piece->mask);

	counts->elements += elements;
	counts->bytes += elements << piece->how.log2;
	if (piece->how.operation >= CT_OPERATION_BLIND_LOAD)
		counts->unreported += elements;
	if (piece->how.operation == CT_OPERATION_NO_EXCHANGE)
		counts->silent += elements;
}

/* Takes what a copy or a range reads, or writes unseen. */
static void take_range(struct ct_value_page *page, const struct ct_value_piece *piece)
{
	uint32_t bytes = (uint32_t)piece->payload.word[0];
	bool is_read = piece->how.shape == CT_RANGE_READ;

	if (page->remembers)
		ct_history_mark(&page->history, piece->how.offset, bytes,
				is_read ? CT_MARK_READ_OLD : CT_MARK_WROTE);
	if (!is_read)
		ct_cells_overwrite(page, piece->how.offset, bytes);
}

/* Counts the sectors of 32 bytes that the piece's lanes touch. */
static uint32_t count_sectors(const struct ct_value_piece *piece)
{
	uint32_t first = (uint32_t)__builtin_ctz(piece->mask), sectors = 0, last = UINT32_MAX;
	uint32_t lanes = 32u - (uint32_t)__builtin_clz(piece->mask) - first, rank = 0;
	uint32_t stride =
	    (uint32_t)(piece->how.stride < 0 ? -piece->how.stride : piece->how.stride);
	uint32_t bytes = 1u << piece->how.log2, reach = (lanes - 1) * stride;

	uint32_t row = piece->mask >> first;

	if (piece->how.shape != CT_PIECE_SCATTER && stride <= CT_VALUE_SECTOR_BYTES &&
	    !(row & (row + 1))) {
		uint32_t low = piece->how.offset - (piece->how.stride < 0 ? reach : 0);

		return (low + reach + bytes - 1) / CT_VALUE_SECTOR_BYTES -
		       low / CT_VALUE_SECTOR_BYTES + 1;
	}
	for (uint32_t rest = piece->mask; rest; rest &= rest - 1, rank++) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);
		uint32_t sector = offset_of(piece, rank, lane - first) / CT_VALUE_SECTOR_BYTES;

		sectors += sector != last; /* lanes that come back to one count it again */
		last = sector;
	}
	return sectors;
}

/* The same, in the parts that its site's are counted in. */
static uint32_t parts_of(const struct ct_value_page *page, const struct ct_value_piece *piece)
{
	uint32_t site = ct_value_piece_site(piece), part = 1;

	if (site != CT_NONE)
		part = ct_value_sector_part(&page->engine->site[site],
					    piece->site >> CT_VALUE_SITE_BITS);
	return count_sectors(piece) * part;
}

/* Returns what the piece's row has found redundant at once. */
static uint64_t found_of(const struct ct_value_page *page, const struct ct_value_piece *piece)
{
	const struct ct_values_counts *counts = &ct_value_rows_at(page->rows, page->row)->counts;

	return piece->how.operation == CT_OPERATION_LOAD ? counts->temporal : counts->silent;
}

static int take_access(struct ct_value_page *page, const struct ct_value_piece *piece)
{
	uint64_t before = found_of(page, piece);
	struct ct_values_counts *counts;
	uint32_t sectors;
	int err;

	count_piece(page, piece);
	page->sectors = sectors = page->remembers ? parts_of(page, piece) : 0;
	if (!ct_row_take(page, piece, &err))
		err = do_piece(page, piece);
	counts = &ct_value_rows_at(page->rows, page->row)->counts;
	counts->sectors += sectors;
	before = found_of(page, piece) - before;
	if (before == ct_lane_count(piece->mask))
		counts->avoided += sectors;
	if (err == 0 && page->engine->is_sampled && page->row)
		err = ct_page_sample(page, ct_value_piece_site(piece), ct_lane_count(piece->mask),
				     before);
	return err;
}

static int take_piece(struct ct_value_page *page, const struct ct_value_piece *piece)
{
	struct ct_value_place place;
	bool is_new;
	int err;

	ct_value_place_unpack(&page->engine->layout, &place, ct_value_piece_key(piece->key));
	err = ct_page_move(page, &place, &is_new);
	if (err == 0 && piece->how.operation == CT_OPERATION_OVERWRITE) {
		take_range(page, piece);
		return 0;
	}
	if (err == 0)
		err = ct_page_describe(page, ct_value_piece_site(piece), piece->object,
				       piece->how.log2);
	if (err < 0)
		return err;
	if (piece->how.operation == CT_OPERATION_FILL)
		return ct_page_fill(page, piece->how.offset, (uint32_t)piece->payload.word[0],
				    piece->payload.word[1]);
	return take_access(page, piece);
}

/* Pieces of one of the shuffles, in order. */
struct side {
	struct ct_shuffle_cursor *cursor;
	const uint8_t *next;
	size_t left; /* of the batch */
	size_t bytes;
};

static int look_ahead(struct side *side)
{
	void *records;
	int err = 0;

	if (!side->left) {
		err = ct_shuffle_next(side->cursor, &records, &side->left);
		side->next = records;
	}
	return err;
}

static const struct ct_value_piece *first_of(const struct side *side)
{
	return (const struct ct_value_piece *)(const void *)side->next;
}

enum { PIECES, SPECKS, SINGLES, SIDES };

#define LAST_KEY (~(ct_value_key)0)

/* Returns the key of the next piece; single-lane records are another's. */
static ct_value_key key_of(const struct side *side)
{
	return side->left ? ct_value_piece_key(first_of(side)->key) : LAST_KEY;
}

static void pass(struct side *side, size_t records)
{
	side->next += records * side->bytes;
	side->left -= records;
}

/* All sides in one order. */
static int take_sides(struct ct_value_page *page, struct side side[SIDES])
{
	int err = 0;

	while (err == 0) {
		struct side *next;
		size_t taken;

		for (uint32_t i = 0; i < SIDES && err == 0; i++)
			err = look_ahead(&side[i]);
		if (err < 0 || (!side[PIECES].left && !side[SPECKS].left && !side[SINGLES].left))
			return err;
		next =
		    key_of(&side[PIECES]) < key_of(&side[SPECKS]) ? &side[PIECES] : &side[SPECKS];
		err = ct_singles_take(page, (const void *)side[SINGLES].next, side[SINGLES].left,
				      key_of(next), &taken);
		pass(&side[SINGLES], taken);
		if (err < 0 || !next->left || (!side[SINGLES].left && taken))
			continue; /* the next batch may have such as come before */
		err = take_piece(page, first_of(next));
		pass(next, 1);
	}
	return err;
}

int ct_value_pages_take(struct ct_value_pages *pages, uint32_t partition)
{
	const struct ct_value_engine *engine = pages->page.engine;
	struct ct_shuffle *const shuffle[SIDES] = {engine->pieces, engine->specks, engine->singles};
	struct side side[SIDES] = {{.bytes = sizeof(struct ct_value_piece)},
				   {.bytes = CT_VALUE_SPECK_BYTES},
				   {.bytes = sizeof(struct ct_value_single)}};
	int err = 0;

	for (uint32_t i = 0; i < SIDES && engine->has_values && err == 0; i++)
		err = ct_shuffle_open_cursor(&side[i].cursor, shuffle[i], partition);
	if (err == 0 && engine->has_values)
		err = take_sides(&pages->page, side);
	if (err == 0)
		err = ct_page_end_run(&pages->page);
	if (err == 0)
		err = ct_history_end_page(&pages->page.history);
	for (uint32_t i = 0; i < SIDES && engine->has_values; i++) {
		ct_shuffle_close_cursor(side[i].cursor);
		ct_shuffle_drop(shuffle[i], partition);
	}
	return err;
}

int ct_value_pages_finish(struct ct_value_pages *pages, struct ct_sums *sums)
{
	int err = ct_page_end_sample(&pages->page, 0);

	return err == 0 ? ct_value_rows_sum(pages->page.rows, sums) : err;
}
