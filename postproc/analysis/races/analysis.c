/* SPDX-License-Identifier: Apache-2.0 */
/* Races as an analysis of the scan engine: the scan counts each warp's barriers and puts what it
 * accesses into a shuffle by block of memory, a stage looks at block after block. */
#include "postproc/analysis/races/analysis.h"
#include "postproc/analysis/races/entries.h"
#include "postproc/analysis/races/launches.h"
#include "postproc/analysis/races/list.h"
#include "postproc/analysis/races/syncs.h"
#include "postproc/analysis/races/unset.h"
#include "postproc/analysis/races/updates.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/numbered.h"
#include "postproc/facts/operation.h"
#include "postproc/shuffle/stage.h"

#include "base/array.h"
#include "base/map.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ct_races_engine {
	const struct ct_launch_info *first_launch;
	const struct ct_unit *units;
	size_t launches, unit_count;
	uint32_t *first_site; /* by unit */
	atomic_uchar *unknown;
	atomic_uchar *left_out; /* likewise: races that something may order */
	bool has_values;
	struct ct_shuffle *entries;
	struct ct_races_list list;
	struct ct_races_unset_list unset;
	struct ct_races_updates updates;
	pthread_mutex_t lock; /* of syncs, while the scan goes on */
	struct ct_races_syncs syncs;
};

struct scan {
	const struct ct_races_job *job;
	struct ct_races_entries *entries;
	struct ct_races_recent *recent;
	struct ct_locator locator;
	struct ct_map epochs; /* key: launch and warp, CTA */
	uint64_t warp[2];     /* the key of the last access, */
	uint32_t epoch;       /* and its barriers */
	struct ct_races_syncs syncs;
	uint64_t synced[2]; /* the key of the last that was added to these, */
	uint32_t sync;      /* and its bits, those that reach CTAs again */
};

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_races_job *own = job;

	*wants = (struct ct_wants){
	    .what = CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_VALUES | CT_WANT_WARPS,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    /* All sites: what is not selected may order what is. */
	};
	return 0;
}

static int prepare(struct ct_races_engine *engine, const struct ct_trace *trace)
{
	int err = ct_first_sites(trace, &engine->first_site);

	if (err < 0)
		return err;
	engine->launches = ct_trace_launches(trace, &engine->first_launch);
	engine->unit_count = ct_trace_units(trace, &engine->units);
	for (size_t u = 0; u < engine->unit_count; u++)
		engine->has_values |= engine->units[u].header->values != 0;
	if (ct_races_updates_init(&engine->updates, engine->first_site[engine->unit_count]) < 0)
		return -ENOMEM;
	engine->left_out = calloc(engine->launches + 1, sizeof(*engine->left_out));
	return engine->left_out ? ct_races_launches(&engine->unknown, trace) : -ENOMEM;
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_races_job *own = job;
	int err;

	ct_races_job_fini(own);
	own->engine = calloc(1, sizeof(*own->engine));
	if (!own->engine)
		return -ENOMEM;
	pthread_mutex_init(&own->engine->lock, NULL);
	err = prepare(own->engine, own->trace);
	return err == 0
		   ? ct_stage_shuffle(&own->engine->entries, room,
				      ct_races_entry_bytes(own->engine->has_values),
				      CT_RACES_PARTITIONS, room->memory_bytes, ct_stage_all_of_key)
		   : err;
}

static int open_scan(void **state, void *job, const struct ct_worker *worker)
{
	struct scan *scan = calloc(1, sizeof(*scan));

	*state = scan;
	if (!scan)
		return -ENOMEM;
	scan->job = job;
	scan->locator.trace = worker->trace;
	if (ct_races_recent_open(&scan->recent) < 0)
		return -ENOMEM;
	return ct_races_entries_open(&scan->entries, scan->job->engine->entries, worker->number,
				     scan->job->engine->has_values);
}

static void close_scan(void *state)
{
	struct scan *scan = state;

	if (!scan)
		return;
	ct_map_fini(&scan->epochs);
	ct_races_syncs_fini(&scan->syncs);
	ct_races_entries_close(scan->entries);
	ct_races_recent_close(scan->recent);
	free(scan);
}

