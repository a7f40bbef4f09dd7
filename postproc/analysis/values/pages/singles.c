/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes on their own, taken out of keys. */
#include "postproc/analysis/values/pages/singles.h"
#include "postproc/analysis/values/pages/light.h"

static uint64_t low_bits(uint32_t bits)
{
	return ((uint64_t)1 << bits) - 1;
}

/* The least key that no single-lane record before the piece of that key has. */
static ct_value_key limit_of(const struct ct_value_layout *layout, ct_value_key before)
{
	uint64_t mask = low_bits(layout->order_bits), order = (uint64_t)before & mask;

	if (order >> (layout->order_bits - layout->single_bits))
		return (before | mask) + ((before | mask) != ~(ct_value_key)0);
	return (before & ~(ct_value_key)mask) | order << layout->single_bits;
}

/* The row of the site and object at hand. */
struct row {
	bool is_known;
	bool is_load;
	uint32_t ids; /* of both, as in keys */
	uint32_t site;
	uint32_t sectors; /* of an element */
	uint64_t fresh;   /* loads of places that are new in the run, which are not counted yet */
};

static void count_fresh(struct ct_value_page *page, struct row *row)
{
	struct ct_values_counts *counts;

	if (!row->fresh)
		return;
	counts = &ct_value_rows_at(page->rows, page->row)->counts;
	counts->elements += row->fresh;
	counts->bytes += row->fresh * page->bytes;
	counts->sectors += page->remembers ? row->fresh * row->sectors : 0;
	row->fresh = 0;
}

static int find_row(struct ct_value_page *page, struct row *row, uint32_t ids)
{
	const struct ct_value_engine *engine = page->engine;
	uint32_t object = ids >> engine->layout.site_bits;
	const struct ct_value_site *site;

	row->ids = ids;
	row->site = ids & (uint32_t)low_bits(engine->layout.site_bits);
	row->is_known = true;
	site = &engine->site[row->site];
	row->is_load = site->class == CT_CLASS_LOAD;
	row->sectors = ct_value_sector_part(site, 0);
	return ct_page_describe(page, row->site, object == engine->objects ? CT_NONE : object,
				(uint32_t)__builtin_ctz(site->element_bytes) & 3u);
}

static int take(struct ct_value_page *page, struct row *row, const struct ct_value_single *single)
{
	uint32_t offset = (uint32_t)single->key[1] & (CT_VALUE_PAGE_BYTES - 1);
	uint32_t lane = single->key[1] >> CT_SINGLE_OFFSET_BITS & low_bits(CT_SINGLE_LANE_BITS);
	struct ct_values_counts *counts;
	uint64_t *found, before;
	int err;

	if (row->is_load && ct_single_load(page, offset, lane, single->value)) {
		row->fresh++;
		return page->engine->is_sampled && page->row ? ct_page_sample(page, row->site, 1, 0)
							     : 0;
	}
	counts = &ct_value_rows_at(page->rows, page->row)->counts;
	found = row->is_load ? &counts->temporal : &counts->silent;
	before = *found;
	counts->elements++;
	counts->bytes += page->bytes;
	page->sectors = page->remembers ? row->sectors : 0;
	counts->sectors += page->sectors;
	err = row->is_load ? ct_cell_load(page, offset, 1u << lane, single->value)
			   : ct_cell_store(page, offset, 1u << lane, single->value);
	before = *found - before;
	counts->avoided += before ? page->sectors : 0;
	if (err == 0 && page->engine->is_sampled && page->row)
		err = ct_page_sample(page, row->site, 1, before);
	return err;
}

/* Where the page is. */
static void leave_at(struct ct_value_page *page, const struct ct_value_single *single)
{
	ct_value_place_unpack(&page->engine->layout, &page->at, ct_value_piece_key(single->key));
}

/* Another warp, or more. A run's warps only have to be told apart. */
static int move(struct ct_value_page *page, ct_value_key key, bool is_same_run, bool *is_new)
{
	struct ct_value_place place;

	*is_new = false;
	if (is_same_run && page->remembers && !page->engine->is_sampled) {
		ct_page_next_warp(page);
		return 0;
	}
	ct_value_place_unpack(&page->engine->layout, &place, key);
	return ct_page_move(page, &place, is_new);
}

int ct_singles_take(struct ct_value_page *page, const struct ct_value_single *single,
		    size_t singles, ct_value_key before, size_t *taken)
{
	const struct ct_value_layout *layout = &page->engine->layout;
	const uint32_t of_run = layout->cta_bits + CT_VALUE_WARP_BITS;
	ct_value_key limit = limit_of(layout, before), last = 0;
	struct row row = {.is_known = false};
	bool is_new = true;
	size_t i = 0;
	int err = 0;

	for (; i < singles && err == 0; i++) {
		ct_value_key key = ct_value_piece_key(single[i].key);
		ct_value_key warp = key >> layout->order_bits;
		uint64_t ids = single[i].key[1] & low_bits(layout->single_bits);

		if (key >= limit)
			break;
		if (i == 0 || warp != last) {
			if (!page->remembers || (warp ^ last) >> of_run)
				count_fresh(page, &row); /* a run may end */
			err = move(page, key, i && (warp ^ last) >> of_run == 0, &is_new);
			row.is_known &= !is_new;
			last = warp;
		}
		ids >>= CT_SINGLE_OFFSET_BITS + CT_SINGLE_LANE_BITS;
		if (err == 0 && (!row.is_known || row.ids != ids)) {
			count_fresh(page, &row);
			err = find_row(page, &row, (uint32_t)ids);
		}
		if (err == 0)
			err = take(page, &row, &single[i]);
	}
	count_fresh(page, &row);
	*taken = i;
	if (i) /* what comes next may be of the same warp */
		leave_at(page, &single[i - 1]);
	return err;
}
