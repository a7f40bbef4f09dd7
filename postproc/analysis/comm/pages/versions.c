/* SPDX-License-Identifier: Apache-2.0 */
/* Versions of granules, those who wrote them, and what is known of both. */
#include "postproc/analysis/comm/pages/page.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COMPACT_AT ((size_t)1 << 20)
#define SLOTS_LEAST ((size_t)1 << 8)

bool ct_page_room(struct ct_pages *pages, void *array, size_t *room, size_t count, size_t size)
{
	int err = count > *room ? ct_array_reserve(array, room, count, size) : 0;

	ct_page_fail(pages, err);
	return err == 0;
}

static int make_slots(struct ct_pages *pages, size_t slots)
{
	if (slots > pages->slot_room) {
		uint32_t *bigger = malloc(slots * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		free(pages->slot);
		pages->slot = bigger;
		pages->slot_room = slots;
	}
	pages->slots = slots;
	memset(pages->slot, 0, slots * sizeof(*pages->slot));
	return 0;
}

static bool have_writers(struct ct_pages *pages, size_t count)
{
	size_t room = pages->writer_room;

	if (count <= room)
		return true;
	return ct_page_room(pages, &pages->writer_of, &room, count, sizeof(*pages->writer_of)) &&
	       ct_page_room(pages, &pages->writers, &pages->writer_room, count,
			    sizeof(*pages->writers));
}

static bool have_versions(struct ct_pages *pages, size_t count)
{
	return count <= pages->version_room ||
	       ct_page_room(pages, &pages->version, &pages->version_room, count,
			    sizeof(*pages->version));
}

static bool have_listings(struct ct_pages *pages, size_t count)
{
	return ct_page_room(pages, &pages->listing, &pages->listing_room, count,
			    sizeof(*pages->listing));
}

int ct_versions_open(struct ct_pages *pages)
{
	if (!have_writers(pages, 1) || !have_versions(pages, 1) || !have_listings(pages, 1))
		return -ENOMEM;
	ct_versions_reset(pages);
	return 0;
}

void ct_versions_close(struct ct_pages *pages)
{
	free(pages->writer_of);
	free(pages->writers);
	free(pages->version);
	free(pages->slot);
	free(pages->listing);
	free(pages->site_count);
	free(pages->listed);
	free(pages->listed_site);
}

static void forget_lists(struct ct_pages *pages)
{
	pages->listing[0] = (struct ct_listing){0};
	pages->listings = 1;
	pages->site_counts = pages->listeds = 0;
}

void ct_versions_reset(struct ct_pages *pages)
{
	pages->writer_of[0] = (struct ct_page_writer){0};
	pages->writers[0] = (struct ct_writers){0};
	pages->version[0] = (struct ct_version){0};
	pages->writer_count = pages->versions = 1;
	pages->slots = 0;
	pages->compact_at = COMPACT_AT;
	forget_lists(pages);
}

/* The lists that the CTA at hand is in front of come first among the children: CTAs ascend. */
static uint32_t find_child(const struct ct_pages *pages, uint32_t writers, uint32_t site,
			   uint32_t phase)
{
	uint32_t at = pages->writers[writers].child;

	for (; at && pages->writer_of[at].cta == pages->cta; at = pages->writers[at].sibling)
		if (pages->writer_of[at].site == site && pages->writer_of[at].phase == phase)
			return at;
	return 0;
}

uint32_t ct_writers_add(struct ct_pages *pages, uint32_t writers, uint32_t site, uint32_t phase)
{
	uint32_t number = find_child(pages, writers, site, phase);

	if (number)
		return number;
	if (pages->writer_count >= UINT32_MAX / 4 ||
	    !have_writers(pages, pages->writer_count + 1)) {
		ct_page_fail(pages, -EOVERFLOW);
		return 0;
	}
	number = (uint32_t)pages->writer_count++;
	pages->writer_of[number] = (struct ct_page_writer){pages->cta, site, phase, writers};
	pages->writers[number] = (struct ct_writers){
	    .count = pages->writers[writers].count + 1,
	    .sibling = pages->writers[writers].child,
	};
	pages->writers[writers].child = number;
	return number;
}

static bool count_site(struct ct_pages *pages, size_t first, uint32_t site)
{
	for (size_t i = first; i < pages->site_counts; i++)
		if (pages->site_count[i].site == site) {
			pages->site_count[i].writers++;
			return true;
		}
	if (!ct_page_room(pages, &pages->site_count, &pages->site_count_room,
			  pages->site_counts + 1, sizeof(*pages->site_count)))
		return false;
	pages->site_count[pages->site_counts++] = (struct ct_site_count){site, 1};
	return true;
}

static void reverse(uint32_t *list, uint32_t count)
{
	for (uint32_t i = 0; i < count / 2; i++) {
		uint32_t low = list[i];

		list[i] = list[count - 1 - i];
		list[count - 1 - i] = low;
	}
}

static void list(struct ct_pages *pages, uint32_t writers)
{
	struct ct_listing listing = {.cta = pages->listeds, .site = pages->site_counts};
	size_t at = pages->listeds;

	if (!have_listings(pages, pages->listings + 1) ||
	    !ct_page_room(pages, &pages->listed, &pages->listed_room,
			  at + pages->writers[writers].count, sizeof(*pages->listed)) ||
	    !ct_page_room(pages, &pages->listed_site, &pages->listed_site_room,
			  at + pages->writers[writers].count, sizeof(*pages->listed_site)))
		return;
	for (uint32_t w = writers; w; w = pages->writer_of[w].next) {
		const struct ct_page_writer *writer = &pages->writer_of[w];

		if (writer->site == CT_NO_SITE || !count_site(pages, listing.site, writer->site))
			continue;
		pages->listed_site[at] = writer->site;
		pages->listed[at++] = writer->cta;
	}
	listing.ctas = (uint32_t)(at - listing.cta);
	listing.sites = (uint32_t)(pages->site_counts - listing.site);
	/* Lists have the newest first. */
	reverse(pages->listed + listing.cta, listing.ctas);
	reverse(pages->listed_site + listing.cta, listing.ctas);
	pages->listeds = at;
	pages->writers[writers].listing = (uint32_t)pages->listings;
	pages->listing[pages->listings++] = listing;
}

const struct ct_listing *ct_writers_list(struct ct_pages *pages, uint32_t writers)
{
	if (!pages->writers[writers].listing)
		list(pages, writers);
	return &pages->listing[pages->writers[writers].listing];
}

static size_t hash_of(const struct ct_version *version)
{
	uint64_t a = (uint64_t)version->superstep << 32 | version->writers;
	uint64_t b = (uint64_t)version->flags << 32 | version->older;
	uint64_t h = (a ^ b * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;

	return (size_t)(h >> 20);
}

static bool is_same(const struct ct_version *a, const struct ct_version *b)
{
	return a->superstep == b->superstep && a->writers == b->writers && a->flags == b->flags &&
	       a->older == b->older;
}

static uint32_t *find_slot(const struct ct_pages *pages, const struct ct_version *version)
{
	size_t mask = pages->slots - 1, at = hash_of(version) & mask;

	while (pages->slot[at] && !is_same(&pages->version[pages->slot[at]], version))
		at = (at + 1) & mask;
	return &pages->slot[at];
}

/* Slots for what there is and some more. */
static bool hash_all(struct ct_pages *pages)
{
	size_t slots = SLOTS_LEAST;
	int err;

	while (slots < 4 * pages->versions)
		slots *= 2;
	err = make_slots(pages, slots);
	for (size_t i = 1; err == 0 && i < pages->versions; i++)
		*find_slot(pages, &pages->version[i]) = (uint32_t)i;
	ct_page_fail(pages, err);
	return err == 0;
}

static uint32_t append(struct ct_pages *pages, const struct ct_version *version)
{
	if (pages->versions >> CT_VERSION_BITS || !have_versions(pages, pages->versions + 1)) {
		ct_page_fail(pages, -EOVERFLOW);
		return 0;
	}
	pages->version[pages->versions] = *version;
	return (uint32_t)pages->versions++;
}

/* Each once, so that lists with the same end share it. */
static uint32_t intern(struct ct_pages *pages, const struct ct_version *version)
{
	uint32_t *slot;

	if (2 * (pages->versions + 1) > pages->slots && !hash_all(pages))
		return 0;
	slot = find_slot(pages, version);
	if (!*slot)
		*slot = append(pages, version);
	return *slot;
}

uint32_t ct_version_make(struct ct_pages *pages, uint32_t writers, uint32_t older)
{
	struct ct_writers *of = &pages->writers[writers];
	const struct ct_version version = {
	    .superstep = pages->superstep,
	    .writers = writers,
	    .older = older,
	    .count = of->count,
	    .last = pages->writer_of[writers],
	};

	if (!pages->is_total)
		return intern(pages, &version);
	if (of->version_mark != pages->superstep_mark) {
		of->version_mark = pages->superstep_mark;
		of->version = append(pages, &version);
	}
	return of->version;
}

uint32_t ct_version_change(struct ct_pages *pages, uint32_t version, uint32_t flags, uint32_t older)
{
	struct ct_version changed = pages->version[version];

	changed.flags = flags;
	changed.older = older;
	changed.reading_mark = 0;
	return pages->is_total ? append(pages, &changed) : intern(pages, &changed);
}

/* Moves the versions that remain to the front; kept says where. */
static void move_versions(struct ct_pages *pages, uint32_t *kept)
{
	uint32_t count = 1;

	for (uint32_t i = 0; i < CT_PAGE_BYTES >> pages->shift; i++)
		for (uint32_t at = CT_VERSION_OF(pages->granule[i].version); at && !kept[at];
		     at = pages->version[at].older)
			kept[at] = 1;
	for (size_t i = 1; i < pages->versions; i++) {
		if (!kept[i])
			continue;
		pages->version[count] = pages->version[i];
		pages->version[count].older = kept[pages->version[i].older];
		pages->version[count].reading_mark = 0;
		kept[i] = count++;
	}
	for (uint32_t i = 0; i < CT_PAGE_BYTES >> pages->shift; i++) {
		uint32_t *reference = &pages->granule[i].version;

		*reference =
		    CT_VERSION_AND(kept[CT_VERSION_OF(*reference)], CT_FLAGS_OF(*reference));
	}
	pages->versions = count;
	pages->slots = 0;
}

static void move_writers(struct ct_pages *pages, uint32_t *kept)
{
	uint32_t count = 1;

	for (size_t i = 1; i < pages->versions; i++)
		for (uint32_t at = pages->version[i].writers; at && !kept[at];
		     at = pages->writer_of[at].next)
			kept[at] = 1;
	for (size_t i = 1; i < pages->writer_count; i++) {
		if (!kept[i])
			continue;
		pages->writer_of[count] = pages->writer_of[i];
		pages->writer_of[count].next = kept[pages->writer_of[i].next];
		pages->writers[count] = (struct ct_writers){.count = pages->writers[i].count};
		kept[i] = count++;
	}
	for (size_t i = 1; i < pages->versions; i++) {
		struct ct_version *version = &pages->version[i];

		version->writers = kept[version->writers];
		version->last = pages->writer_of[version->writers];
	}
	pages->writers[0] = (struct ct_writers){0};
	pages->writer_count = count;
	forget_lists(pages);
}

void ct_versions_compact(struct ct_pages *pages)
{
	size_t count = pages->versions + pages->writer_count;
	uint32_t *of_versions, *of_writers;

	if (count < pages->compact_at)
		return;
	of_versions = calloc(pages->versions, sizeof(*of_versions));
	of_writers = calloc(pages->writer_count, sizeof(*of_writers));
	if (of_versions && of_writers) {
		move_versions(pages, of_versions);
		move_writers(pages, of_writers);
	} else {
		ct_page_fail(pages, -ENOMEM);
	}
	free(of_versions);
	free(of_writers);
	count = pages->versions + pages->writer_count;
	pages->compact_at = 2 * count > COMPACT_AT ? 2 * count : COMPACT_AT;
}
