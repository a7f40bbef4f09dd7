/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strides (seed 001, 6.2.5): the distances from one communicated element of a
 * CTA to the next, in address order; elements at the same address are one. None leads from
 * one object to another.
 */
#include "postproc/analysis/comm/base/engine.h"
#include "postproc/facts/objects.h"
#include <errno.h>
#include <stdlib.h>

/* Runs that overlap, not counted yet: sequences of starts, first + k * element. */
struct cluster {
	uint64_t *start;
	size_t starts, room;
};

/* Strides that wait until their sums are in the cache, each in the place of the one so many
 * before it. */
#define STRIDES_WAITING 16u

struct waiting {
	uint64_t key, stride, times; /* times 0: none */
};

struct walk {
	const struct ct_engine *engine;
	struct ct_sums *sums;
	struct ct_object_range object; /* of the last run */
	uint32_t hint;
	uint64_t who;   /* of the last run */
	uint64_t store; /* CT_RUN_STORE or 0 */
	bool has_last;
	uint64_t last;                       /* start counted last */
	uint64_t first, count, element;      /* sequence at hand; count 0: none */
	struct cluster cluster;              /* used if sequences are mixed */
	uint64_t strides[2], sum[2], max[2]; /* of the CTA at hand */
	struct waiting waiting[STRIDES_WAITING];
	uint32_t next; /* place */
};

/* Adds the accesses of the next place. */
static int add_waiting(struct walk *walk)
{
	struct waiting *waiting = &walk->waiting[walk->next++ % STRIDES_WAITING];
	uint64_t times = waiting->times;

	waiting->times = 0;
	return times ? ct_sums_add(walk->sums, waiting->key, waiting->stride, times, 0) : 0;
}

static int wait_to_add(struct walk *walk, uint64_t key, uint64_t stride, uint64_t times)
{
	struct waiting *place = &walk->waiting[walk->next % STRIDES_WAITING];
	int err = add_waiting(walk);

	*place = (struct waiting){key, stride, times};
	ct_sums_expect(walk->sums, key, stride);
	return err;
}

static int note(struct walk *walk, uint64_t stride, uint64_t times)
{
	int is_store = walk->store != 0;

	if (!times)
		return 0;
	walk->strides[is_store] += times;
	walk->sum[is_store] += stride * times;
	if (stride > walk->max[is_store])
		walk->max[is_store] = stride;
	return wait_to_add(walk,
			   CT_FACT_KEY(is_store ? CT_FACT_STORE_STRIDE : CT_FACT_LOAD_STRIDE, 0),
			   stride, times);
}

static int count_sequence(struct walk *walk, uint64_t first, uint64_t count, uint64_t element)
{
	int err = walk->has_last ? note(walk, first - walk->last, 1) : 0;

	if (err == 0)
		err = note(walk, element, count - 1);
	walk->has_last = true;
	walk->last = first + (count - 1) * element;
	return err;
}

