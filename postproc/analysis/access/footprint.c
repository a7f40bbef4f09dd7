/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of what was touched, in pages of two kinds: a few small ones, which stay in the cache, for
 * sites whose pages do not come back once they had to leave, as those of streams; large ones, as
 * many as there is memory for, for sites whose pages do. Where nothing meets in either, both are
 * passed by. */
#include "postproc/analysis/access/footprint.h"
#include "postproc/analysis/access/pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORD_SHIFT 2u     /* from bytes to words */
#define RUN_WORDS 2u      /* that an entry has */
#define WORD_BITS_LOG2 6u /* of those that pages have */

enum { SMALL, LARGE, SIZES };
static const uint32_t words_log2[SIZES] = {5, 7};
static const uint64_t first_pages[SIZES] = {1024, 512};
#define LARGE_BY_SMALL_LOG2 2u
#define NEIGHBOURS_LOG2 4u /* blocks of a small page, where bits are words */

struct room {
	struct ct_access_pages pages;
	uint64_t came, returned; /* pages, since they had room */
};

/* Counts by kind of site since its pages had room: those that were looked for, those that were
 * not there, and of these such as had been there before. Where few are there, and few come back,
 * so many extents pass them by. */
#define KINDS 1024u /* of sites; further ones share a number */
#define FEW_PART 3u
#define RETURNED_PART 4u /* from here on pages come back */
#define PASSING (1u << 15)

struct kind {
	uint64_t tried, came, returned, passing;
	uint64_t noted; /* the large page noted last; + 1 */
	uint32_t size;
	/* The page that was used last, as its entry has it: a site mostly stays for a while. */
	uint64_t key[2], *page;
};

/* Pages that were there, by a bit of their hash. */
#define KNOWN_BITS ((uint64_t)1 << 22)
#define KNOWN_MOST (KNOWN_BITS / 8) /* from here on too many bits are set: it begins anew */

struct ct_access_footprint {
	struct ct_shuffle *pieces;
	uint32_t writer;
	struct room room[SIZES];
	struct kind kind[KINDS];
	uint64_t *known;
	uint64_t knowns;
};

/* Owns all extents of a request. */
struct owner {
	struct ct_access_page_owner page;
	struct kind *kind;
	uint32_t shift; /* from bytes to bits */
};

/* The partition of a run; those of one small page have the same. */
static uint32_t partition_of(const struct ct_access_page_owner *owner, uint64_t number)
{
	bool is_words = (owner->key1 & CT_ACCESS_PART_MASK) == CT_ACCESS_PART_WORDS;
	uint64_t block = is_words ? number : number / CT_ACCESS_QUARTERS;

	return (uint32_t)(ct_map_hash(block >> NEIGHBOURS_LOG2, owner->low) >> 32) %
	       CT_ACCESS_PARTITIONS;
}

/* A run of bits, words or bytes: words are all of a block, bytes a quarter. The owner's key is of
 * words, or of the first quarter. */
static int put_run(struct ct_access_footprint *footprint, const struct ct_access_page_owner *owner,
		   uint64_t number, const uint64_t bits[RUN_WORDS], uint32_t partition)
{
	bool is_words = (owner->key1 & CT_ACCESS_PART_MASK) == CT_ACCESS_PART_WORDS;
	uint64_t block = is_words ? number : number / CT_ACCESS_QUARTERS;
	struct ct_access_entry entry = {
	    .key = {ct_access_page_key(owner, block),
		    owner->key1 | (is_words ? 0 : number % CT_ACCESS_QUARTERS)},
	    .value = {bits[0], bits[1]}};

	return ct_shuffle_put_sized(footprint->pieces, footprint->writer, partition, &entry,
				    sizeof(entry));
}

static int take_page(struct ct_access_footprint *footprint,
		     const struct ct_access_page_owner *owner, uint64_t number,
		     const uint64_t *word, uint32_t size)
{
	uint32_t words = 1u << words_log2[size], partition = 0;
	uint64_t run = number * (words / RUN_WORDS);
	int err = 0;

	for (uint32_t w = 0; w < words && err == 0; w += RUN_WORDS, run++) {
		if (w % (1u << words_log2[SMALL]) == 0)
			partition = partition_of(owner, run);
		if (word[w] | word[w + 1])
			err = put_run(footprint, owner, run, &word[w], partition);
	}
	return err;
}

