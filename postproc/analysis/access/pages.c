/* SPDX-License-Identifier: Apache-2.0 */
/* Pages by key. */
#include "postproc/analysis/access/pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* From half to a quarter of these are used where there are pages in all the room. */
#define ENTRIES_EACH 4u

static uint64_t page_bytes(const struct ct_access_pages *pages)
{
	return sizeof(uint64_t) << pages->words_log2;
}

void ct_access_pages_init(struct ct_access_pages *pages, uint32_t words_log2, uint64_t first,
			  uint64_t bytes)
{
	*pages = (struct ct_access_pages){.words_log2 = words_log2, .first = first};
	pages->most =
	    bytes / (page_bytes(pages) + ENTRIES_EACH * sizeof(struct ct_access_page_entry));
	if (pages->most < first)
		pages->most = first;
}

void ct_access_pages_fini(struct ct_access_pages *pages)
{
	if (pages->word)
		munmap(pages->word, pages->most * page_bytes(pages));
	free(pages->entry);
	*pages = (struct ct_access_pages){.words_log2 = pages->words_log2};
}

static int open_words(struct ct_access_pages *pages)
{
	uint64_t bytes = pages->most * page_bytes(pages);
	void *opened = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (opened == MAP_FAILED)
		return -ENOMEM;
	/* Fewer misses of the TLB, where the kernel has such pages; else nothing. */
	madvise(opened, bytes, MADV_HUGEPAGE);
	pages->word = opened;
	return 0;
}

static struct ct_access_page_owner owner_of(const struct ct_access_page_entry *entry)
{
	return ct_access_page_owner((uint32_t)(entry->key[0] - 1), entry->key[1]);
}

static uint64_t number_of(const struct ct_access_page_entry *entry)
{
	return (entry->key[0] - 1) >> CT_ACCESS_LAUNCH_LOW;
}

static void put_entry(struct ct_access_pages *pages, const struct ct_access_page_entry *entry)
{
	struct ct_access_page_owner owner = owner_of(entry);

	*ct_access_pages_entry(pages, &owner, number_of(entry)) = *entry;
}

int ct_access_pages_grow(struct ct_access_pages *pages)
{
	struct ct_access_pages old = *pages;
	uint64_t room = old.room ? 2 * old.room : old.first, entries = 1;

	if (!pages->word && open_words(pages) < 0)
		return -ENOMEM;
	room = room < old.most ? room : old.most;
	while (entries < 2 * room)
		entries *= 2;
	pages->entry = calloc(entries, sizeof(*pages->entry));
	if (!pages->entry) {
		pages->entry = old.entry;
		return -ENOMEM;
	}
	pages->entries = entries;
	pages->room = room;
	for (uint64_t i = 0; i < old.entries; i++)
		if (old.entry[i].key[0])
			put_entry(pages, &old.entry[i]);
	free(old.entry);
	return 0;
}

int ct_access_pages_empty(struct ct_access_pages *pages, ct_access_page_taker take, void *user)
{
	int err = 0;

	for (uint64_t i = 0; i < pages->entries && err == 0; i++) {
		struct ct_access_page_entry *entry = &pages->entry[i];
		uint64_t *page = pages->word + (entry->page << pages->words_log2);
		struct ct_access_page_owner owner = owner_of(entry);

		if (!entry->key[0])
			continue;
		err = take(user, &owner, number_of(entry), page);
		memset(page, 0, page_bytes(pages));
		entry->key[0] = 0;
	}
	pages->used = 0;
	return err;
}

uint64_t *ct_access_pages_add(struct ct_access_pages *pages,
			      const struct ct_access_page_owner *owner, uint64_t number)
{
	struct ct_access_page_entry *entry = ct_access_pages_entry(pages, owner, number);

	*entry = (struct ct_access_page_entry){{ct_access_page_key(owner, number) + 1, owner->key1},
					       pages->used++};
	return pages->word + (entry->page << pages->words_log2);
}
