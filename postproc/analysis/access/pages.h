/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for parts of memory that accesses come back to: pages of them, by key. Keys are few enough
 * to stay in the cache, so that an access anywhere costs one miss, of which many may be under way.
 * Of one thread.
 */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_PAGES_H
#define CT_POSTPROC_ANALYSIS_ACCESS_PAGES_H

#include "base/map.h"
#include "postproc/analysis/access/engine.h"
#include <stdbool.h>

/* Whose pages they are: parts of a key of pieces (engine.h). */
struct ct_access_page_owner {
	uint64_t low, key1; /* the launch's low bits; the second word */
	uint64_t hash;
};

/* The contents of a page go on from here; it is empty behind it. 0 or an error. */
typedef int (*ct_access_page_taker)(void *user, const struct ct_access_page_owner *owner,
				    uint64_t number, const void *page);

struct ct_access_page_entry {
	uint64_t key[2]; /* the first + 1, 0: free */
	uint64_t page;
};

struct ct_access_pages {
	struct ct_access_page_entry *entry; /* by hash; NULL: none needed pages yet */
	uint64_t entries, used;
	uint64_t room, first, most; /* pages that there may be: now, to begin with, at all */
	uint32_t words_log2;        /* of a page */
	uint64_t *word;
};

/* bytes: for all of it, if the first pages take no more. Nothing is allocated yet. */
void ct_access_pages_init(struct ct_access_pages *pages, uint32_t words_log2, uint64_t first,
			  uint64_t bytes);
void ct_access_pages_fini(struct ct_access_pages *pages);
/* To the first pages, and from then on to twice as many, up to the most. 0 or -ENOMEM. */
int ct_access_pages_grow(struct ct_access_pages *pages);
int ct_access_pages_empty(struct ct_access_pages *pages, ct_access_page_taker take, void *user);
/* A page of zeros, which is not there yet; there is room for it. */
uint64_t *ct_access_pages_add(struct ct_access_pages *pages,
			      const struct ct_access_page_owner *owner, uint64_t number);

static inline struct ct_access_page_owner ct_access_page_owner(uint32_t launch, uint64_t key1)
{
	uint64_t low = launch & ((1u << CT_ACCESS_LAUNCH_LOW) - 1);

	return (struct ct_access_page_owner){low, key1, ct_map_hash(low, key1)};
}

/* The first word of keys. */
static inline uint64_t ct_access_page_key(const struct ct_access_page_owner *owner, uint64_t number)
{
	return number << CT_ACCESS_LAUNCH_LOW | owner->low;
}

static inline bool ct_access_pages_may_grow(const struct ct_access_pages *pages)
{
	return pages->room < pages->most;
}

static inline bool ct_access_pages_has_room(const struct ct_access_pages *pages, uint64_t count)
{
	return pages->used + count <= pages->room;
}

/* That of a page whose place another has, or a free one. As owners' pages are side by side, the
 * next places to look at must not be. */
static inline struct ct_access_page_entry *ct_access_pages_look(const struct ct_access_pages *pages,
								uint64_t key0, uint64_t key1)
{
	uint64_t hash = ct_map_hash(key0, key1), step = hash >> 32 | 1; /* odd: all places come */
	uint64_t at = hash & (pages->entries - 1);

	while (pages->entry[at].key[0] &&
	       (pages->entry[at].key[0] != key0 + 1 || pages->entry[at].key[1] != key1))
		at = (at + step) & (pages->entries - 1);
	return &pages->entry[at];
}

/* The entry of a page, or a free one. An owner's pages have places one after another, so that few
 * meet, and only where they do there is anything to look for. */
static inline struct ct_access_page_entry *
ct_access_pages_entry(const struct ct_access_pages *pages, const struct ct_access_page_owner *owner,
		      uint64_t number)
{
	uint64_t key0 = ct_access_page_key(owner, number);
	struct ct_access_page_entry *entry =
	    &pages->entry[(owner->hash + number) & (pages->entries - 1)];

	if (!entry->key[0] || (entry->key[0] == key0 + 1 && entry->key[1] == owner->key1))
		return entry;
	return ct_access_pages_look(pages, key0, owner->key1);
}

/* NULL: it has none. Pages have grown before. */
static inline uint64_t *ct_access_pages_find(const struct ct_access_pages *pages,
					     const struct ct_access_page_owner *owner,
					     uint64_t number)
{
	const struct ct_access_page_entry *entry = ct_access_pages_entry(pages, owner, number);

	return entry->key[0] ? pages->word + (entry->page << pages->words_log2) : NULL;
}

#endif
