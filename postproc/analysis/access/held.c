/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics that wait for others at their address: counters in pages, one for each word of four
 * bytes, of a byte, so that many of them stay in the cache; what is too much for it goes on. An
 * address that is no multiple of four is in pages of others that are as far off, which the key's
 * part tells. */
#include "postproc/analysis/access/held.h"
#include "postproc/analysis/access/pages.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE_WORDS_LOG2 7u
#define COUNTERS_LOG2 (PAGE_WORDS_LOG2 + 3) /* of a page, eight in a word */
#define COUNTERS (1u << COUNTERS_LOG2)
#define COUNT_MOST (UINT8_MAX - CT_WARP_LANES) /* to which a request can be added */
#define FIRST_PAGES 512u
#define STEP 4u /* bytes */

#define KINDS 1024u /* of sites; further ones share a number */

/* How well it pays to count those of a site: of addresses that come in a period, few came before
 * (adds all over memory), and the next of the site pass, but for some that ask again. */
#define PERIOD (1u << 16)
#define AGAIN_MIN (PERIOD / 64)
#define PASSING (4 * PERIOD)

struct kind {
	uint32_t tried, again, passing;
};

struct ct_access_held {
	struct ct_shuffle *shuffle;
	uint32_t writer;
	struct ct_access_pages pages;
	struct kind kind[KINDS];
};

int ct_access_held_open(struct ct_access_held **out, struct ct_shuffle *atomics, uint32_t writer,
			uint64_t page_bytes)
{
	struct ct_access_held *held = calloc(1, sizeof(*held));

	*out = held;
	if (!held)
		return -ENOMEM;
	held->shuffle = atomics;
	held->writer = writer;
	ct_access_pages_init(&held->pages, PAGE_WORDS_LOG2, FIRST_PAGES, page_bytes);
	return 0;
}

void ct_access_held_close(struct ct_access_held *held)
{
	if (held)
		ct_access_pages_fini(&held->pages);
	free(held);
}

static int pass_on(struct ct_access_held *held, uint32_t launch, uint64_t address, uint64_t lanes,
		   uint32_t site)
{
	const struct ct_access_entry entry = {{launch, address}, {lanes, site}};
	uint32_t partition = (uint32_t)(ct_map_hash(launch, address) >> 32) % CT_ACCESS_PARTITIONS;

	return ct_shuffle_put_sized(held->shuffle, held->writer, partition, &entry, sizeof(entry));
}

static int take_page(void *user, const struct ct_access_page_owner *owner, uint64_t number,
		     const void *page)
{
	const struct ct_access_entry key = {.key = {owner->low, owner->key1}};
	uint64_t first = (number << COUNTERS_LOG2) * STEP + (owner->key1 & CT_ACCESS_PART_MASK);
	const uint64_t *word = page;
	int err = 0;

	for (uint32_t i = 0; i < COUNTERS && err == 0; i++) {
		uint8_t lanes = ((const uint8_t *)page)[i];

		if (!word[i / 8])
			i |= 7; /* none of its eight */
		else if (lanes)
			err = pass_on(user, ct_access_entry_launch(&key), first + i * STEP, lanes,
				      ct_access_entry_site(&key));
	}
	return err;
}

int ct_access_held_finish(struct ct_access_held *held)
{
	return ct_access_pages_empty(&held->pages, take_page, held);
}

/* Whether they pass. */
static bool passes(struct kind *kind, uint32_t count)
{
	if (kind->passing) {
		kind->passing -= kind->passing < count ? kind->passing : count;
		return true;
	}
	if (kind->tried >= PERIOD) {
		kind->passing = kind->again < AGAIN_MIN ? PASSING : 0;
		kind->tried = kind->again = 0;
	}
	kind->tried += count;
	return false;
}

/* A counter for each of the meetings, asked for. */
static void find_counters(struct ct_access_held *held, const struct ct_access_meeting *meeting,
			  uint32_t count, uint32_t launch, uint32_t site, uint8_t **counter)
{
	struct ct_access_page_owner owner = {.key1 = 0};
	uint64_t last = UINT64_MAX;
	uint64_t *page = NULL;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t number = meeting[i].address / STEP >> COUNTERS_LOG2;
		uint64_t key1 = ct_access_entry_owner(launch, 0, site) | meeting[i].address % STEP;

		if (!page || number != last || key1 != owner.key1) {
			owner = ct_access_page_owner(launch, key1);
			page = ct_access_pages_find(&held->pages, &owner, number);
			if (!page)
				page = ct_access_pages_add(&held->pages, &owner, number);
		}
		last = number;
		counter[i] = (uint8_t *)page + meeting[i].address / STEP % COUNTERS;
		__builtin_prefetch(counter[i], 1);
	}
}

int ct_access_held_add(struct ct_access_held *held, const struct ct_access_meeting *meeting,
		       uint32_t count, uint32_t launch, uint32_t site)
{
	struct kind *kind = &held->kind[site % KINDS];
	uint8_t *counter[CT_WARP_LANES];
	int err = 0;

	if (passes(kind, count)) {
		for (uint32_t i = 0; i < count && err == 0; i++)
			err = pass_on(held, launch, meeting[i].address, meeting[i].lanes, site);
		return err;
	}
	while (!ct_access_pages_has_room(&held->pages, count) && err == 0)
		err = ct_access_pages_may_grow(&held->pages)
			  ? ct_access_pages_grow(&held->pages)
			  : ct_access_pages_empty(&held->pages, take_page, held);
	if (err < 0)
		return err;
	find_counters(held, meeting, count, launch, site, counter);
	for (uint32_t i = 0; i < count && err == 0; i++) {
		kind->again += *counter[i] != 0;
		*counter[i] = (uint8_t)(*counter[i] + meeting[i].lanes);
		if (*counter[i] <= COUNT_MOST)
			continue;
		err = pass_on(held, launch, meeting[i].address, *counter[i], site);
		*counter[i] = 0;
	}
	return err;
}