static int compare_start(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int count_cluster(struct walk *walk)
{
	struct cluster *cluster = &walk->cluster;
	int err = 0;

	qsort(cluster->start, cluster->starts, sizeof(*cluster->start), compare_start);
	for (size_t i = 0; i < cluster->starts && err == 0; i++)
		if (!i || cluster->start[i] != cluster->start[i - 1])
			err = count_sequence(walk, cluster->start[i], 1, 1);
	cluster->starts = 0;
	return err;
}

static int add_to_cluster(struct walk *walk, uint64_t first, uint64_t count, uint64_t element)
{
	struct cluster *cluster = &walk->cluster;

	if (cluster->starts + count > cluster->room) {
		size_t room = 2 * (cluster->starts + count);
		uint64_t *bigger = realloc(cluster->start, room * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		cluster->start = bigger;
		cluster->room = room;
	}
	for (uint64_t i = 0; i < count; i++)
		cluster->start[cluster->starts++] = first + i * element;
	return 0;
}

/* Count what is at hand. */
static int conclude(struct walk *walk)
{
	int err = 0;

	if (walk->cluster.starts)
		err = count_cluster(walk);
	else if (walk->count)
		err = count_sequence(walk, walk->first, walk->count, walk->element);
	walk->count = 0;
	return err;
}

static uint64_t end_of(const struct walk *walk)
{
	return walk->first + (walk->count - 1) * walk->element;
}

/* Runs come in the order of their starts. */
static int add_run(struct walk *walk, uint64_t first, uint64_t bytes, uint64_t element)
{
	uint64_t count = (bytes + element - 1) / element, last = first + (count - 1) * element;
	int err = 0;

	if (walk->count && first > end_of(walk) &&
	    (walk->cluster.starts || element != walk->element || first != end_of(walk) + element))
		err = conclude(walk);
	if (err < 0 || !walk->count) {
		walk->first = first;
		walk->count = count;
		walk->element = element;
		return err;
	}
	if (!walk->cluster.starts && element == walk->element &&
	    (first - walk->first) % element == 0) {
		if (last > end_of(walk))
			walk->count = (last - walk->first) / element + 1;
		return 0;
	}
	if (!walk->cluster.starts)
		err = add_to_cluster(walk, walk->first, walk->count, walk->element);
	if (err == 0)
		err = add_to_cluster(walk, first, count, element);
	/* first, count and element go on to say how far the cluster reaches. */
	if (last > end_of(walk)) {
		walk->first = first;
		walk->count = count;
		walk->element = element;
	}
	return err;
}

static int end_cta(struct walk *walk)
{
	struct ct_sums *sums = walk->sums;
	uint64_t cta = walk->who >> 32;
	int err = 0;

	if (walk->strides[0])
		err = ct_sums_add(sums, CT_FACT_KEY(CT_FACT_CTA_LOAD_STRIDE, 0), cta,
				  walk->strides[0], walk->sum[0]);
	if (err == 0 && walk->strides[1])
		err = ct_sums_add(sums, CT_FACT_KEY(CT_FACT_CTA_STORE_STRIDE, 0), cta,
				  walk->strides[1], walk->sum[1]);
	if (err == 0 && (walk->max[0] || walk->max[1]))
		err = ct_sums_add(sums, CT_FACT_KEY(CT_FACT_CTA_STRIDE_MAX, 0), cta, walk->max[0],
				  walk->max[1]);
	for (int i = 0; i < 2; i++)
		walk->strides[i] = walk->sum[i] = walk->max[i] = 0;
	return err;
}

/* Finishes if the run is of another object than the last one. */
static int enter_object(struct walk *walk, const struct ct_run *run)
{
	const struct ct_engine *engine = walk->engine;
	uint32_t superstep = (uint32_t)run->who;
	uint64_t address = run->address & ~CT_RUN_STORE;
	bool was_known = walk->object.is_known;
	int err;

	if (was_known && address >= walk->object.begin && address < walk->object.end)
		return 0;
	walk->object = ct_objects_range(engine->objects, engine->step[superstep].part, address,
					engine->superstep[superstep].event_index, &walk->hint);
	if (!was_known && !walk->object.is_known)
		return 0;
	err = conclude(walk);
	walk->has_last = false;
	return err;
}

static int take_runs(void *user, void *records, size_t count)
{
	const struct ct_run *run = records;
	struct walk *walk = user;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		uint64_t store = run[i].address & CT_RUN_STORE;

		if (run[i].who != walk->who || store != walk->store) {
			err = conclude(walk);
			if (err == 0 && run[i].who >> 32 != walk->who >> 32)
				err = end_cta(walk);
			walk->who = run[i].who;
			walk->store = store;
			walk->has_last = false;
			walk->object = (struct ct_object_range){0};
		}
		if (err == 0)
			err = enter_object(walk, &run[i]);
		if (err == 0)
			err = add_run(walk, run[i].address & ~CT_RUN_STORE, run[i].bytes,
				      run[i].element);
	}
	return err;
}

int ct_strides_take(struct ct_engine *engine, struct ct_sums *sums, uint32_t partition)
{
	struct walk walk = {.engine = engine, .sums = sums};
	int err = ct_shuffle_each(engine->runs, partition, take_runs, &walk);

	if (err == 0)
		err = conclude(&walk);
	if (err == 0)
		err = end_cta(&walk);
	for (uint32_t i = 0; i < STRIDES_WAITING && err == 0; i++)
		err = add_waiting(&walk);
	free(walk.cluster.start);
	ct_shuffle_drop(engine->runs, partition);
	return err;
}
