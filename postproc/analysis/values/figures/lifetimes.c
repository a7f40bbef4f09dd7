/* SPDX-License-Identifier: Apache-2.0 */
/* From when to when objects live and are used. */
#include "postproc/analysis/values/figures/lifetimes.h"
#include "postproc/analysis/values/figures/memory.h"

#include "base/array.h"
#include "base/map.h"
#include <errno.h>
#include <stdlib.h>

#define EQUAL_SIZE 0.1 /* by which sizes may differ, of the larger one */
#define USED_LEAST 0.8 /* of the bytes; less is overallocation (DrGPUM) */
#define EVEN_MOST 0.2  /* sd / mean (likewise) */
#define SLICE_MOST 0.5 /* of the bytes */
#define DEAD_LEAST 0.1 /* of the bytes written */

int ct_value_lives_add(struct ct_value_lives *lives, uint32_t object, uint32_t step, uint64_t loads,
		       uint64_t stores)
{
	if (ct_array_grow(&lives->use, lives->count, sizeof(*lives->use)) < 0)
		return -ENOMEM;
	lives->use[lives->count++] = (struct ct_value_use){
	    .object = object, .step = step, .reads = loads != 0, .writes = stores != 0};
	return 0;
}

static int add_transfer(struct ct_value_lives *lives, const struct ct_value_engine *engine,
			uint32_t step)
{
	const struct ct_event_transfer *event = engine->superstep[step].transfer->event;
	uint32_t target = ct_value_object_at(engine, step, event->target);
	uint32_t source = event->kind == CT_TRANSFER_COPY
			      ? ct_value_object_at(engine, step, event->source)
			      : CT_NONE;
	int err = source != CT_NONE ? ct_value_lives_add(lives, source, step, 1, 0) : 0;

	if (err < 0 || target == CT_NONE)
		return err;
	err = ct_value_lives_add(lives, target, step, 0, 1);
	if (err == 0 && event->height == 1 && event->depth == 1) {
		lives->use[lives->count - 1].first = event->target;
		lives->use[lives->count - 1].end = event->target + event->width;
	}
	return err;
}

static int add_transfers(struct ct_value_lives *lives, const struct ct_value_engine *engine)
{
	int err = 0;

	for (uint32_t s = 0; s < engine->steps && err == 0; s++)
		if (engine->superstep[s].transfer)
			err = add_transfer(lives, engine, s);
	return err;
}

