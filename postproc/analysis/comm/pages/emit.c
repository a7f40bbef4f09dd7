/* SPDX-License-Identifier: Apache-2.0 */
/* Emits what a page yields: gathered a little here, since most of it comes in runs. */
#include "postproc/analysis/comm/pages/page.h"
#include "postproc/facts/objects.h"

void ct_page_flush_run(struct ct_pages *pages)
{
	const struct ct_run *run = &pages->run;

	if (run->bytes)
		ct_page_fail(pages, ct_shuffle_put_sized(
					pages->engine->runs, pages->number,
					(uint32_t)(ct_spread(run->who >> 32) % CT_RUN_PARTITIONS),
					run, sizeof(*run)));
	pages->run.bytes = 0;
}

/* Elements of one object. */
static void emit_elements(struct ct_pages *pages, uint64_t who, uint64_t address, uint32_t bytes,
			  uint32_t element)
{
	struct ct_run *run = &pages->run;
	uint64_t begin = pages->run_object.begin | (address & CT_RUN_STORE);

	if (run->bytes && run->who == who && run->element == element) {
		if (address == run->address && bytes == run->bytes)
			return;
		if (address == run->address + run->bytes && run->bytes % element == 0 &&
		    run->address >= begin) {
			run->bytes += bytes;
			return;
		}
	}
	ct_page_flush_run(pages);
	*run = (struct ct_run){who, address, bytes, element};
}

static void find_run_object(struct ct_pages *pages, uint32_t superstep, uint64_t address)
{
	if (superstep == pages->run_superstep && address >= pages->run_object.begin &&
	    address < pages->run_object.end)
		return;
	pages->run_superstep = superstep;
	pages->run_object =
	    ct_objects_range(pages->engine->objects, pages->engine->step[superstep].part, address,
			     pages->engine->superstep[superstep].event_index, &pages->run_hint);
}

void ct_page_emit_run(struct ct_pages *pages, uint64_t who, uint64_t address, uint32_t bytes,
		      uint32_t element)
{
	uint64_t at = address & ~CT_RUN_STORE, end = at + bytes, here;

	for (; at < end; at += here) {
		find_run_object(pages, (uint32_t)who, at);
		here = end - at;
		if (pages->run_object.end < end)
			here = (pages->run_object.end - at + element - 1) / element * element;
		here = here < end - at ? here : end - at;
		emit_elements(pages, who, at | (address & CT_RUN_STORE), (uint32_t)here, element);
	}
}

static void flush_volume(struct ct_pages *pages, const struct ct_cached_volume *cached)
{
	const struct ct_volume volume = {
	    .who = cached->who,
	    .sm = CT_NO_SM,
	    .communicated_load_bytes = cached->load_bytes,
	    .communicated_store_bytes = cached->store_bytes,
	};

	if (cached->load_bytes || cached->store_bytes)
		ct_page_fail(pages, ct_shuffle_put(pages->engine->volumes, pages->number,
						   ct_volume_partition(volume.who), &volume));
}

void ct_page_emit_volume(struct ct_pages *pages, uint32_t superstep, uint32_t cta,
			 uint64_t load_bytes, uint64_t store_bytes)
{
	uint64_t who = (uint64_t)superstep << 32 | cta;
	struct ct_cached_volume *cached = ct_page_volume_of(pages, superstep, cta);

	if (cached->who != who) {
		flush_volume(pages, cached);
		*cached = (struct ct_cached_volume){.who = who};
	}
	cached->load_bytes += load_bytes;
	cached->store_bytes += store_bytes;
}

void ct_page_flush_line(struct ct_pages *pages, struct ct_line_sum *line)
{
	if (line->bytes || line->loaded)
		ct_page_fail(pages, ct_sums_add(pages->sums, CT_FACT_KEY(CT_FACT_LINE, 0),
						line->key, line->bytes, line->loaded));
	if (line->self_bytes || line->self_loaded)
		ct_page_fail(pages, ct_sums_add(pages->sums, CT_FACT_KEY(CT_FACT_LINE_SELF, 0),
						line->key, line->self_bytes, line->self_loaded));
	line->bytes = line->loaded = line->self_bytes = line->self_loaded = 0;
}

static void flush_others(struct ct_pages *pages, struct ct_others *others)
{
	if (others->load_bytes || others->store_bytes)
		ct_page_fail(pages, ct_sums_add(pages->sums,
						CT_FACT_KEY(CT_FACT_STEP_OTHERS, others->superstep),
						0, others->load_bytes, others->store_bytes));
	others->load_bytes = others->store_bytes = 0;
}

