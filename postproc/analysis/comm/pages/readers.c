/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which CTAs read the same bytes of a superstep: what goes to several of one device needs to
 * be sent there once. Of each granule, the list of its readers; they come in ascending order,
 * so lists share what they begin with, and equal ones have the same number.
 */
#include "postproc/analysis/comm/flows/products.h"
#include "postproc/analysis/comm/pages/page.h"
#include <errno.h>

/* The list with the CTA at hand behind. */
static uint32_t add_reader(struct ct_pages *pages, uint32_t list)
{
	struct ct_readers *of = &pages->reader_list[list];

	if (of->child && pages->reader_list[of->child].cta == pages->cta)
		return of->child;
	if (!ct_page_room(pages, &pages->reader_list, &pages->reader_list_room,
			  pages->reader_lists + 1, sizeof(*pages->reader_list)))
		return list;
	of = &pages->reader_list[list];
	of->child = (uint32_t)pages->reader_lists++;
	pages->reader_list[of->child] =
	    (struct ct_readers){.cta = pages->cta, .before = list, .count = of->count + 1};
	return of->child;
}

void ct_page_note_readers(struct ct_pages *pages, uint32_t first, uint32_t end)
{
	uint32_t before = UINT32_MAX, with = 0;

	if (!pages->is_launch)
		return;
	if (!pages->reader_lists) {
		if (!ct_page_room(pages, &pages->reader_list, &pages->reader_list_room, 1,
				  sizeof(*pages->reader_list)))
			return;
		pages->reader_list[pages->reader_lists++] = (struct ct_readers){0};
	}
	for (uint32_t i = first; i < end; i++) {
		struct ct_granule *granule = &pages->granule[i];
		uint32_t list = granule->reader_list;

		if (list != before)
			with = add_reader(pages, list);
		before = list;
		granule->reader_list = with;
	}
	first <<= pages->shift;
	end <<= pages->shift;
	pages->first_read = first < pages->first_read ? first : pages->first_read;
	pages->end_read = end > pages->end_read ? end : pages->end_read;
}

static const uint32_t *ctas_of(struct ct_pages *pages, uint32_t list)
{
	uint32_t count = pages->reader_list[list].count;

	if (!ct_page_room(pages, &pages->reader, &pages->reader_room, count + 1,
			  sizeof(*pages->reader)))
		return NULL;
	for (uint32_t at = list; at; at = pages->reader_list[at].before)
		pages->reader[--count] = pages->reader_list[at].cta;
	return pages->reader;
}

static void deliver(struct ct_pages *pages, uint32_t version, uint32_t list, uint64_t bytes)
{
	struct ct_view view = ct_page_view(pages, version);
	const uint32_t *reader = ctas_of(pages, list);

	for (uint32_t i = 0; i < view.count && reader; i++) {
		const struct ct_version *of = &pages->version[pages->visible[view.first + i]];
		const struct ct_product product = {
		    .source = of->superstep, .target = pages->superstep, .bytes = bytes};
		const uint32_t *writer;
		uint32_t writers;
		int err;

		writer = ct_writers_ctas(pages, of->writers, &writers);
		err = ct_products_add(pages->engine->deliveries, &product, writer, writers, reader,
				      pages->reader_list[list].count);
		if (err == -ENOMEM)
			__atomic_store_n(&pages->engine->deliveries_cut, true, __ATOMIC_RELAXED);
		else
			ct_page_fail(pages, err);
	}
}

static void flush(struct ct_pages *pages, struct ct_delivered *kept)
{
	if (kept->bytes)
		deliver(pages, kept->version, kept->list, kept->bytes);
	kept->bytes = 0;
}

/* Runs of few versions and lists take turns, as the rows of tiles do. */
static void gather(struct ct_pages *pages, uint32_t version, uint32_t list, uint64_t bytes)
{
	struct ct_delivered *kept = &pages->delivered[(version * 31 + list) % CT_DELIVERED];

	if (kept->version != version || kept->list != list)
		flush(pages, kept);
	kept->version = version;
	kept->list = list;
	kept->bytes += bytes;
}

void ct_page_finish_readers(struct ct_pages *pages)
{
	uint32_t end = pages->end_read >> pages->shift, next;

	for (uint32_t at = pages->first_read >> pages->shift; at < end; at = next) {
		const struct ct_granule *granule = &pages->granule[at];
		uint32_t version = CT_VERSION_OF(granule->version);

		next = at + 1;
		if (granule->read != pages->superstep_mark || !version)
			continue;
		while (next < end && pages->granule[next].read == pages->superstep_mark &&
		       pages->granule[next].reader_list == granule->reader_list &&
		       CT_VERSION_OF(pages->granule[next].version) == version)
			next++;
		gather(pages, version, granule->reader_list, (uint64_t)(next - at) << pages->shift);
	}
	for (uint32_t i = 0; i < CT_DELIVERED && pages->end_read; i++)
		flush(pages, &pages->delivered[i]);
	pages->first_read = UINT32_MAX;
	pages->end_read = 0;
	pages->reader_lists = 0;
}
