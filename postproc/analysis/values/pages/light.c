/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that nothing else accesses in the run. */
#include "postproc/analysis/values/pages/light.h"
#include "postproc/analysis/values/pages/cells.h"

/* The lanes are side by side, and so are their elements, each at a place of its own size. */
static bool is_row(const struct ct_value_piece *piece)
{
	uint32_t bytes = 1u << piece->how.log2;
	uint32_t lanes = piece->mask >> __builtin_ctz(piece->mask);

	return piece->how.stride == (int32_t)bytes && !(lanes & (lanes + 1)) && lanes > 1 &&
	       piece->how.shape != CT_PIECE_SCATTER && piece->how.operation <= CT_OPERATION_STORE &&
	       !(piece->how.offset & (bytes - 1));
}

/* The values as they are in memory. */
static void expand(const struct ct_value_piece *piece, uint32_t count,
		   uint8_t data[CT_WARP_LANES * 8])
{
	uint64_t value = piece->payload.word[0];
	uint64_t step = piece->how.shape == CT_PIECE_AFFINE ? ct_value_piece_step(piece) : 0;

	if (piece->how.shape == CT_PIECE_RAW) {
		memcpy(data, piece->payload.byte, (size_t)count << piece->how.log2);
		return;
	}
	if (piece->how.log2 == 2) {
		uint32_t word[CT_WARP_LANES];

		for (uint32_t i = 0; i < CT_WARP_LANES; i++)
			word[i] = (uint32_t)value + i * (uint32_t)step;
		memcpy(data, word, sizeof(word));
		return;
	}
	for (uint32_t i = 0; i < count; i++, value += step)
		memcpy(data + ((size_t)i << piece->how.log2), &value, (size_t)1 << piece->how.log2);
}

static bool is_unseen(const struct ct_value_page *page, uint32_t first, uint32_t count)
{
	const uint32_t *seen = page->seen + first, now = page->run << 1;
	uint32_t here = 0;

	for (size_t i = 0; i < count; i++)
		here += seen[i] >= now;
	return !here;
}

static bool is_bare(const struct ct_value_page *page, uint32_t offset, uint32_t bytes)
{
	const uint8_t *cover = page->cover + offset;
	uint8_t any = 0;

	for (size_t i = 0; i < bytes; i++)
		any |= cover[i];
	return !any;
}

static void cover_row(struct ct_value_page *page, uint32_t offset, uint32_t count)
{
	uint64_t own = ct_cover_of[page->log2];
	uint8_t *cover = page->cover + offset;

	for (size_t i = 0; i < count; i++, cover += page->bytes)
		ct_value_write_bytes(cover, own, page->bytes);
}

static void begin_row(struct ct_value_page *page, const struct ct_value_piece *piece,
		      uint32_t first, uint32_t count, const uint8_t *data)
{
	uint32_t number = page->light_rows++, mark = ct_light_mark(page),
		 *seen = page->seen + first;
	uint16_t *light_of = page->light_of + first;

	page->light_row[number] = (struct ct_light_row){
	    .row = page->row,
	    .warp = page->warp,
	    .floor = page->floor,
	    .first = first,
	    .offset = piece->how.offset,
	    .count = count,
	    .lane = (uint32_t)__builtin_ctz(piece->mask),
	    .times = 1,
	    .sectors = page->sectors,
	    .log2 = (uint8_t)page->log2,
	    .is_store = piece->how.operation == CT_OPERATION_STORE,
	};
	page->sizes |= 1u << page->log2;
	for (size_t i = 0; i < count; i++)
		seen[i] = mark;
	for (size_t i = 0; i < count; i++)
		light_of[i] = (uint16_t)number;
	memcpy(page->light[page->log2] + piece->how.offset, data, (size_t)count << page->log2);
	if (piece->how.operation == CT_OPERATION_STORE)
		cover_row(page, piece->how.offset, count);
}