void ct_page_emit_others(struct ct_pages *pages, uint32_t superstep, uint64_t load_bytes,
			 uint64_t store_bytes)
{
	struct ct_others *others = &pages->others[superstep % CT_OTHERS];

	if (superstep != others->superstep)
		flush_others(pages, others);
	others->superstep = superstep;
	others->load_bytes += load_bytes;
	others->store_bytes += store_bytes;
}

static void flush_pair(struct ct_pages *pages)
{
	if (pages->pair_distinct)
		ct_page_fail(pages, ct_sums_add(pages->sums,
						CT_FACT_KEY(CT_FACT_PAIR_SELF, pages->pair_key), 0,
						0, pages->pair_distinct));
	pages->pair_distinct = 0;
}

void ct_page_emit_pair(struct ct_pages *pages, uint32_t source, uint32_t target,
		       uint64_t distinct_bytes)
{
	uint64_t key = CT_PAIR_KEY(source, target);

	if (key != pages->pair_key)
		flush_pair(pages);
	pages->pair_key = key;
	pages->pair_distinct += distinct_bytes;
}

static void flush_object(struct ct_pages *pages)
{
	struct ct_sums *sums = pages->sums;
	uint64_t group = pages->object;

	if (group == CT_NONE)
		return;
	if (pages->object_loads || pages->object_stores)
		ct_page_fail(pages, ct_sums_add(sums, CT_FACT_KEY(CT_FACT_OBJECT, group), 0,
						pages->object_loads, pages->object_stores));
	if (pages->object_communicated_loads || pages->object_communicated_stores)
		ct_page_fail(pages,
			     ct_sums_add(sums, CT_FACT_KEY(CT_FACT_OBJECT_COMMUNICATED, group), 0,
					 pages->object_communicated_loads,
					 pages->object_communicated_stores));
	if (pages->object_bytes)
		ct_page_fail(pages, ct_sums_add(sums, CT_FACT_KEY(CT_FACT_OBJECT_FLOW, group), 0,
						pages->object_bytes, 0));
	if (pages->object_self_bytes)
		ct_page_fail(pages, ct_sums_add(sums, CT_FACT_KEY(CT_FACT_OBJECT_SELF, group), 0,
						pages->object_self_bytes, 0));
	if (pages->object_others_loads || pages->object_others_stores)
		ct_page_fail(pages,
			     ct_sums_add(sums, CT_FACT_KEY(CT_FACT_OBJECT_OTHERS, group), 0,
					 pages->object_others_loads, pages->object_others_stores));
	pages->object_self_bytes = pages->object_others_loads = pages->object_others_stores = 0;
	pages->object_loads = pages->object_stores = 0;
	pages->object_communicated_loads = pages->object_communicated_stores = 0;
	pages->object_bytes = 0;
}

void ct_page_find_object(struct ct_pages *pages, uint32_t superstep, uint32_t offset)
{
	uint64_t page = pages->page << CT_PAGE_BITS;
	struct ct_object_range range =
	    ct_objects_range(pages->engine->objects, pages->part, page | offset,
			     pages->engine->superstep[superstep].event_index, &pages->object_hint);

	if (range.group != pages->object)
		flush_object(pages);
	pages->object = range.group;
	pages->object_superstep = superstep;
	pages->object_first = range.begin > page ? (uint32_t)(range.begin - page) : 0;
	pages->object_end =
	    range.end - page < CT_PAGE_BYTES ? (uint32_t)(range.end - page) : CT_PAGE_BYTES;
}

bool ct_page_object_passes(const struct ct_pages *pages)
{
	return ct_objects_passes(pages->engine->objects, pages->object);
}

void ct_page_emit_rest(struct ct_pages *pages)
{
	const uint64_t *word = (const uint64_t *)&pages->volume;

	for (uint64_t i = 0; i <= pages->cached_mask; i++)
		flush_volume(pages, &pages->cached[i]);
	ct_page_emit_kept(pages);
	for (uint32_t i = 0; i < CT_LINE_PAIRS; i++)
		ct_page_flush_line(pages, &pages->line[i]);
	for (uint32_t i = 0; i < CT_OTHERS; i++)
		flush_others(pages, &pages->others[i]);
	flush_pair(pages);
	flush_object(pages);
	for (uint32_t i = 0; i < sizeof(pages->volume) / sizeof(*word); i++)
		if (word[i])
			ct_page_fail(pages, ct_sums_add(pages->sums, CT_FACT_KEY(CT_FACT_VOLUME, i),
							0, word[i], 0));
}