static int take_small(void *user, const struct ct_access_page_owner *owner, uint64_t number,
		      const void *page)
{
	return take_page(user, owner, number, page, SMALL);
}

static int take_large(void *user, const struct ct_access_page_owner *owner, uint64_t number,
		      const void *page)
{
	return take_page(user, owner, number, page, LARGE);
}

int ct_access_footprint_open(struct ct_access_footprint **out, struct ct_shuffle *pieces,
			     uint32_t writer, uint64_t page_bytes)
{
	struct ct_access_footprint *footprint = calloc(1, sizeof(*footprint));

	*out = footprint;
	if (!footprint)
		return -ENOMEM;
	footprint->pieces = pieces;
	footprint->writer = writer;
	ct_access_pages_init(&footprint->room[SMALL].pages, words_log2[SMALL], first_pages[SMALL],
			     0);
	ct_access_pages_init(&footprint->room[LARGE].pages, words_log2[LARGE], first_pages[LARGE],
			     page_bytes);
	footprint->known = calloc(KNOWN_BITS / 64, sizeof(*footprint->known));
	return footprint->known ? 0 : -ENOMEM;
}

void ct_access_footprint_close(struct ct_access_footprint *footprint)
{
	if (!footprint)
		return;
	for (uint32_t size = 0; size < SIZES; size++)
		ct_access_pages_fini(&footprint->room[size].pages);
	free(footprint->known);
	free(footprint);
}

static int empty_room(struct ct_access_footprint *footprint, uint32_t size)
{
	struct room *room = &footprint->room[size];

	room->came = room->returned = 0;
	return ct_access_pages_empty(&room->pages, size == SMALL ? take_small : take_large,
				     footprint);
}

int ct_access_footprint_finish(struct ct_access_footprint *footprint)
{
	int err = empty_room(footprint, SMALL);

	return err == 0 ? empty_room(footprint, LARGE) : err;
}

/* Which pages sites have from now on that had those of the size. Those that had large ones show
 * again whether they need them. */
static void judge_kinds(struct ct_access_footprint *footprint, uint32_t size)
{
	for (uint32_t k = 0; k < KINDS; k++) {
		struct kind *kind = &footprint->kind[k];
		bool comes_back = kind->returned * RETURNED_PART > kind->came;

		if (kind->size != size)
			continue;
		if ((kind->tried - kind->came) * FEW_PART < kind->tried &&
		    (size == LARGE || !comes_back))
			kind->passing = PASSING;
		kind->size = size == SMALL && comes_back ? LARGE : SMALL;
		kind->tried = kind->came = kind->returned = 0;
		kind->page = NULL;
	}
}

/* For so many pages more, by more memory, or by passing on what is there. */
static int make_room(struct ct_access_footprint *footprint, uint32_t size, uint64_t count)
{
	struct room *room = &footprint->room[size];
	int err = 0;

	while (!ct_access_pages_has_room(&room->pages, count) && err == 0) {
		bool comes_back = room->returned * RETURNED_PART > room->came;

		if (ct_access_pages_may_grow(&room->pages) && (comes_back || !room->pages.room)) {
			room->came = room->returned = 0;
			err = ct_access_pages_grow(&room->pages);
			continue;
		}
		err = empty_room(footprint, size);
		judge_kinds(footprint, size);
	}
	return err;
}

/* Whether a page was there before; now it was. */
static bool know(struct ct_access_footprint *footprint, uint64_t hash)
{
	uint64_t bit = hash % KNOWN_BITS, *word = &footprint->known[bit / 64];
	bool was_there = *word >> bit % 64 & 1;

	*word |= (uint64_t)1 << bit % 64;
	footprint->knowns += !was_there;
	if (footprint->knowns >= KNOWN_MOST) {
		memset(footprint->known, 0, KNOWN_BITS / 8);
		footprint->knowns = 0;
	}
	return was_there;
}