static uint32_t launch_of(const struct scan *scan, const struct ct_access *at)
{
	return (uint32_t)(at->launch - scan->job->engine->first_launch);
}

static void hide(const struct scan *scan, const struct ct_access *at, uint32_t what)
{
	if (what)
		atomic_fetch_or_explicit(&scan->job->engine->unknown[launch_of(scan, at)],
					 (unsigned char)what, memory_order_relaxed);
}

/* How many barriers of its CTA are behind the warp. */
static uint32_t epoch_of(struct scan *scan, const struct ct_access *at)
{
	const uint64_t key[2] = {(uint64_t)launch_of(scan, at) << 32 | at->warp, at->cta};
	const union ct_map_value *value;

	if (key[0] == scan->warp[0] && key[1] == scan->warp[1])
		return scan->epoch;
	value = ct_map_find(&scan->epochs, key[0], key[1]);
	memcpy(scan->warp, key, sizeof(key));
	scan->epoch = value ? (uint32_t)value->number : 0;
	return scan->epoch;
}

/* All lanes that the warp has. */
static uint32_t lanes_of(const struct ct_access *at)
{
	const uint32_t *block = at->launch->event->block;
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
	uint64_t before = (uint64_t)at->warp * CT_WARP_LANES;

	return threads >= before + CT_WARP_LANES ? CT_FULL_MASK
	       : threads > before                ? (1u << (threads - before)) - 1
						 : 0;
}

/* Bits of syncs.h; reaches_ctas: other CTAs can see it. */
static int add_sync(struct scan *scan, const struct ct_access *at, uint32_t bits, bool reaches_ctas)
{
	const uint64_t key[2] = {(uint64_t)launch_of(scan, at) << 32 | at->warp, at->cta};
	uint32_t both = bits | (reaches_ctas ? bits << 2 : 0);

	if (memcmp(key, scan->synced, sizeof(key)) != 0)
		scan->sync = 0;
	if ((scan->sync & both) == both)
		return 0;
	memcpy(scan->synced, key, sizeof(key));
	scan->sync |= both;
	return ct_races_syncs_add(&scan->syncs, launch_of(scan, at), at->cta, at->warp, bits,
				  reaches_ctas);
}

static int add_event(void *state, const struct ct_event *event)
{
	struct scan *scan = state;
	union ct_map_value *value;

	hide(scan, event->at, ct_races_event_hides(event));
	if (ct_races_is_partial(event))
		return add_sync(scan, event->at, CT_RACES_SENDS | CT_RACES_RECEIVES, false);
	if (event->phase != CT_PHASE_HAPPENS || !ct_races_is_barrier(event))
		return 0;
	epoch_of(scan, event->at);
	value = ct_map_put(&scan->epochs, scan->warp[0], scan->warp[1]);
	if (!value)
		return -ENOMEM;
	value->number = ++scan->epoch;
	/* Lanes that come to it one after another would count it twice. */
	if (event->at->mask != lanes_of(event->at))
		hide(scan, event->at, CT_RACES_UNKNOWN_WARPS);
	return 0;
}

static uint32_t syncs_of(uint32_t does)
{
	if (!(does & CT_RACES_STRONG))
		return 0;
	return (does & CT_RACES_STORES ? CT_RACES_SENDS : 0) |
	       (does & CT_RACES_LOADS ? CT_RACES_RECEIVES : 0);
}

