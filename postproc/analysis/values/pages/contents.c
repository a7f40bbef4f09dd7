/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what objects hold, as sums of hashes. */
#include "postproc/analysis/values/pages/contents.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/pages/cells.h"
#include "postproc/analysis/values/pages/page.h"

#include <errno.h>
#include <stdlib.h>

#define WORD CT_PAGE_WORD

static uint64_t hash_of(uint64_t index, uint64_t word)
{
	uint64_t hash = (word ^ index * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;

	hash = (hash ^ hash >> 32) * 0xbf58476d1ce4e5b9u;
	return hash ^ hash >> 29;
}

/* Knowledge of an object counts from there on. */
static uint32_t floor_of(const struct ct_value_engine *engine, uint32_t object, uint32_t step)
{
	uint32_t allocated_at = engine->object[object].allocated_at,
		 floor = engine->step[step].floor;

	return allocated_at > floor ? allocated_at : floor;
}

/* By word of the page: all of its bytes are known. */
static void find_known(const struct ct_value_page *page, uint32_t floor,
		       uint8_t known[CT_VALUE_PAGE_BYTES / WORD])
{
	for (size_t i = 0; i < CT_VALUE_PAGE_BYTES / WORD; i++) {
		const uint32_t *since = page->known + i * WORD;
		uint32_t least = since[0];

		for (size_t byte = 1; byte < WORD; byte++)
			least = since[byte] < least ? since[byte] : least;
		known[i] = least > floor;
	}
}

/* A last word that is cut by the object's end is not known as a whole; its own bytes may be. */
static bool is_known(const struct ct_value_page *page, uint32_t offset, uint32_t bytes,
		     uint32_t floor)
{
	for (uint32_t i = 0; i < bytes; i++)
		if (page->known[offset + i] <= floor)
			return false;
	return true;
}

static int add_change(struct ct_value_page *page, const struct ct_history_part *part,
		      uint64_t before_hash, uint32_t before_bytes)
{
	if (part->hash == before_hash && part->known == before_bytes)
		return 0;
	return ct_sums_add(page->sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_CONTENT, part->object),
			   page->at.step, part->hash - before_hash,
			   (uint64_t)part->known - before_bytes);
}

/* The sum's change by the words that were kept, of a part whose sum is known. */
static void note_kept(const struct ct_value_page *page, struct ct_history_part *part,
		      uint64_t first_index)
{
	for (uint32_t i = 0; i < page->kept; i++) {
		const struct ct_value_was *was = &page->was[i];
		uint32_t at = was->word * WORD;
		uint64_t index = first_index + (at - part->start) / WORD, word;

		if (at < part->start || at >= part->end)
			continue;
		memcpy(&word, page->content + at, WORD);
		if (was->since > part->floor) {
			part->hash -= hash_of(index, was->content);
			part->known -= WORD;
		}
		if (is_known(page, at, WORD, part->floor)) {
			part->hash += hash_of(index, word);
			part->known += WORD;
		}
	}
}

static int note_part(struct ct_value_page *page, struct ct_history_part *part)
{
	const struct ct_value_engine *engine = page->engine;
	const struct ct_event_alloc *alloc = engine->first_object[part->object].event;
	uint64_t index =
	    ((page->at.page << CT_VALUE_PAGE_BITS) + part->start - alloc->address) / WORD;
	uint64_t hash = 0, before_hash = part->hash, word;
	uint32_t floor = floor_of(engine, part->object, page->at.step), bytes = 0;
	uint32_t before_bytes = part->known,
		 whole = part->start + (part->end - part->start) / WORD * WORD;
	uint8_t known[CT_VALUE_PAGE_BYTES / WORD];
	uint32_t at = part->start;

	if (!engine->object[part->object].is_device || alloc->address % WORD)
		return 0;
	if (part->floor != floor)
		before_hash = before_bytes = 0;
	if (!page->is_changed && part->is_known && part->floor == floor &&
	    !((part->start | part->end) % WORD)) {
		note_kept(page, part, index);
		return add_change(page, part, before_hash, before_bytes);
	}
	find_known(page, floor, known);
	if (!memchr(known, true, sizeof(known)))
		at = whole; /* behind a copy, mostly */
	for (; at < whole; at += WORD, index++) {
		memcpy(&word, page->content + at, WORD);
		hash += known[at / WORD] ? hash_of(index, word) : 0;
		bytes += known[at / WORD] ? WORD : 0;
	}
	if (whole < part->end && is_known(page, whole, part->end - whole, floor)) {
		word = 0;
		memcpy(&word, page->content + whole, part->end - whole);
		hash += hash_of(index, word);
		bytes += part->end - whole;
	}
	part->hash = hash;
	part->known = bytes;
	part->floor = floor;
	part->is_known = true;
	return add_change(page, part, before_hash, before_bytes);
}