static bool know_large(struct ct_access_footprint *footprint, uint64_t number,
		       const struct owner *owner)
{
	return know(footprint,
		    ct_map_hash(ct_access_page_key(&owner->page, number), ~owner->page.key1));
}

/* Makes a small page known, and the large one that it is in, should the site need that. */
static bool know_small(struct ct_access_footprint *footprint, uint64_t number,
		       const struct owner *owner)
{
	uint64_t large = number >> LARGE_BY_SMALL_LOG2;

	if (owner->kind->noted != large + 1)
		know_large(footprint, large, owner);
	owner->kind->noted = large + 1;
	return know(footprint,
		    ct_map_hash(ct_access_page_key(&owner->page, number), owner->page.key1));
}

static uint64_t *add_page(struct ct_access_footprint *footprint, uint32_t size, uint64_t number,
			  const struct owner *owner)
{
	struct room *room = &footprint->room[size];
	bool was_there = size == SMALL ? know_small(footprint, number, owner)
				       : know_large(footprint, number, owner);

	owner->kind->came++;
	owner->kind->returned += was_there;
	room->came++;
	room->returned += was_there;
	return ct_access_pages_add(&room->pages, &owner->page, number);
}

/* There is room. */
static inline uint64_t *page_of(struct ct_access_footprint *footprint, uint32_t size,
				uint64_t number, const struct owner *owner)
{
	uint64_t *page = ct_access_pages_find(&footprint->room[size].pages, &owner->page, number);

	owner->kind->tried++;
	return page ? page : add_page(footprint, size, number, owner);
}

