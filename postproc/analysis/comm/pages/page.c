/* SPDX-License-Identifier: Apache-2.0 */
/* Walk over sorted touches: pages, supersteps in them, CTAs in these. */
#include "postproc/analysis/comm/pages/page.h"
#include "postproc/analysis/comm/pages/pieces.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define SLOTS_LEAST 256u

/* As many as wanted, if a sixteenth of the memory allows. */
static uint64_t count_slots(const struct ct_engine *engine, uint64_t wanted, size_t bytes)
{
	uint64_t most = engine->memory_bytes / 16 / engine->threads / bytes, count = SLOTS_LEAST;

	while (count < wanted && 2 * count <= most)
		count *= 2;
	return count;
}

/* Zeros, on large pages, as they are accessed all over the place. */
static void *allocate_slots(uint64_t count, size_t bytes)
{
	size_t size = (count * bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	void *slots = aligned_alloc(HUGE_PAGE, size);

	if (!slots)
		return NULL;
	madvise(slots, size, MADV_HUGEPAGE);
	return memset(slots, 0, size);
}

static int open_slots(struct ct_pages *pages)
{
	const struct ct_engine *engine = pages->engine;
	uint64_t ctas = engine->launched_ctas;
	uint64_t pairs =
	    ctas && engine->ctas > UINT64_MAX / ctas ? UINT64_MAX : ctas * engine->ctas;
	uint64_t volumes = count_slots(engine, ctas, sizeof(*pages->cached));
	uint64_t flows = count_slots(engine, pairs, sizeof(*pages->kept));

	pages->keeps_flows = pairs / 4 <= flows;
	if (!pages->keeps_flows)
		flows = 1;
	pages->cached_mask = volumes - 1;
	pages->cached = allocate_slots(volumes, sizeof(*pages->cached));
	pages->kept_mask = flows - 1;
	pages->kept = allocate_slots(flows, sizeof(*pages->kept));
	return pages->cached && pages->kept ? 0 : -ENOMEM;
}

int ct_pages_open(struct ct_pages **out, struct ct_engine *engine, struct ct_sums *sums,
		  uint32_t writer)
{
	struct ct_pages *pages = calloc(1, sizeof(*pages));

	*out = NULL;
	if (!pages)
		return -ENOMEM;
	*pages =
	    (struct ct_pages){.engine = engine, .sums = sums, .number = writer, .page = UINT64_MAX};
	pages->object = CT_NONE;
	pages->granule = allocate_slots(CT_PAGE_BYTES + CT_GRANULES_SPARE, sizeof(*pages->granule));
	pages->last_readers = malloc(CT_PAGE_BYTES * sizeof(*pages->last_readers));
	*out = pages;
	if (open_slots(pages) < 0 || ct_versions_open(pages) < 0 || !pages->granule ||
	    !pages->last_readers) {
		ct_pages_close(pages);
		*out = NULL;
		return -ENOMEM;
	}
	return 0;
}

int ct_pages_close(struct ct_pages *pages)
{
	int err = 0;

	if (!pages)
		return 0;
	if (pages->granule && pages->cached && pages->kept) {
		ct_page_emit_rest(pages);
		err = pages->err;
	}
	ct_versions_close(pages);
	free(pages->reader_list);
	free(pages->reader);
	free(pages->last_readers);
	free(pages->wide);
	free(pages->read);
	free(pages->reading);
	free(pages->visible);
	free(pages->group);
	free(pages->sorted);
	free(pages->places);
	free(pages->kept);
	free(pages->cached);
	free(pages->granule);
	free(pages);
	return err;
}

/* A generation that no mark has. */
static uint32_t next_mark(struct ct_pages *pages)
{
	return ++pages->generation;
}

/* Long before generations run out, between supersteps. */
static void renew_marks(struct ct_pages *pages)
{
	if (pages->generation < UINT32_MAX / 2)
		return;
	for (uint32_t i = 0; i < CT_PAGE_BYTES; i++)
		pages->granule[i] = (struct ct_granule){.version = pages->granule[i].version};
	for (size_t i = 1; i < pages->versions; i++)
		pages->version[i].reading_mark = 0;
	for (size_t i = 1; i < pages->writer_count; i++)
		pages->writers[i].version_mark = 0;
	pages->generation = 0;
}

/* Halve granules until ranges that begin and end there are a whole number of them. */
static void refine(struct ct_pages *pages, uint32_t edges)
{
	unsigned shift = (unsigned)__builtin_ctz(edges), by;

	if (shift >= pages->shift)
		return;
	by = pages->shift - shift;
	for (uint32_t i = CT_PAGE_BYTES >> shift; i-- > 0;)
		pages->granule[i] = pages->granule[i >> by];
	for (uint32_t i = CT_PAGE_BYTES >> shift; i-- > 0;)
		pages->last_readers[i] = pages->last_readers[i >> by];
	pages->shift = shift;
}

static void begin_page(struct ct_pages *pages, uint64_t page, uint32_t part)
{
	pages->page = page;
	pages->object_end = 0;
	pages->part = part;
	pages->shift = CT_PAGE_BITS;
	pages->granule[0] = (struct ct_granule){0};
	pages->last_readers[0] = (struct ct_page_readers){{0, 0}, {0, 0}};
	ct_versions_reset(pages);
}

static void end_superstep(struct ct_pages *pages)
{
	ct_page_finish_wide(pages);
	ct_page_finish_readers(pages);
	ct_page_apply(pages);
	ct_versions_compact(pages);
	pages->visibles = pages->readings = 0;
	pages->superstep = CT_NO_SUPERSTEP;
}

static void end_page(struct ct_pages *pages)
{
	if (pages->page == UINT64_MAX)
		return;
	end_superstep(pages);
	ct_page_retire(pages);
	pages->page = UINT64_MAX;
}

/* Processes have address spaces of their own; supersteps of one follow each other. */
static void move_to(struct ct_pages *pages, const struct ct_touch *touch)
{
	uint32_t part = pages->engine->step[touch->superstep].part;

	if (touch->page != pages->page || part != pages->part) {
		end_page(pages);
		begin_page(pages, touch->page, part);
	} else if (touch->superstep != pages->superstep) {
		end_superstep(pages);
	} else {
		return;
	}
	pages->superstep = touch->superstep;
	pages->is_launch = ct_page_is_launch(pages, touch->superstep);
	pages->is_total = pages->engine->step[touch->superstep].is_total;
	renew_marks(pages);
	pages->superstep_mark = next_mark(pages);
	if (pages->has_plain)
		memset(pages->plain, 0, sizeof(pages->plain));
	pages->has_plain = false;
}

static bool is_atomic(const struct ct_pages *pages, const struct ct_touch *touch)
{
	return touch->site != CT_NO_SITE &&
	       pages->engine->site[touch->site].touch == (CT_TOUCH_READ | CT_TOUCH_WRITE);
}

static void note_plain(struct ct_pages *pages)
{
	for (size_t i = 0; i < pages->grouped; i++) {
		const struct ct_touch *touch = &pages->group[i];

		if (is_atomic(pages, touch))
			continue;
		pages->has_plain = true;
		for (uint32_t word = touch->first / 64; word <= touch->last / 64u; word++) {
			uint32_t begin = word == touch->first / 64u ? touch->first % 64u : 0;
			uint32_t end = word == touch->last / 64u ? touch->last % 64u : 63;

			pages->plain[word] |= UINT64_MAX << begin & UINT64_MAX >> (63 - end);
		}
	}
}

static void count_object(struct ct_pages *pages, const struct ct_touch *touch)
{
	uint32_t end = (uint32_t)touch->last + 1, here;

	for (uint32_t at = touch->first; at < end; at += here) {
		uint64_t bytes;

		here = ct_page_select_object(pages, pages->superstep, at, end);
		bytes = (uint64_t)here * touch->times;
		pages->object_loads += touch->kind & CT_TOUCH_READ ? bytes : 0;
		pages->object_stores += touch->kind & CT_TOUCH_WRITE ? bytes : 0;
	}
}

/* One access of a warp: all its lanes read before any of them writes. */
static void take_access(struct ct_pages *pages, const struct ct_touch *touch, size_t count,
			uint32_t warp_mark)
{
	for (size_t i = 0; i < count; i++) {
		if (touch[i].site != CT_NO_SITE)
			count_object(pages, &touch[i]);
		if (touch[i].kind & CT_TOUCH_READ)
			ct_page_read(pages, &touch[i], warp_mark);
	}
	for (size_t i = 0; i < count; i++)
		if (touch[i].kind & CT_TOUCH_WRITE)
			ct_page_write(pages, &touch[i], warp_mark);
}

static void begin_group(struct ct_pages *pages)
{
	pages->grouped = 0;
	pages->group_kinds = pages->group_edges = 0;
	pages->is_sorted = true;
}

static void end_reads(struct ct_pages *pages)
{
	ct_page_end_reads(pages);
	if (pages->communicated_bytes)
		ct_page_emit_volume(pages, pages->superstep, pages->cta, pages->communicated_bytes,
				    0);
	if (pages->others_bytes)
		ct_page_emit_others(pages, pages->superstep, pages->others_bytes, 0);
	pages->communicated_bytes = pages->others_bytes = 0;
	ct_page_flush_run(pages);
}

/* One CTA's touches of the page in one superstep. */
static void take_group(struct ct_pages *pages)
{
	struct ct_touch *touch = pages->group;
	size_t count = pages->grouped, end;
	uint32_t kinds = pages->group_kinds, warp = UINT32_MAX, warp_mark = 0;

	move_to(pages, touch);
	refine(pages, pages->group_edges);
	/* A warp reads what it has itself written before; and of several loads of a
	 * byte, the first one counts as the one that took it. */
	if (!pages->is_sorted) {
		ct_page_fail(pages, ct_page_sort_group(pages));
		touch = pages->group;
	}
	if (pages->is_launch && pages->engine->has_atomics)
		note_plain(pages);
	pages->cta = touch->cta;
	pages->has_strides = ct_page_has_strides(pages, touch->cta);
	pages->group_mark = next_mark(pages);
	for (size_t i = 0; i < count; i = end) {
		uint32_t its_warp = (uint32_t)(touch[i].order >> CT_ORDER_BITS);

		for (end = i + 1; end < count && touch[end].order == touch[i].order; end++)
			;
		/* Without reads and writes there is nothing to mark as a warp's own. */
		if (kinds & CT_TOUCH_READ && kinds & CT_TOUCH_WRITE && its_warp != warp) {
			warp = its_warp;
			warp_mark = next_mark(pages);
		}
		take_access(pages, &touch[i], end - i, warp_mark);
	}
	if (kinds & CT_TOUCH_WRITE)
		ct_page_end_writes(pages);
	end_reads(pages);
	begin_group(pages);
}

static int grow_group(struct ct_pages *pages)
{
	size_t room = pages->group_room ? 2 * pages->group_room : 64;
	struct ct_touch *bigger = realloc(pages->group, room * sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	pages->group = bigger;
	pages->group_room = room;
	return 0;
}

/* Touches of one access are in the order of this. */
static inline uint32_t bytes_of(const struct ct_touch *touch)
{
	return (uint32_t)touch->first << CT_PAGE_BITS | touch->last;
}

static inline void note_touch(struct ct_pages *pages, const struct ct_touch *touch)
{
	const struct ct_touch *last = touch - (pages->grouped > 1);

	pages->group_kinds |= touch->kind;
	pages->group_edges |= touch->first | ((uint32_t)touch->last + 1);
	pages->is_sorted &= (last->order < touch->order) |
			    ((last->order == touch->order) & (bytes_of(last) <= bytes_of(touch)));
	__builtin_prefetch(&pages->granule[touch->first >> pages->shift], 1);
	if (pages->grouped == 1)
		__builtin_prefetch(ct_page_volume_of(pages, touch->superstep, touch->cta), 1);
}

/* Leave of it what lies in the piece. False: an element lies across an end of it. */
static bool clip(const struct ct_pages *pages, uint64_t page, struct ct_touch *touch)
{
	const struct ct_page_piece *piece = pages->piece;
	uint32_t element = ct_page_element(pages, touch->site, 1);
	uint64_t start = ct_page_start(touch, element), at;
	bool fits = true;

	if (piece->end <= page + touch->last) {
		at = piece->end - page;
		fits = (at - start) % element == 0;
		touch->last = (uint16_t)(at - 1);
	}
	if (piece->begin > page + touch->first) {
		at = piece->begin - page;
		fits &= (at - start) % element == 0;
		touch->first = (uint16_t)at;
		touch->kind &= (uint8_t)~CT_TOUCH_GOES_ON;
	}
	return fits;
}

/* A group is what has the same key: page, superstep, CTA. */
static int take_batch(void *user, void *records, size_t count)
{
	struct ct_pages *pages = user;
	const struct ct_touch_layout layout = pages->engine->layout;
	const uint64_t *packed = records;
	bool is_cut = !ct_page_piece_is_whole(pages->piece);
	uint64_t mask[2];

	ct_touch_key(&layout, mask);
	for (size_t i = 0; i < count; i++, packed += layout.words) {
		uint64_t high = packed[0] & mask[0], low = packed[1] & mask[1];
		struct ct_touch *touch;

		if (pages->grouped && (high != pages->key[0] || low != pages->key[1]))
			take_group(pages);
		pages->key[0] = high;
		pages->key[1] = low;
		if (pages->grouped == pages->group_room && grow_group(pages) < 0)
			return -ENOMEM;
		touch = &pages->group[pages->grouped++];
		ct_touch_unpack(&layout, touch, packed, pages->piece->partition);
		if (is_cut && !clip(pages, packed[0] >> 43 << CT_PAGE_BITS, touch))
			return -EDOM;
		note_touch(pages, touch);
	}
	return pages->err;
}

static bool is_in_piece(const void *user, const void *record)
{
	const struct ct_page_piece *piece = user;
	const uint64_t *word = record;
	uint64_t first = ct_touch_place(word);
	uint64_t last = (first & ~(uint64_t)(CT_PAGE_BYTES - 1)) | (word[1] & (CT_PAGE_BYTES - 1));

	return first < piece->end && last >= piece->begin;
}

int ct_pages_take(struct ct_pages *pages, uint32_t number)
{
	const struct ct_page_piece *piece = ct_page_piece(pages->engine->pieces, number);
	const struct ct_shuffle_choice choice = {is_in_piece, piece};
	struct ct_shuffle *touches = pages->engine->touches;
	int err;

	pages->piece = piece;
	begin_group(pages);
	err = ct_shuffle_each_of(touches, piece->partition,
				 ct_page_piece_is_whole(piece) ? NULL : &choice, take_batch, pages);
	if (err == 0 && pages->grouped)
		take_group(pages);
	end_page(pages);
	if (ct_page_piece_done(pages->engine->pieces, number))
		ct_shuffle_drop(touches, piece->partition);
	return err == 0 ? pages->err : err;
}