static int add_access(void *state, const struct ct_access *access)
{
	struct scan *scan = state;
	struct ct_races_engine *engine = scan->job->engine;
	uint32_t launch = launch_of(scan, access);
	uint32_t global = ct_lanes_in(access, CT_SPACE_GLOBAL),
		 lanes = global | ct_lanes_in(access, CT_SPACE_SHARED);
	struct ct_races_entry entry = {
	    .cta = access->cta, .warp = access->warp, .what = ct_races_access_does(access)};
	int err = add_sync(scan, access, lanes ? syncs_of(entry.what) : 0, global);

	if (err < 0)
		return err;
	if (scan->job->filter && lanes)
		lanes &= ct_filter_lanes(scan->job->filter, access, &scan->locator);
	if (!lanes || (atomic_load_explicit(&engine->unknown[launch], memory_order_relaxed) &
		       CT_RACES_UNKNOWN) == CT_RACES_UNKNOWN)
		return ct_races_entries_next(scan->entries, NULL, 0, NULL);
	entry.key[1] = (uint64_t)launch << 32 | (uint32_t)access->cta;
	entry.epoch = epoch_of(scan, access);
	entry.site = engine->first_site[access->unit - engine->units] + access->site;
	if (!(entry.what & CT_RACES_STRONG))
		err = ct_races_recent_take(scan->recent, &engine->updates, access, lanes,
					   entry.site, entry.what == CT_RACES_STORES);
	return err < 0 ? err : ct_races_entries_next(scan->entries, access, lanes, &entry);
}

static int add_value(void *state, const struct ct_value *value)
{
	ct_races_entries_value(((struct scan *)state)->entries, value);
	return 0;
}

static int finish_scan(void *state)
{
	struct scan *scan = state;
	struct ct_races_engine *engine = scan->job->engine;
	int err = ct_races_entries_next(scan->entries, NULL, 0, NULL);

	pthread_mutex_lock(&engine->lock);
	if (err == 0)
		err = ct_races_syncs_join(&engine->syncs, &scan->syncs);
	pthread_mutex_unlock(&engine->lock);
	return err;
}

static int join_scans(void *state, void *from)
{
	(void)state;
	(void)from;
	return 0;
}

/* A thread's part of the stage: the entries of the block at hand, and what was found. */
struct part {
	const struct ct_races_engine *engine;
	struct ct_races_sites sites;
	bool is_selected; /* stores may be left out */
	struct ct_races_entry *entry;
	size_t count, room;
	struct ct_races_list list;
	struct ct_races_unset_list unset;
};

static int begin_blocks(void *job)
{
	return ct_shuffle_finish(((struct ct_races_job *)job)->engine->entries);
}

static struct ct_races_sites sites_of(const struct ct_races_engine *engine)
{
	return (struct ct_races_sites){engine->units, engine->unit_count, engine->first_site};
}

static int open_part(void **state, void *job, const struct ct_worker *worker)
{
	struct part *part = calloc(1, sizeof(*part));

	(void)worker;
	*state = part;
	if (!part)
		return -ENOMEM;
	part->engine = ((struct ct_races_job *)job)->engine;
	part->sites = sites_of(part->engine);
	part->is_selected = ((struct ct_races_job *)job)->filter;
	return 0;
}

static void close_part(void *state)
{
	struct part *part = state;

	if (!part)
		return;
	ct_races_list_fini(&part->list);
	ct_races_unset_fini(&part->unset);
	free(part->entry);
	free(part);
}

static int tell(void *user, enum ct_races_between between, const struct ct_races_entry *store,
		const struct ct_races_entry *other, const struct ct_races_bytes *bytes)
{
	struct part *part = user;
	uint32_t launch = (uint32_t)(store->key[1] >> 32);

	if (ct_races_are_unknown(part->engine->unknown, launch, between))
		return 0;
	if (ct_races_syncs_may_order(&part->engine->syncs, launch, between, store, other)) {
		atomic_fetch_or_explicit(&part->engine->left_out[launch],
					 between == CT_RACES_CTAS ? CT_RACES_UNKNOWN_CTAS
								  : CT_RACES_UNKNOWN_WARPS,
					 memory_order_relaxed);
		return 0;
	}
	return ct_races_list_add(&part->list, launch, between, store, other, bytes);
}

static int end_block(struct part *part)
{
	uint32_t unknown = 0;
	int err = ct_races_in_block(part->entry, part->count, tell, part, &unknown);

	if (unknown)
		atomic_fetch_or_explicit(&part->engine->unknown[part->entry->key[1] >> 32],
					 (unsigned char)unknown, memory_order_relaxed);
	if (err == 0 && !part->is_selected)
		err = ct_races_unset_look(&part->unset, part->entry, part->count, &part->sites);
	part->count = 0;
	return err;
}

