/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of values as one of the scan engine's: the scan fills two shuffles, and a stage each
 * takes them out into sums. */
#include "postproc/analysis/values/analysis.h"
#include "postproc/analysis/values/base/piece.h"
#include "postproc/analysis/values/figures/make.h"
#include "postproc/analysis/values/figures/summaries.h"
#include "postproc/analysis/values/pages/page.h"
#include "postproc/analysis/values/scan/entries.h"
#include "postproc/analysis/values/scan/scan.h"
#include "postproc/analysis/values/scan/uses.h"
#include "postproc/analysis/values/sets/sets.h"
#include "postproc/shuffle/stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_values_job *own = job;
	const struct ct_unit *units;
	size_t count = ct_trace_units(own->trace, &units);

	*wants = (struct ct_wants){.what = CT_WANT_ACCESSES};
	for (size_t u = 0; u < count; u++)
		if (units[u].header->values)
			wants->what = CT_WANT_ACCESSES | CT_WANT_VALUES | CT_WANT_WARPS;
	return 0;
}

/* Divided by page. low: bits of the key that are not sorted by; sixteenths: of the memory. */
static int open_by_page(const struct ct_value_engine *engine, const struct ct_room *room,
			struct ct_shuffle **out, size_t record_bytes, uint32_t low,
			uint64_t sixteenths)
{
	ct_value_key mask = ct_value_sort_mask(&engine->layout, low);

	return ct_stage_shuffle(out, room, record_bytes, CT_VALUE_PARTITIONS,
				room->memory_bytes / 16 * sixteenths,
				(const uint64_t[2]){(uint64_t)(mask >> 64), (uint64_t)mask});
}

#define SLOTS_MAX 64u

/* Divides what workers hold beside the shuffles. */
static void divide_rest(struct ct_value_engine *engine, uint64_t memory_bytes)
{
	uint64_t each = memory_bytes / engine->threads;

	engine->entry_slots = 1;
	while (engine->entry_slots < SLOTS_MAX &&
	       2 * engine->entry_slots * CT_VALUE_SET_PARTITIONS * sizeof(struct ct_value_bundle) <=
		   each / 3)
		engine->entry_slots *= 2;
	engine->tally_bytes = each / 3 * 2;
}

static int begin_engine(struct ct_value_engine *engine, const struct ct_room *room)
{
	int err = ct_value_engine_prepare(engine);

	if (err == -EOVERFLOW)
		snprintf(room->why, CT_WHY_BYTES,
			 "more launches, thread blocks, kernels or objects than the analysis of "
			 "values can "
			 "tell apart; choose fewer with ctrun --launches or --kernels");
	if (err == 0)
		err = ct_sums_open(&engine->sums);
	if (err < 0 || !engine->has_values)
		return err;
	divide_rest(engine, room->memory_bytes / 8);
	err = open_by_page(engine, room, &engine->pieces, sizeof(struct ct_value_piece), 0, 5);
	if (err == 0)
		err = open_by_page(engine, room, &engine->specks, CT_VALUE_SPECK_BYTES, 0, 2);
	if (err == 0)
		err = open_by_page(engine, room, &engine->singles, sizeof(struct ct_value_single),
				   engine->layout.single_bits, 3);
	if (err == 0)
		err = ct_stage_shuffle(&engine->entries, room, sizeof(struct ct_value_bundle),
				       CT_VALUE_SET_PARTITIONS, room->memory_bytes / 8 * 2,
				       (const uint64_t[2])CT_VALUE_BUNDLE_MASK);
	if (err == 0 && room->ranks->rank == 0)
		err = ct_value_scan_transfers(engine);
	return err;
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_values_job *own = job;
	struct ct_value_engine *engine = calloc(1, sizeof(*engine));

	ct_values_job_fini(own);
	own->engine = engine;
	if (!engine)
		return -ENOMEM;
	engine->trace = own->trace;
	engine->filter = own->filter;
	engine->precision = own->precision;
	engine->unseen_parts = own->unseen_parts;
	engine->scanned = room->scanned;
	engine->threads = room->threads;
	engine->ranks = room->ranks;
	return begin_engine(engine, room);
}

/* A worker has this of the scan. */
struct scan {
	struct ct_value_scan *values; /* NULL: the trace has none */
	struct ct_value_uses *uses;
};

static int open_scan(void **state, void *job, const struct ct_worker *worker)
{
	struct ct_value_engine *engine = ((struct ct_values_job *)job)->engine;
	struct scan *scan = calloc(1, sizeof(*scan));
	int err;

	*state = scan;
	if (!scan)
		return -ENOMEM;
	err = ct_value_uses_open(&scan->uses, engine, worker);
	if (err == 0 && engine->has_values)
		err = ct_value_scan_open(&scan->values, engine, worker);
	return err;
}

static int add_access(void *state, const struct ct_access *access)
{
	struct scan *scan = state;
	int err = ct_value_uses_add(scan->uses, access);

	return err == 0 && scan->values ? ct_value_scan_access(scan->values, access) : err;
}

static int add_value(void *state, const struct ct_value *value)
{
	struct scan *scan = state;

	return scan->values ? ct_value_scan_value(scan->values, value) : 0;
}