/* The same lanes load again what they have loaded. */
static bool load_again(struct ct_value_page *page, const struct ct_value_piece *piece,
		       uint32_t first, uint32_t count, const uint8_t *data, int *err)
{
	uint32_t number = page->light_of[first];
	struct ct_light_row *row = &page->light_row[number < CT_LIGHT_ROWS ? number : 0];

	if (page->seen[first] != ct_light_mark(page) || number >= CT_LIGHT_ROWS ||
	    piece->how.operation != CT_OPERATION_LOAD || row->is_store || row->first != first ||
	    row->count != count || row->is_left || row->warp != page->warp ||
	    row->lane != (uint32_t)__builtin_ctz(piece->mask) ||
	    memcmp(page->light[page->log2] + piece->how.offset, data,
		   (size_t)count << page->log2) != 0)
		return false;
	ct_value_rows_at(page->rows, page->row)->counts.temporal += count;
	*err = ct_value_rows_pair(page->rows, false, row->row, page->row, count);
	row->row = page->row;
	row->times++;
	return true;
}

bool ct_row_take(struct ct_value_page *page, const struct ct_value_piece *piece, int *err)
{
	uint8_t data[CT_WARP_LANES * 8];
	uint32_t count, first;

	*err = 0;
	if (page->is_private || !is_row(piece))
		return false;
	count = (uint32_t)__builtin_popcount(piece->mask);
	first = ct_cell_number(piece->how.offset, piece->how.log2);
	expand(piece, count, data);
	if (!is_unseen(page, first, count))
		return load_again(page, piece, first, count, data, err);
	if (page->light_rows == CT_LIGHT_ROWS ||
	    (piece->how.operation == CT_OPERATION_STORE &&
	     !is_bare(page, piece->how.offset, count << piece->how.log2)))
		return false;
	begin_row(page, piece, first, count, data);
	return true;
}

/* As if it had been a cell all the time. */
static void become_cell(struct ct_value_page *page, uint32_t number,
			const struct ct_light_single *as, uint32_t times, bool is_store)
{
	uint32_t bytes = 1u << as->log2;
	uint64_t value = ct_value_read_bytes(page->light[as->log2] + as->offset, bytes);
	enum ct_held held = ct_cell_look_up(page, as->offset, bytes, as->floor, value);
	struct ct_cell_lanes lanes = {1u << as->lane, as->row, value};
	struct ct_cell *cell = &page->cell[number];

	page->seen[number] = page->run << 1;
	page->touched[page->touches++] = number;
	*cell = (struct ct_cell){.log2 = as->log2, .warp = as->warp, .accesses = times};
	if (!is_store) {
		cell->flags = CT_CELL_LOADED | CT_CELL_LOAD_FIRST |
			      (held == CT_HELD_OTHER ? CT_CELL_SURPRISES : 0);
		cell->load = lanes;
		return;
	}
	cell->flags = CT_CELL_STORED | CT_CELL_FIRST |
		      (held == CT_HELD_SAME    ? CT_CELL_WAS_SAME
		       : held == CT_HELD_OTHER ? CT_CELL_WAS_OTHER
					       : 0);
	cell->writer = (uint64_t)as->warp << CT_VALUE_WARP_BITS | as->lane;
	cell->store_log2 = as->log2;
	cell->stores = cell->pending = 1;
	cell->pending_row = as->row;
	cell->by_store = 1u << as->lane;
	cell->store = lanes;
}

void ct_row_leave(struct ct_value_page *page, uint32_t number)
{
	uint32_t light = page->light_of[number];
	struct ct_light_row *row;
	struct ct_light_single single;

	if (light >= CT_LIGHT_ROWS) {
		become_cell(page, number, &page->light_single[light - CT_LIGHT_ROWS], 1, false);
		return;
	}
	row = &page->light_row[light];
	row->is_left = true;
	single = (struct ct_light_single){
	    .offset = row->offset + ((number - row->first) << row->log2),
	    .row = row->row,
	    .warp = row->warp,
	    .floor = row->floor,
	    .lane = (uint8_t)(row->lane + number - row->first),
	    .log2 = row->log2,
	};
	become_cell(page, number, &single, row->times, row->is_store);
}

/* It has not become a cell. */
static bool stands(const struct ct_value_page *page, const struct ct_light_single *single)
{
	return page->seen[single->cell] == ct_light_mark(page);
}