static int compare_use(const void *a, const void *b)
{
	const struct ct_value_use *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

/* Launches of supersteps below each, and of them those that may use objects unseen. */
struct before {
	uint32_t *launches, *unseen;
};

static int count_before(struct before *before, const struct ct_value_engine *engine)
{
	before->launches = calloc(engine->steps + 1, sizeof(*before->launches));
	before->unseen = calloc(engine->steps + 1, sizeof(*before->unseen));
	if (!before->launches || !before->unseen)
		return -ENOMEM;
	for (size_t s = 0; s < engine->steps; s++) {
		bool is_launch = engine->superstep[s].launch != NULL;

		before->launches[s + 1] = before->launches[s] + is_launch;
		before->unseen[s + 1] =
		    before->unseen[s] + (is_launch && engine->step[s].hides_uses);
	}
	return 0;
}

/* Launches strictly between two supersteps. */
static uint32_t between(const struct before *before, uint32_t first, uint32_t last)
{
	return last > first ? before->launches[last] - before->launches[first + 1] : 0;
}

static void look_at_uses(struct ct_values_lifetime *life, const struct before *before,
			 const struct ct_value_use *use, size_t count)
{
	bool is_read = true;

	life->first = use[0].step;
	life->last = use[count - 1].step;
	life->early = before->launches[life->first] - before->launches[life->allocated_at];
	life->late = life->freed_at > life->last
			 ? before->launches[life->freed_at] - before->launches[life->last + 1]
			 : 0;
	for (size_t i = 1; i < count; i++) {
		uint32_t idle = between(before, use[i - 1].step, use[i].step);

		if (idle > life->idle) {
			life->idle = idle;
			life->idle_from = use[i - 1].step;
			life->idle_to = use[i].step;
		}
	}
	for (size_t i = 0; i < count; i++) {
		const struct ct_value_use *next = i + 1 < count ? &use[i + 1] : NULL;

		if (!use[i].writes || use[i].reads)
			continue;
		is_read = next && (next->reads || !next->first || next->first > use[i].first ||
				   next->end < use[i].end || !use[i].first);
		life->dead_writes += !is_read;
	}
}

/* By what launches use of it, which a trace without values does not tell. */
static uint32_t find_usage(const struct ct_values_lifetime *life)
{
	const struct ct_values_usage *usage = &life->usage;
	double bytes = (double)life->object->event->bytes;
	uint32_t found = 0;

	found |= usage->used && (double)usage->used < USED_LEAST * bytes
		     ? 1u << CT_LIFE_OVERALLOCATED
		     : 0;
	found |= usage->deviation > EVEN_MOST ? 1u << CT_LIFE_UNEVEN : 0;
	found |= usage->launches > 1 && !usage->shared && (double)usage->slice <= SLICE_MOST * bytes
		     ? 1u << CT_LIFE_SLICED
		     : 0;
	found |= usage->dead && (double)usage->dead >= DEAD_LEAST * (double)usage->written
		     ? 1u << CT_LIFE_DEAD_WRITE
		     : 0;
	return found;
}

static void find_patterns(struct ct_values_lifetime *life, size_t uses)
{
	bool is_variable = life->object->event->kind == CT_OBJECT_VARIABLE;
	uint32_t found = 0;

	if (life->object->freed_at == UINT64_MAX && !is_variable)
		found |= 1u << CT_LIFE_LEAK;
	if (life->is_sure && !is_variable) {
		found |= !uses ? 1u << CT_LIFE_UNUSED : 0;
		found |= uses && life->early ? 1u << CT_LIFE_EARLY : 0;
		found |= uses && life->late && life->object->freed_at != UINT64_MAX
			     ? 1u << CT_LIFE_LATE
			     : 0;
		found |= life->idle ? 1u << CT_LIFE_IDLE : 0;
		found |= life->dead_writes ? 1u << CT_LIFE_DEAD_WRITE : 0;
		found |= find_usage(life);
	}
	life->patterns |= found;
}

/* Compares by part, then by the last use, ascending. */
static int compare_last(const void *a, const void *b, void *user)
{
	const struct ct_values_lifetime *life = user;
	const struct ct_values_lifetime *x = &life[*(const uint32_t *)a];
	const struct ct_values_lifetime *y = &life[*(const uint32_t *)b];

	if (x->object->part != y->object->part)
		return x->object->part < y->object->part ? -1 : 1;
	return x->last < y->last ? -1 : x->last > y->last;
}

static bool is_like(const struct ct_values_lifetime *a, const struct ct_values_lifetime *b)
{
	double x = (double)a->object->event->bytes, y = (double)b->object->event->bytes;

	return a->object->part == b->object->part &&
	       a->object->event->device == b->object->event->device && a->is_sure &&
	       (x > y ? x - y <= EQUAL_SIZE * x : y - x <= EQUAL_SIZE * y);
}

#define CANDIDATES 64u /* that are looked at for each object */

/* An object of the same size, whose last use is before this one's first, lends its memory. */
static int find_reuse(struct ct_values_figures *figures)
{
	uint32_t *by_last = malloc((figures->lives + 1) * sizeof(*by_last));

	if (!by_last)
		return -ENOMEM;
	for (uint32_t i = 0; i < figures->lives; i++)
		by_last[i] = i;
	qsort_r(by_last, figures->lives, sizeof(*by_last), compare_last, figures->life);
	for (size_t i = 0; i < figures->lives; i++) {
		struct ct_values_lifetime *life = &figures->life[by_last[i]];

		if (life->first == CT_NONE || !life->is_sure)
			continue;
		for (size_t j = i, looked = 0; j-- > 0 && looked < CANDIDATES; looked++) {
			const struct ct_values_lifetime *other = &figures->life[by_last[j]];

			if (other->first == CT_NONE || other->last >= life->first ||
			    !is_like(other, life))
				continue;
			life->patterns |= 1u << CT_LIFE_REDUNDANT;
			life->reuses = other->object;
			life->lender = (uint32_t)(other - figures->life);
			break;
		}
	}
	free(by_last);
	return 0;
}

/* Whether anything writes the object behind a superstep. */
static bool is_written(const struct ct_value_lives *lives, uint32_t object, uint32_t since)
{
	size_t low = 0, high = lives->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ct_value_use *use = &lives->use[middle];

		if (use->object < object || (use->object == object && use->step <= since))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < lives->count && lives->use[low].object == object; low++)
		if (lives->use[low].writes)
			return true;
	return false;
}