int ct_page_note_contents(struct ct_value_page *page)
{
	int err = 0;

	bool is_changed = page->is_changed || page->kept;

	for (size_t i = 0; i < page->history.parts && is_changed && err == 0; i++)
		err = note_part(page, &page->history.part[i]);
	page->is_changed = false;
	page->kept = 0;
	memset(page->is_kept, 0, sizeof(page->is_kept));
	return err;
}

void ct_value_contents_add(struct ct_value_contents *contents, const struct ct_sum *sum)
{
	contents->fact = contents->fact ? contents->fact : sum;
	contents->facts++;
}

static uint32_t object_of(const struct ct_sum *sum)
{
	return (uint32_t)sum->key[0];
}

static uint32_t step_of(const struct ct_sum *sum)
{
	return (uint32_t)sum->key[1];
}

static int compare_steps(const void *a, const void *b)
{
	const struct ct_sum *x = *(const struct ct_sum *const *)a,
			    *y = *(const struct ct_sum *const *)b;

	if (step_of(x) != step_of(y))
		return step_of(x) < step_of(y) ? -1 : 1;
	return object_of(x) < object_of(y) ? -1 : object_of(x) > object_of(y);
}

/* The content of an object, as far as the facts have been looked at. */
struct content {
	uint64_t hash, bytes;
	uint32_t floor;
};

struct comparison {
	const struct ct_value_engine *engine;
	struct content *content; /* by object */
	struct ct_map holder;    /* by hash and bytes: one more than an object */
};

static bool is_whole(const struct comparison *comparison, uint32_t object, uint32_t step)
{
	const struct ct_value_engine *engine = comparison->engine;
	const struct content *content = &comparison->content[object];

	return engine->object[object].freed_at > step &&
	       content->floor == floor_of(engine, object, step) &&
	       content->bytes == engine->first_object[object].event->bytes;
}

/* The object holds something else now. */
static int take(struct comparison *comparison, const struct ct_sum *sum,
		const struct ct_value_compare *compare)
{
	const struct ct_value_engine *engine = comparison->engine;
	uint32_t object = object_of(sum), step = step_of(sum), floor, other;
	struct content *content = &comparison->content[object];
	union ct_map_value *holder;

	floor = floor_of(engine, object, step);
	if (content->floor != floor)
		*content = (struct content){.floor = floor};
	content->hash += sum->value[0];
	content->bytes += sum->value[1];
	if (!is_whole(comparison, object, step) || !compare->stays(compare->user, object, step))
		return 0;
	holder = ct_map_put(&comparison->holder, content->hash, content->bytes);
	if (!holder)
		return -ENOMEM;
	other = (uint32_t)holder->number - 1;
	if (!holder->number || !is_whole(comparison, other, step) ||
	    comparison->content[other].hash != content->hash ||
	    engine->first_object[other].part != engine->first_object[object].part)
		holder->number = (uint64_t)object + 1;
	else if (other != object)
		compare->found(compare->user, object, other);
	return 0;
}

int ct_value_contents_compare(const struct ct_value_contents *contents,
			      const struct ct_value_engine *engine,
			      const struct ct_value_compare *compare)
{
	struct comparison comparison = {
	    .engine = engine, .content = calloc(engine->objects + 1, sizeof(*comparison.content))};
	const struct ct_sum **order = malloc((contents->facts + 1) * sizeof(*order));
	int err = comparison.content && order ? 0 : -ENOMEM;

	for (size_t i = 0; i < contents->facts && err == 0; i++)
		order[i] = &contents->fact[i];
	if (err == 0 && contents->facts)
		qsort(order, contents->facts, sizeof(const struct ct_sum *), compare_steps);
	for (size_t i = 0; i < contents->facts && err == 0; i++)
		err = take(&comparison, order[i], compare);
	ct_map_fini(&comparison.holder);
	free(comparison.content);
	free(order);
	return err;
}