/* As ct_cell_look_up, of a known number of bytes. */
static inline __attribute__((always_inline)) enum ct_held
look_up(const struct ct_value_page *page, const struct ct_light_single *single, uint32_t bytes)
{
	const uint32_t *known = page->known + single->offset;
	uint32_t above = 0;

	for (size_t i = 0; i < bytes; i++)
		above += known[i] > single->floor;
	if (above != bytes)
		return CT_HELD_UNKNOWN;
	return memcmp(page->content + single->offset, page->light[single->log2] + single->offset,
		      bytes)
		   ? CT_HELD_OTHER
		   : CT_HELD_SAME;
}

/* Handles a single-lane record that no other element of the run overlaps: what memory held, what
 * is done to it, and what it is known to hold from now on. */
static inline __attribute__((always_inline)) void
finish_single(struct ct_value_page *page, const struct ct_light_single *single, uint32_t since,
	      uint32_t bytes)
{
	enum ct_held held = look_up(page, single, bytes);

	if (held == CT_HELD_OTHER)
		ct_value_rows_at(page->rows, single->row)->surprises++;
	if (held != CT_HELD_SAME)
		ct_page_keep(page, single->offset, bytes);
	ct_history_mark(&page->history, single->offset, bytes, CT_MARK_READ_OLD);
	ct_history_hit(&page->history, single->offset, 1);
	memcpy(page->content + single->offset, page->light[single->log2] + single->offset, bytes);
	for (size_t i = 0; i < bytes; i++)
		page->known[single->offset + i] = since;
}

/* All at once, where elements of the run have one size, so that none overlaps another. */
static bool finish_singles(struct ct_value_page *page)
{
	uint32_t since = page->learns ? page->at.step + 1 : 0;

	if (page->sizes & (page->sizes - 1) || page->sizes > CT_PAGE_WORD || page->has_blind)
		return false;
	for (uint32_t i = 0; i < page->light_singles; i++) {
		const struct ct_light_single *single = &page->light_single[i];

		if (!stands(page, single))
			continue;
		if (single->log2 == 3)
			finish_single(page, single, since, 8);
		else if (single->log2 == 2)
			finish_single(page, single, since, 4);
		else
			finish_single(page, single, since, 1u << single->log2);
	}
	return true;
}

static void judge_singles(struct ct_value_page *page)
{
	page->are_singles_finished = page->remembers && finish_singles(page);
	if (page->are_singles_finished)
		return;
	for (uint32_t i = 0; i < page->light_singles && page->remembers; i++) {
		const struct ct_light_single *single = &page->light_single[i];
		uint32_t bytes = 1u << single->log2;
		enum ct_held held;

		if (!stands(page, single))
			continue;
		held = bytes == 8   ? look_up(page, single, 8)
		       : bytes == 4 ? look_up(page, single, 4)
				    : look_up(page, single, bytes);
		if (held != CT_HELD_SAME)
			ct_page_keep(page, single->offset, bytes);
		if (held == CT_HELD_OTHER && is_bare(page, single->offset, bytes))
			ct_value_rows_at(page->rows, single->row)->surprises++;
	}
}

static inline __attribute__((always_inline)) void learn_single(struct ct_value_page *page,
							       const struct ct_light_single *single,
							       uint32_t since, uint32_t bytes)
{
	uint32_t *known = page->known + single->offset;
	uint64_t below = 0;

	memcpy(&below, page->cover + single->offset, bytes);
	if (below) /* stores of the run */
		return;
	memcpy(page->content + single->offset, page->light[single->log2] + single->offset, bytes);
	for (size_t i = 0; i < bytes; i++)
		known[i] = since;
}

static void learn_singles(struct ct_value_page *page)
{
	uint32_t since = page->learns ? page->at.step + 1 : 0;

	if (page->are_singles_finished)
		return;
	for (uint32_t i = 0; i < page->light_singles && page->remembers; i++) {
		const struct ct_light_single *single = &page->light_single[i];

		if (!stands(page, single))
			continue;
		if (single->log2 == 3)
			learn_single(page, single, since, 8);
		else if (single->log2 == 2)
			learn_single(page, single, since, 4);
		else
			learn_single(page, single, since, 1u << single->log2);
	}
}