/* count bits from one on. */
static inline void set_bits(uint64_t *bits, uint64_t from, uint64_t count)
{
	while (from % 64 + count > 64) {
		uint64_t own = 64 - from % 64;

		bits[from / 64] |= UINT64_MAX << from % 64;
		from += own;
		count -= own;
	}
	bits[from / 64] |= UINT64_MAX >> (64 - count) << from % 64;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Adds the rest of an extent, beyond the page that it begins in. */
static int add_rest(struct ct_access_footprint *footprint, uint32_t size,
		    const struct ct_access_extent *extent, const struct owner *owner)
{
	uint32_t log2 = words_log2[size] + WORD_BITS_LOG2;
	uint64_t at = extent->begin >> owner->shift, end = extent->end >> owner->shift;
	int err = 0;

	for (uint64_t number = (at >> log2) + 1; number << log2 < end && err == 0; number++) {
		err = make_room(footprint, size, 1);
		if (err == 0)
			set_bits(page_of(footprint, size, number, owner), 0,
				 least(end - (number << log2), (uint64_t)1 << log2));
	}
	return err;
}

static inline uint64_t first_bit(const struct ct_access_request *request, uint32_t i,
				 const struct owner *owner)
{
	return request->extent[i].begin >> owner->shift;
}

static inline uint64_t count_of_bits(const struct ct_access_request *request, uint32_t i,
				     const struct owner *owner)
{
	return (request->extent[i].end >> owner->shift) - first_bit(request, i, owner);
}

/* Where all of the request is in the site's last page: false if it is not. */
static inline __attribute__((always_inline)) bool
add_to_last_page(const struct ct_access_request *request, const struct owner *owner, uint32_t size)
{
	uint32_t log2 = words_log2[size] + WORD_BITS_LOG2;
	const struct kind *kind = owner->kind;
	uint64_t end = request->extent[request->extents - 1].end >> owner->shift;
	uint64_t number = first_bit(request, 0, owner) >> log2;

	if ((end - 1) >> log2 != number || kind->key[1] != owner->page.key1 ||
	    kind->key[0] != ct_access_page_key(&owner->page, number))
		return false;
	for (uint32_t i = 0; i < request->extents; i++) {
		uint64_t count = count_of_bits(request, i, owner);

		if (count) /* ranges may have no bytes */
			set_bits(kind->page, first_bit(request, i, owner) & ((1u << log2) - 1),
				 count);
	}
	return true;
}

/* All pages are looked up and asked for before the first is waited for. */
static inline __attribute__((always_inline)) int
add_to_pages(struct ct_access_footprint *footprint, const struct ct_access_request *request,
	     const struct owner *owner, uint32_t size)
{
	uint32_t log2 = words_log2[size] + WORD_BITS_LOG2;
	uint64_t last = UINT64_MAX, *page = NULL, *pages[CT_WARP_LANES];
	uint64_t room = (uint64_t)1 << log2;
	bool is_more = false;
	int err = 0;

	for (uint32_t i = 0; i < request->extents; i++) {
		uint64_t at = first_bit(request, i, owner);

		if (at >> log2 != last)
			page = page_of(footprint, size, at >> log2, owner);
		last = at >> log2;
		pages[i] = page;
		__builtin_prefetch(&page[at % room / 64], 1);
	}
	for (uint32_t i = 0; i < request->extents; i++) {
		uint64_t at = first_bit(request, i, owner);
		uint64_t count = count_of_bits(request, i, owner);

		if (count)
			set_bits(pages[i], at % room, least(count, room - at % room));
		is_more |= at % room + count > room;
	}
	owner->kind->page = page;
	owner->kind->key[0] = ct_access_page_key(&owner->page, last);
	owner->kind->key[1] = owner->page.key1;
	for (uint32_t i = 0; is_more && i < request->extents && err == 0; i++)
		err = add_rest(footprint, size, &request->extent[i], owner);
	return err;
}

/* Run by run. */
static int pass_pages_by(struct ct_access_footprint *footprint,
			 const struct ct_access_request *request, const struct owner *owner)
{
	uint64_t held = UINT64_MAX, bits[RUN_WORDS] = {0};
	int err = 0;

	for (uint32_t i = 0; i < request->extents; i++) {
		uint64_t at = request->extent[i].begin >> owner->shift;
		uint64_t end = request->extent[i].end >> owner->shift;

		while (at < end && err == 0) {
			uint64_t number = at / (64 * RUN_WORDS), from = at % (64 * RUN_WORDS);
			uint64_t count = least(end - at, 64 * RUN_WORDS - from);

			if (number != held && held != UINT64_MAX)
				err = put_run(footprint, &owner->page, held, bits,
					      partition_of(&owner->page, held));
			if (number != held)
				bits[0] = bits[1] = 0;
			held = number;
			set_bits(bits, from, count);
			at += count;
		}
	}
	return held == UINT64_MAX || err < 0
		   ? err
		   : put_run(footprint, &owner->page, held, bits, partition_of(&owner->page, held));
}

static bool has_whole_words(const struct ct_access_request *request)
{
	uint64_t any = 0;

	for (uint32_t i = 0; i < request->extents; i++)
		any |= request->extent[i].begin | request->extent[i].end;
	return any % (1u << WORD_SHIFT) == 0;
}

static int add_anywhere(struct ct_access_footprint *footprint,
			const struct ct_access_request *request, const struct owner *owner)
{
	struct kind *kind = owner->kind;
	uint32_t size;
	int err;

	if (kind->passing) {
		kind->passing -= least(kind->passing, request->extents);
		return pass_pages_by(footprint, request, owner);
	}
	do { /* the site may have others behind it */
		size = kind->size;
		err = make_room(footprint, size, request->extents);
	} while (err == 0 && size != kind->size);
	if (err < 0)
		return err;
	return size == SMALL ? add_to_pages(footprint, request, owner, SMALL)
			     : add_to_pages(footprint, request, owner, LARGE);
}

int ct_access_footprint_add(struct ct_access_footprint *footprint,
			    const struct ct_access_request *request, uint32_t launch,
			    uint32_t group, uint32_t site)
{
	bool is_words = has_whole_words(request);
	struct kind *kind = &footprint->kind[site % KINDS];
	uint64_t key1 = ct_access_entry_owner(launch, group, site);
	struct owner owner = {
	    .page = ct_access_page_owner(launch, key1 | (is_words ? CT_ACCESS_PART_WORDS : 0)),
	    .kind = kind,
	    .shift = is_words ? WORD_SHIFT : 0};

	if (kind->page && (kind->size == SMALL ? add_to_last_page(request, &owner, SMALL)
					       : add_to_last_page(request, &owner, LARGE))) {
		kind->tried++;
		return 0;
	}
	return add_anywhere(footprint, request, &owner);
}
