/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers, in pieces. What a group has read is summed by version, then by source. Where many
 * CTAs have written what many read, no pairs are made: that goes on as a product
 * (flows/products.h).
 */
#include "postproc/analysis/comm/flows/products.h"
#include "postproc/analysis/comm/pages/page.h"
#include <errno.h>
#include <stdlib.h>

#define WIDES_MAX (1u << 20) /* that wait for the end of the superstep */
#define PRODUCTS_MAX 16u     /* of a page, between two supersteps */

/* The last one gives way to others. */
static void set_aside(struct ct_pages *pages, const struct ct_group_source *last)
{
	uint32_t at = ((uint32_t)last->who + (uint32_t)(last->who >> 32) * 61u) & (CT_SOURCES - 1);
	struct ct_group_source *source = &pages->source[at];

	if (!source->bytes && !source->loads) {
		if (!last->bytes && !last->loads)
			return;
		pages->used_source[pages->used_sources++] = (uint16_t)at;
		source->who = last->who;
	} else if (source->who != last->who) {
		ct_page_emit_group(pages, source);
		*source = (struct ct_group_source){.who = last->who};
	}
	source->bytes += last->bytes;
	source->loads += last->loads;
}

void ct_page_emit_source(struct ct_pages *pages, uint32_t superstep, uint32_t cta, uint64_t bytes,
			 uint64_t loads)
{
	uint64_t who = (uint64_t)superstep << 32 | cta;
	struct ct_group_source *last = &pages->last_source;

	if (last->who != who) {
		set_aside(pages, last);
		*last = (struct ct_group_source){.who = who};
	}
	last->bytes += bytes;
	last->loads += loads;
}

void ct_page_note_read(struct ct_pages *pages, uint32_t version, uint64_t bytes, uint64_t loads)
{
	struct ct_reading *reading = ct_page_reading(pages, version);

	if (reading->group != pages->group_mark) {
		if (!ct_page_room(pages, &pages->read, &pages->read_room, pages->reads + 1,
				  sizeof(*pages->read)))
			return;
		pages->read[pages->reads++] = version;
		reading->group = pages->group_mark;
		reading->bytes = reading->loads = 0;
	}
	reading->bytes += bytes;
	reading->loads += loads;
}

/* Not now: perhaps others have read the same. */
static bool put_off(struct ct_pages *pages, uint32_t superstep, uint32_t writers, uint64_t bytes)
{
	if (pages->wides == WIDES_MAX)
		ct_page_finish_wide(pages);
	if (!ct_page_room(pages, &pages->wide, &pages->wide_room, pages->wides + 1,
			  sizeof(*pages->wide)))
		return false;
	pages->wide[pages->wides++] =
	    (struct ct_wide_read){superstep, writers, pages->cta, (uint32_t)bytes};
	return true;
}

/* A short list is walked as it is: most are looked at once. */
static void emit_few(struct ct_pages *pages, uint32_t superstep,
		     const struct ct_page_writer *writer, uint64_t bytes, uint64_t loads)
{
	for (;; writer = &pages->writer_of[writer->next]) {
		if (writer->site != CT_NO_SITE)
			ct_page_emit_source(pages, superstep, writer->cta, bytes, loads);
		if (!writer->next)
			return;
	}
}

static void emit_version(struct ct_pages *pages, const struct ct_version *version, uint64_t bytes,
			 uint64_t loads)
{
	uint32_t superstep = version->superstep, count;
	const uint32_t *cta;

	if (version->count <= CT_FEW_WRITERS && version->count < pages->engine->many) {
		emit_few(pages, superstep, &version->last, bytes, loads);
		return;
	}
	cta = ct_writers_ctas(pages, version->writers, &count);
	if (bytes && count >= pages->engine->many && !pages->engine->options.transfers &&
	    put_off(pages, superstep, version->writers, bytes))
		return;
	for (uint32_t i = 0; i < count; i++)
		ct_page_emit_source(pages, superstep, cta[i], bytes, loads);
}

static void emit_read(struct ct_pages *pages, uint32_t version)
{
	const struct ct_reading *reading = ct_page_reading(pages, version);
	uint64_t bytes = reading->bytes, loads = reading->loads;
	struct ct_view view = reading->view;

	for (uint32_t i = 0; i < view.count; i++)
		emit_version(pages, &pages->version[pages->visible[view.first + i]], bytes, loads);
}

/* A source alone, as where anybody reads from anywhere, goes on as it is. */
static void flush_sources(struct ct_pages *pages)
{
	if (pages->used_sources)
		set_aside(pages, &pages->last_source);
	else
		ct_page_emit_group(pages, &pages->last_source);
	pages->last_source = (struct ct_group_source){0};
	for (uint32_t i = 0; i < pages->used_sources; i++) {
		struct ct_group_source *source = &pages->source[pages->used_source[i]];

		ct_page_emit_group(pages, source);
		source->bytes = source->loads = 0;
	}
	pages->used_sources = 0;
}