/* A value that a copy finds in memory that was not written since it was allocated is there by
 * chance: that of an object freed before, or zeros. Uses come by object, transfers as they run. */
static int forget_chance(struct ct_values_figures *figures, const struct ct_value_lives *lives,
			 const struct ct_value_engine *engine)
{
	uint32_t *wrote = malloc((figures->lives + 1) * sizeof(*wrote)); /* at any place, first */
	uint64_t *end = calloc(figures->lives + 1, sizeof(*end)); /* of what copies have written */

	for (size_t i = 0; i < figures->lives && wrote; i++)
		wrote[i] = CT_NONE;
	for (size_t i = lives->count; i-- > 0 && wrote;)
		if (lives->use[i].writes && !lives->use[i].end)
			wrote[lives->use[i].object] = lives->use[i].step;
	for (size_t i = 0; i < figures->transfers && wrote && end; i++) {
		struct ct_values_transfer *transfer = &figures->transfer[i];
		const struct ct_event_transfer *event = transfer->transfer->event;
		uint32_t object = ct_value_object_at(engine, transfer->step, event->target);
		uint64_t last = event->target + event->width;

		if (object == CT_NONE ||
		    engine->first_object[object].event->kind != CT_OBJECT_DEVICE)
			continue;
		if (transfer->has_hash && transfer->step <= wrote[object] &&
		    event->target >= end[object]) {
			transfer->same = 0;
			transfer->unknown = transfer->bytes;
		}
		end[object] = last > end[object] ? last : end[object];
	}
	free(end);
	free(wrote);
	return wrote && end ? 0 : -ENOMEM;
}

/* The object that a copy fills as a whole, of known content; CT_NONE. */
static uint32_t filled_object(const struct ct_values_figures *figures,
			      const struct ct_value_engine *engine,
			      const struct ct_values_transfer *transfer)
{
	const struct ct_event_transfer *event = transfer->transfer->event;
	uint32_t object = transfer->has_hash
			      ? ct_value_object_at(engine, transfer->step, event->target)
			      : CT_NONE;

	if (object == CT_NONE || !figures->life[object].is_sure ||
	    engine->first_object[object].event->address != event->target ||
	    engine->first_object[object].event->bytes != transfer->bytes)
		return CT_NONE;
	return object;
}

/* A copy fills an object with what another one holds, as a copy has left it (ValueExpert), and
 * neither changes any more: else both are needed, as where two buffers take turns. */
static int find_duplicates(struct ct_values_figures *figures, const struct ct_value_lives *lives,
			   const struct ct_value_engine *engine)
{
	struct ct_map by_hash = {.entry = NULL}; /* the last copy of it, and one more */
	int err = 0;

	for (size_t i = 0; i < figures->transfers && err == 0; i++) {
		const struct ct_values_transfer *transfer = &figures->transfer[i], *other;
		uint32_t object = filled_object(figures, engine, transfer), twin;
		union ct_map_value *found =
		    object == CT_NONE ? NULL
				      : ct_map_put(&by_hash, transfer->hash[0], transfer->hash[1]);

		if (object == CT_NONE)
			continue;
		if (!found) {
			err = -ENOMEM;
			continue;
		}
		other = found->number ? &figures->transfer[found->number - 1] : NULL;
		twin = other ? filled_object(figures, engine, other) : CT_NONE;
		if (twin != CT_NONE && twin != object && other->bytes == transfer->bytes &&
		    engine->object[twin].freed_at > transfer->step &&
		    engine->superstep[other->step].part == engine->superstep[transfer->step].part &&
		    !is_written(lives, twin, other->step) &&
		    !is_written(lives, object, transfer->step)) {
			figures->life[object].patterns |= 1u << CT_LIFE_DUPLICATE;
			figures->life[object].twin = &engine->first_object[twin];
		}
		found->number = i + 1;
	}
	ct_map_fini(&by_hash);
	return err;
}