/* Elements of a row, from the first on, whose memory is known or not in one piece. */
static void judge(struct ct_value_page *page, struct ct_light_row *row, uint32_t offset,
		  uint32_t count)
{
	struct ct_value_row *to = ct_value_rows_at(page->rows, row->row);
	const uint32_t *known = page->known + offset, floor = row->floor;
	uint32_t bytes = count << row->log2, above = 0, same = 0, other = 0;

	if (!page->remembers || row->floor == UINT32_MAX) {
		to->counts.unknown += row->is_store ? count : 0;
		page->is_changed = true;
		return;
	}
	for (size_t i = 0; i < bytes; i++)
		above += known[i] > floor;
	if (!above) {
		same = 0;
	} else if (above == bytes &&
		   !memcmp(page->content + offset, page->light[row->log2] + offset, bytes)) {
		same = count;
	} else {
		for (uint32_t i = 0; i < count; i++) {
			uint32_t at = offset + (i << row->log2), size = 1u << row->log2;
			enum ct_held held =
			    ct_cell_look_up(page, at, size, row->floor,
					    ct_value_read_bytes(page->light[row->log2] + at, size));

			same += held == CT_HELD_SAME;
			other += held == CT_HELD_OTHER;
		}
	}
	page->is_changed |= same != count;
	if (row->is_store) {
		row->same += same;
		to->counts.avoided += same == row->count ? row->sectors : 0;
		to->counts.known += same;
		to->counts.unknown += count - same - other;
	} else {
		to->surprises += other;
	}
}

static void learn(struct ct_value_page *page, struct ct_light_row *row, uint32_t offset,
		  uint32_t count)
{
	uint32_t bytes = count << row->log2, since = page->learns ? page->at.step + 1 : 0;
	uint32_t *known = page->known + offset;

	memcpy(page->content + offset, page->light[row->log2] + offset, bytes);
	for (size_t i = 0; i < bytes; i++)
		known[i] = since;
}

/* Loads below stores of the run say nothing. */
static bool is_open(const struct ct_value_page *page, const struct ct_light_row *row, uint32_t at)
{
	uint32_t offset = row->offset + (at << row->log2);

	return page->seen[row->first + at] == ct_light_mark(page) &&
	       (row->is_store || is_bare(page, offset, 1u << row->log2));
}

static void each_open(struct ct_value_page *page,
		      void (*what)(struct ct_value_page *page, struct ct_light_row *row,
				   uint32_t offset, uint32_t count))
{
	for (uint32_t i = 0; i < page->light_rows; i++) {
		struct ct_light_row *row = &page->light_row[i];
		bool is_whole =
		    !row->is_left &&
		    (row->is_store || is_bare(page, row->offset, row->count << row->log2));

		if (!page->remembers && !row->is_store)
			continue;
		if (is_whole)
			what(page, row, row->offset, row->count);
		for (uint32_t at = 0; at < row->count && !is_whole; at++)
			if (is_open(page, row, at))
				what(page, row, row->offset + (at << row->log2), 1);
	}
}

void ct_rows_judge(struct ct_value_page *page)
{
	judge_singles(page);
	each_open(page, judge);
}

void ct_rows_learn(struct ct_value_page *page)
{
	learn_singles(page);
	each_open(page, learn);
}

static void agree(struct ct_value_page *page, struct ct_light_row *row, uint32_t offset,
		  uint32_t count)
{
	if (!row->is_store)
		ct_page_agree(page, offset, count << row->log2, page->light[row->log2] + offset);
}

void ct_rows_agree(struct ct_value_page *page)
{
	each_open(page, agree);
	for (uint32_t i = 0; i < page->light_singles; i++) {
		const struct ct_light_single *single = &page->light_single[i];

		if (stands(page, single) && is_bare(page, single->offset, 1u << single->log2))
			ct_page_agree(page, single->offset, 1u << single->log2,
				      page->light[single->log2] + single->offset);
	}
}

void ct_rows_uncover(struct ct_value_page *page)
{
	for (uint32_t i = 0; i < page->light_rows; i++) {
		const struct ct_light_row *row = &page->light_row[i];

		if (row->is_store)
			memset(page->cover + row->offset, 0, (size_t)row->count << row->log2);
	}
	page->light_rows = page->light_singles = 0;
}