static int take_entries(void *user, void *records, size_t count)
{
	struct part *part = user;
	size_t bytes = ct_races_entry_bytes(part->engine->has_values);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_races_entry *entry =
		    (const void *)((const char *)records + i * bytes);

		if (part->count && (part->entry->key[0] != entry->key[0] ||
				    part->entry->key[1] >> 32 != entry->key[1] >> 32))
			err = end_block(part);
		if (err == 0)
			err = ct_array_reserve(&part->entry, &part->room, part->count + 1,
					       sizeof(*part->entry));
		if (err == 0)
			memcpy(&part->entry[part->count++], entry, bytes);
	}
	return err;
}

static int take_blocks(void *state, uint32_t partition)
{
	struct part *part = state;
	int err = ct_shuffle_each(part->engine->entries, partition, take_entries, part);

	if (err == 0)
		err = end_block(part);
	ct_shuffle_drop(part->engine->entries, partition);
	return err;
}

static int join_parts(void *job, void *const *states, uint32_t count, uint32_t number)
{
	struct ct_races_engine *engine = ((struct ct_races_job *)job)->engine;
	int err = 0;

	(void)number;
	for (uint32_t i = 0; i < count && err == 0; i++) {
		const struct part *part = states[i];

		err = ct_races_list_join(&engine->list, &part->list);
		if (err == 0)
			err = ct_races_unset_join(&engine->unset, &part->unset);
	}
	return err;
}

static const struct ct_stage stages[] = {
    {.name = "races",
     .partitions = CT_RACES_PARTITIONS,
     .weight = 40,
     .begin = begin_blocks,
     .open = open_part,
     .take = take_blocks,
     .join = join_parts,
     .parts = 1,
     .close = close_part},
};

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_races_job *own = job;
	struct ct_races_engine *engine = own->engine;
	const struct ct_races_sites sites = sites_of(engine);
	const struct ct_races_orders orders = {engine->first_launch, engine->unknown};
	int err;

	(void)state;
	for (size_t i = 0; i < engine->launches; i++) {
		uint32_t unknown =
		    atomic_load(&engine->unknown[i]) | atomic_load(&engine->left_out[i]);

		if (own->filter && !ct_filter_launch(own->filter, &engine->first_launch[i]))
			continue;
		own->results.launches++;
		own->results.unknown_ctas += unknown & CT_RACES_UNKNOWN_CTAS ? 1 : 0;
		own->results.unknown_warps += unknown & CT_RACES_UNKNOWN_WARPS ? 1 : 0;
	}
	if (scanned->damaged_chunks) { /* barriers may be lost, and what orders */
		own->results.unknown_ctas = own->results.unknown_warps = own->results.launches;
		return 0;
	}
	err = ct_races_list_results(&engine->list, &own->results, &sites, &engine->updates, &orders,
				    own->trace);
	return err == 0 ? ct_races_unset_results(&engine->unset, &own->results, &sites, &orders)
			: err;
}

const struct ct_analysis ct_races_analysis = {
    .name = "races",
    .is_of_one_process = true,
    .memory = 3,
    .wants = wants,
    .begin = begin,
    .open = open_scan,
    .access = add_access,
    .event = add_event,
    .value = add_value,
    .finish = finish_scan,
    .join = join_scans,
    .close = close_scan,
    .stages = stages,
    .stage_count = 1,
    .conclude = conclude,
};

void ct_races_job_fini(struct ct_races_job *job)
{
	struct ct_races_engine *engine = job->engine;

	if (engine) {
		ct_shuffle_close(engine->entries);
		ct_races_list_fini(&engine->list);
		ct_races_unset_fini(&engine->unset);
		free(engine->unknown);
		free(engine->left_out);
		ct_races_syncs_fini(&engine->syncs);
		pthread_mutex_destroy(&engine->lock);
		free(engine->first_site);
		ct_races_updates_fini(&engine->updates);
	}
	free(engine);
	job->engine = NULL;
	free(job->results.race);
	free(job->results.unset);
	job->results = (struct ct_races_results){.races = 0};
}