void ct_page_end_reads(struct ct_pages *pages)
{
	for (size_t i = 0; i < pages->reads; i++)
		emit_read(pages, pages->read[i]);
	flush_sources(pages);
	pages->reads = 0;
}

static int compare_reader(const void *a, const void *b)
{
	const struct ct_wide_read *x = a, *y = b;

	if (x->superstep != y->superstep)
		return x->superstep < y->superstep ? -1 : 1;
	if (x->writers != y->writers)
		return x->writers < y->writers ? -1 : 1;
	return x->cta < y->cta ? -1 : x->cta > y->cta;
}

static int compare_bytes(const void *a, const void *b)
{
	const struct ct_wide_read *x = a, *y = b;

	if (x->superstep != y->superstep)
		return x->superstep < y->superstep ? -1 : 1;
	if (x->writers != y->writers)
		return x->writers < y->writers ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	return x->cta < y->cta ? -1 : x->cta > y->cta;
}

/* Several versions may be by the same writers. */
static void sort_wide(struct ct_pages *pages)
{
	struct ct_wide_read *wide = pages->wide;
	size_t kept = 0;

	qsort(wide, pages->wides, sizeof(*wide), compare_reader);
	for (size_t i = 0; i < pages->wides; i++)
		if (kept && compare_reader(&wide[kept - 1], &wide[i]) == 0)
			wide[kept - 1].bytes += wide[i].bytes;
		else
			wide[kept++] = wide[i];
	pages->wides = kept;
	qsort(wide, kept, sizeof(*wide), compare_bytes);
}

/* One by one. */
static void emit_pairs(struct ct_pages *pages, const struct ct_wide_read *wide, size_t count)
{
	uint32_t writers;
	const uint32_t *cta = ct_writers_ctas(pages, wide->writers, &writers);

	for (size_t i = 0; i < count; i++)
		for (uint32_t w = 0; w < writers; w++)
			ct_page_emit_flow(pages, wide->superstep, cta[w], wide[i].cta, wide->bytes,
					  0);
}

static int compare_cta(const void *a, const void *b)
{
	const struct ct_wide_read *x = a, *y = b;

	return x->cta < y->cta ? -1 : x->cta > y->cta;
}

/* The same of many different sets of writers: what a reader has of a writer is summed first. */
static void emit_by_reader(struct ct_pages *pages, struct ct_wide_read *wide, size_t count)
{
	flush_sources(pages); /* of the group at hand, if there is one */
	qsort(wide, count, sizeof(*wide), compare_cta);
	for (size_t i = 0; i < count; i++) {
		uint32_t writers;
		const uint32_t *cta = ct_writers_ctas(pages, wide[i].writers, &writers);

		if (pages->cta != wide[i].cta)
			flush_sources(pages);
		pages->cta = wide[i].cta;
		for (uint32_t w = 0; w < writers; w++)
			ct_page_emit_source(pages, wide[i].superstep, cta[w], wide[i].bytes, 0);
	}
	flush_sources(pages);
}

static int add_product(struct ct_pages *pages, const struct ct_wide_read *wide, size_t count)
{
	uint32_t *target = malloc(count * sizeof(*target)), sources;
	const uint32_t *source = ct_writers_ctas(pages, wide->writers, &sources);
	struct ct_product product = {
	    .source = wide->superstep, .target = pages->superstep, .bytes = wide->bytes};
	int err;

	if (!target)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		target[i] = wide[i].cta;
	err = ct_products_add(pages->engine->products, &product, source, sources, target,
			      (uint32_t)count);
	free(target);
	return err;
}

/* All that was read of one superstep. */
static void finish_superstep(struct ct_pages *pages, struct ct_wide_read *wide, size_t count)
{
	uint32_t products = 0;
	size_t readers;

	for (size_t i = 0; i < count; i += ct_wide_end(&wide[i], count - i))
		products++;
	if (products > PRODUCTS_MAX) {
		if (!ct_page_emit_matrix(pages, wide, count))
			emit_by_reader(pages, wide, count);
		return;
	}
	for (size_t i = 0; i < count; i += readers) {
		readers = ct_wide_end(&wide[i], count - i);
		if (readers < pages->engine->many || add_product(pages, &wide[i], readers) < 0)
			emit_pairs(pages, &wide[i], readers);
	}
}

void ct_page_finish_wide(struct ct_pages *pages)
{
	uint32_t cta = pages->cta;
	size_t end;

	if (!pages->wides)
		return;
	sort_wide(pages);
	for (size_t i = 0; i < pages->wides; i = end) {
		for (end = i + 1;
		     end < pages->wides && pages->wide[end].superstep == pages->wide[i].superstep;
		     end++)
			;
		finish_superstep(pages, &pages->wide[i], end - i);
	}
	pages->wides = 0;
	pages->cta = cta;
}