struct twins {
	struct ct_values_figures *figures;
	const struct ct_value_lives *lives;
	const struct ct_value_engine *engine;
};

/* Whether launches and memsets have left it. */
static bool stays(void *user, uint32_t object, uint32_t step)
{
	const struct twins *twins = user;
	const struct ct_values_lifetime *life = &twins->figures->life[object];

	return life->is_sure && life->usage.written && !is_written(twins->lives, object, step);
}

static void note_twin(void *user, uint32_t object, uint32_t twin)
{
	const struct twins *twins = user;
	struct ct_values_lifetime *life = &twins->figures->life[object];

	life->patterns |= 1u << CT_LIFE_DUPLICATE;
	life->twin = life->twin ? life->twin : &twins->engine->first_object[twin];
}

static int compare_contents(const struct ct_value_contents *contents, struct twins *twins)
{
	const struct ct_value_compare compare = {stays, note_twin, twins};

	return twins->engine->precision
		   ? 0 /* what is cut may differ */
		   : ct_value_contents_compare(contents, twins->engine, &compare);
}

static void make_life(struct ct_values_lifetime *life, const struct ct_value_engine *engine,
		      const struct before *before, uint32_t object)
{
	const struct ct_object_info *info = &engine->first_object[object];

	*life = (struct ct_values_lifetime){
	    .object = info,
	    .group = engine->object[object].group,
	    .allocated_at = engine->object[object].allocated_at,
	    .first = CT_NONE,
	    .last = CT_NONE,
	    .freed_at = ct_value_step_behind(engine, info->part, info->freed_at),
	};
	life->is_sure = engine->object[object].is_device && !engine->object[object].is_shared &&
			before->unseen[life->freed_at] == before->unseen[life->allocated_at];
}

int ct_value_lives_finish(struct ct_value_lives *lives, struct ct_value_usage *usage,
			  const struct ct_value_contents *contents,
			  struct ct_values_figures *figures, const struct ct_value_engine *engine)
{
	const struct ct_object_info *infos;
	size_t objects = ct_trace_objects(engine->trace, &infos), at = 0;
	size_t *uses = calloc(objects + 1, sizeof(*uses)); /* by object */
	struct before before = {NULL, NULL};
	int err = add_transfers(lives, engine);

	if (err == 0)
		err = count_before(&before, engine);
	figures->life = calloc(objects + 1, sizeof(*figures->life));
	if (err == 0 && (!figures->life || !uses))
		err = -ENOMEM;
	if (lives->count)
		qsort(lives->use, lives->count, sizeof(*lives->use), compare_use);
	for (uint32_t i = 0; i < objects && err == 0; i++) {
		struct ct_values_lifetime *life = &figures->life[figures->lives++];
		size_t first = at;

		while (at < lives->count && lives->use[at].object == i)
			at++;
		make_life(life, engine, &before, i);
		if (at > first)
			look_at_uses(life, &before, lives->use + first, at - first);
		uses[i] = at - first;
	}
	if (err == 0)
		err = ct_value_usage_finish(usage, figures, engine);
	for (uint32_t i = 0; i < objects && err == 0; i++) {
		if (engine->has_values)
			figures->life[i].dead_writes = (uint32_t)figures->life[i].usage.dead_writes;
		find_patterns(&figures->life[i], uses[i]);
	}
	free(uses);
	if (err == 0)
		err = find_reuse(figures);
	if (err == 0)
		err = forget_chance(figures, lives, engine);
	if (err == 0)
		err = find_duplicates(figures, lives, engine);
	if (err == 0)
		err = compare_contents(contents, &(struct twins){figures, lives, engine});
	if (err == 0)
		err = ct_values_memory_replay(figures, engine->steps);
	free(before.launches);
	free(before.unseen);
	return err;
}