static int finish_scan(void *state)
{
	struct scan *scan = state;

	return scan->values ? ct_value_scan_finish(scan->values) : 0;
}

static int join_scans(void *state, void *from)
{
	struct scan *own = state, *other = from;

	return ct_value_uses_join(own->uses, other->uses);
}

static void close_scan(void *state)
{
	struct scan *scan = state;

	if (!scan)
		return;
	ct_value_scan_close(scan->values);
	ct_value_uses_close(scan->uses);
	free(scan);
}

/* A thread has this of a stage. */
struct part {
	struct ct_stage_part all;
	struct ct_value_pages *pages;
	struct ct_value_sets *sets;
};

static struct ct_value_engine *engine_of(void *job)
{
	return ((struct ct_values_job *)job)->engine;
}

static int open_pages(void **state, void *job, const struct ct_worker *worker)
{
	int err = ct_stage_open(state, sizeof(struct part), job);
	struct part *part = *state;

	(void)worker;
	return err == 0 ? ct_value_pages_open(&part->pages, engine_of(job), part->all.sums) : err;
}

static int open_sets(void **state, void *job, const struct ct_worker *worker)
{
	int err = ct_stage_open(state, sizeof(struct part), job);
	struct part *part = *state;

	(void)worker;
	return err == 0 ? ct_value_sets_open(&part->sets, engine_of(job), part->all.sums) : err;
}

static int take_pages(void *state, uint32_t partition)
{
	struct ct_value_pages *pages = ((struct part *)state)->pages;

	return ct_value_pages_take(pages, partition);
}

static int finish_pages(void *state)
{
	struct part *part = state;

	return ct_value_pages_finish(part->pages, part->all.sums);
}

static int take_sets(void *state, uint32_t partition)
{
	return ct_value_sets_take(((struct part *)state)->sets, partition);
}

static int join_parts(void *job, void *const *states, uint32_t count, uint32_t part)
{
	return ct_stage_join(engine_of(job)->sums, states, count, part);
}

static void close_part(void *state)
{
	struct part *part = state;

	if (part) {
		ct_value_pages_close(part->pages);
		ct_value_sets_close(part->sets);
	}
	ct_stage_close(state);
}

static int begin_pages(void *job)
{
	struct ct_value_engine *engine = ((struct ct_values_job *)job)->engine;
	int err = engine->has_values ? ct_shuffle_finish(engine->pieces) : 0;

	if (engine->scanned->damaged_chunks)
		ct_value_engine_doubt(engine);

	if (err == 0 && engine->has_values)
		err = ct_shuffle_finish(engine->specks);
	return err == 0 && engine->has_values ? ct_shuffle_finish(engine->singles) : err;
}

static int begin_sets(void *job)
{
	const struct ct_value_engine *engine = ((struct ct_values_job *)job)->engine;

	return engine->entries ? ct_shuffle_finish(engine->entries) : 0;
}

static const struct ct_stage stages[] = {
    {.name = "pages",
     .partitions = CT_VALUE_PARTITIONS,
     .weight = 60,
     .begin = begin_pages,
     .open = open_pages,
     .take = take_pages,
     .finish = finish_pages,
     .join = join_parts,
     .parts = CT_SUMS_PARTS,
     .close = close_part},
    {.name = "sets",
     .partitions = CT_VALUE_SET_PARTITIONS,
     .weight = 30,
     .begin = begin_sets,
     .open = open_sets,
     .take = take_sets,
     .join = join_parts,
     .parts = CT_SUMS_PARTS,
     .close = close_part},
};

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_values_job *own = job;
	struct ct_value_engine *engine = own->engine;
	struct scan *scan = *state;
	int err = scan ? ct_value_uses_sum(scan->uses, engine->sums) : 0;

	(void)scanned; /* see begin_pages */
	err = ct_ranks_agree(engine->ranks, err);
	if (err == 0)
		err = ct_sums_gather(engine->sums, engine->ranks);
	if (err == 0 && engine->ranks->rank == 0)
		err = ct_value_summaries_add(&own->figures, engine);
	if (err == 0 && engine->ranks->rank == 0 && own->figures.is_summarised)
		err = ct_valueless_find(&own->figures.valueless, engine->trace, engine->filter);
	if (err == 0 && engine->ranks->rank == 0)
		err = ct_value_figures_make(&own->figures, engine);
	own->figures.precision = own->precision;
	return ct_ranks_agree(engine->ranks, err);
}

const struct ct_analysis ct_values_analysis = {
    .name = "values",
    .memory = 4,
    .wants = wants,
    .begin = begin,
    .open = open_scan,
    .access = add_access,
    .value = add_value,
    .finish = finish_scan,
    .join = join_scans,
    .close = close_scan,
    .stages = stages,
    .stage_count = sizeof(stages) / sizeof(stages[0]),
    .conclude = conclude,
};

void ct_values_job_fini(struct ct_values_job *job)
{
	if (job->engine)
		ct_value_engine_release(job->engine);
	free(job->engine);
	job->engine = NULL;
	ct_value_figures_fini(&job->figures);
}
