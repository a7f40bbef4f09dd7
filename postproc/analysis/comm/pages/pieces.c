/* SPDX-License-Identifier: Apache-2.0 */
/* Where hot partitions are cut: so that sampled touches are the same in all pieces. */
#include "postproc/analysis/comm/pages/pieces.h"
#include "base/array.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PIECES_PER_THREAD 2u /* if they were all alike; each of a partition reads all of it */
#define TOUCHES_LEAST 64u    /* of what is cut */
#define SAMPLES_PER_CUT 64u

struct ct_page_pieces {
	struct ct_page_piece *piece;
	size_t count, room;
	_Atomic uint32_t left[CT_TOUCH_PARTITIONS]; /* pieces */
};

static bool add_piece(struct ct_page_pieces *pieces, const struct ct_page_piece *piece)
{
	if (ct_array_reserve(&pieces->piece, &pieces->room, pieces->count + 1,
			     sizeof(*pieces->piece)) < 0)
		return false;
	pieces->piece[pieces->count++] = *piece;
	pieces->left[piece->partition]++;
	return true;
}

static int compare_places(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Places of sampled touches, in order; `most` are asked for. */
static size_t sample(const struct ct_engine *engine, uint32_t partition, uint64_t *place,
		     size_t most)
{
	uint32_t words = engine->layout.words;
	uint64_t *record = malloc(most * words * sizeof(*record));
	size_t count = record ? ct_shuffle_sample(engine->touches, partition, record, most) : 0;

	for (size_t i = 0; i < count; i++)
		place[i] = ct_touch_place(record + i * words);
	qsort(place, count, sizeof(*place), compare_places);
	free(record);
	return count;
}

/* Between so many cuts, of which those that fall together are one. */
static bool cut(struct ct_page_pieces *pieces, const struct ct_page_piece *whole,
		const uint64_t *place, size_t places, uint32_t count, uint64_t unit)
{
	struct ct_page_piece piece = *whole;

	piece.bytes = whole->bytes / count;
	for (uint32_t i = 1; i < count; i++) {
		piece.end = place[places * i / count] / unit * unit;
		if (piece.end <= piece.begin)
			continue;
		if (!add_piece(pieces, &piece))
			return false;
		piece.begin = piece.end;
	}
	piece.end = piece.begin ? CT_PLACE_END : UINT64_MAX;
	return add_piece(pieces, &piece);
}

static bool cut_partition(struct ct_page_pieces *pieces, const struct ct_engine *engine,
			  const struct ct_page_piece *whole, uint32_t count, uint64_t unit)
{
	size_t most = (size_t)count * SAMPLES_PER_CUT, places;
	uint64_t *place = malloc(most * sizeof(*place));
	bool is_done;

	places = place ? sample(engine, whole->partition, place, most) : 0;
	is_done =
	    places ? cut(pieces, whole, place, places, count, unit) : add_piece(pieces, whole);
	free(place);
	return is_done;
}

/* Bytes between cuts, at least: of the largest element; a page, if it is not known that accesses
 * are elements that lie in a row. */
static uint64_t unit_of(const struct ct_engine *engine)
{
	uint64_t unit = 1;

	for (uint32_t i = 0; i < engine->sites; i++) {
		uint32_t bytes = engine->site[i].bytes;

		if (!engine->site[i].touch)
			continue;
		if (!bytes || bytes & (bytes - 1))
			return CT_PAGE_BYTES;
		unit = bytes > unit ? bytes : unit;
	}
	return unit;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct ct_page_piece *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->partition < y->partition ? -1 : x->partition > y->partition;
}

static int divide(struct ct_page_pieces *pieces, const struct ct_engine *engine)
{
	uint64_t all = 0, share, least = TOUCHES_LEAST * engine->layout.words * sizeof(uint64_t);
	uint64_t unit = unit_of(engine);
	uint32_t most = engine->is_whole ? 1 : engine->threads * PIECES_PER_THREAD;

	for (uint32_t p = 0; p < CT_TOUCH_PARTITIONS; p++)
		all += ct_shuffle_bytes(engine->touches, p);
	share = all / most + 1;
	for (uint32_t p = 0; p < CT_TOUCH_PARTITIONS; p++) {
		struct ct_page_piece whole = {.end = UINT64_MAX,
					      .bytes = ct_shuffle_bytes(engine->touches, p),
					      .partition = p};
		bool is_hot = whole.bytes >= 2 * share && whole.bytes >= least;

		if (!whole.bytes)
			continue;
		if (!(is_hot ? cut_partition(pieces, engine, &whole,
					     (uint32_t)(whole.bytes / share) + 1, unit)
			     : add_piece(pieces, &whole)))
			return -ENOMEM;
	}
	if (pieces->count)
		qsort(pieces->piece, pieces->count, sizeof(*pieces->piece), compare_pieces);
	return 0;
}

int ct_page_pieces_open(struct ct_page_pieces **out, const struct ct_engine *engine)
{
	int err;

	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	err = divide(*out, engine);
	if (err == 0)
		return 0;
	ct_page_pieces_close(*out);
	*out = NULL;
	return err;
}

void ct_page_pieces_close(struct ct_page_pieces *pieces)
{
	if (pieces)
		free(pieces->piece);
	free(pieces);
}

uint32_t ct_page_pieces_count(const struct ct_page_pieces *pieces)
{
	return (uint32_t)pieces->count;
}

const struct ct_page_piece *ct_page_piece(const struct ct_page_pieces *pieces, uint32_t number)
{
	return &pieces->piece[number];
}

bool ct_page_piece_done(struct ct_page_pieces *pieces, uint32_t number)
{
	return atomic_fetch_sub(&pieces->left[pieces->piece[number].partition], 1) == 1;
}
