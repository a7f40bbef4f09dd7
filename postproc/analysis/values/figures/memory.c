/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory over time. */
#include "postproc/analysis/values/figures/memory.h"

#include <errno.h>
#include <stdlib.h>

static bool is_on_device(const struct ct_values_lifetime *life)
{
	return life->object->event->kind != CT_OBJECT_HOST;
}

/* Bytes that begin, less those that end, at each superstep. */
static void add_span(int64_t *change, uint32_t first, uint32_t end, uint64_t bytes)
{
	change[first] += (int64_t)bytes;
	change[end] -= (int64_t)bytes;
}

/* The part of an object's life that it would have without a pattern; end <= first: none. */
struct stay {
	uint32_t first, end;
	uint64_t bytes;
	uint32_t away, back; /* it is elsewhere from away to back - 1 */
};

static struct stay stay_of(const struct ct_values_lifetime *life, unsigned pattern)
{
	struct stay stay = {life->allocated_at, life->freed_at, life->object->event->bytes, 0, 0};

	switch (pattern) {
	case CT_LIFE_UNUSED:
	case CT_LIFE_DUPLICATE:
	case CT_LIFE_REDUNDANT:
		stay.end = stay.first;
		break;
	case CT_LIFE_LEAK:
	case CT_LIFE_LATE:
		stay.end = life->last == CT_NONE ? stay.first : life->last + 1;
		break;
	case CT_LIFE_EARLY:
		stay.first = life->first;
		break;
	case CT_LIFE_IDLE:
		stay.away = life->idle_from + 1;
		stay.back = life->idle_to;
		break;
	case CT_LIFE_OVERALLOCATED:
		stay.bytes = life->usage.used;
		break;
	case CT_LIFE_SLICED:
		stay.bytes = life->usage.slice;
		break;
	default:
		break;
	}
	return stay;
}

uint64_t ct_values_memory_saved(const struct ct_values_figures *figures,
				const struct ct_values_lifetime *life, enum ct_values_life_id id)
{
	uint32_t peak = figures->memory.peak_step;
	uint64_t bytes = life->object->event->bytes;
	struct stay stay = stay_of(life, id);
	const struct ct_values_lifetime *lender = &figures->life[life->lender];

	if (!is_on_device(life) || peak < life->allocated_at || peak >= life->freed_at)
		return 0;
	if (id == CT_LIFE_REDUNDANT) /* memory that is given back could be lent by none */
		return lender->allocated_at <= peak && peak < lender->freed_at ? bytes : 0;
	if (peak < stay.first || peak >= stay.end || (peak >= stay.away && peak < stay.back))
		return bytes;
	return bytes - stay.bytes;
}

/* A lender keeps its memory until its last tenant leaves; of tenants that use it at the same time
 * the first has it, the others have their own. until: by life, the last use of its memory. */
static bool move_in(const struct ct_values_figures *figures, const struct ct_values_lifetime *life,
		    uint32_t *until, int64_t *change)
{
	size_t lender = life->lender;
	const struct ct_values_lifetime *other = &figures->life[lender];

	if (until[lender] >= life->first)
		return false;
	if (life->last + 1 > other->freed_at) {
		uint32_t from =
		    until[lender] + 1 > other->freed_at ? until[lender] + 1 : other->freed_at;

		add_span(change, from, life->last + 1, other->object->event->bytes);
	}
	until[lender] = life->last;
	return true;
}

static int compare_first(const void *a, const void *b, void *user)
{
	const struct ct_values_lifetime *life = user;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	if (life[i].first != life[j].first)
		return life[i].first < life[j].first ? -1 : 1;
	return i < j ? -1 : i > j;
}

static uint32_t *sort_by_first(const struct ct_values_figures *figures)
{
	uint32_t *list = malloc((figures->lives + 1) * sizeof(*list));

	for (uint32_t i = 0; i < figures->lives && list; i++)
		list[i] = i;
	if (list)
		qsort_r(list, figures->lives, sizeof(*list), compare_first, figures->life);
	return list;
}

/* The peak if no object had the pattern. */
static int replay_without(struct ct_values_figures *figures, size_t steps, unsigned pattern)
{
	int64_t *change = calloc(steps + 2, sizeof(*change)), sum = 0, peak = 0;
	uint32_t *by_first = sort_by_first(figures);
	uint32_t *until = malloc((figures->lives + 1) * sizeof(*until));
	int err;

	for (size_t i = 0; i < figures->lives && until; i++)
		until[i] = figures->life[i].last == CT_NONE ? 0 : figures->life[i].last;
	for (size_t i = 0; i < figures->lives && change && until && by_first; i++) {
		const struct ct_values_lifetime *life = &figures->life[by_first[i]];
		bool has = life->patterns >> pattern & 1;
		struct stay stay;

		if (!is_on_device(life))
			continue;
		if (pattern == CT_LIFE_REDUNDANT && has)
			has = move_in(figures, life, until, change);
		stay = stay_of(life, has ? pattern : CT_LIFE_PATTERNS);
		if (stay.end > stay.first)
			add_span(change, stay.first, stay.end, stay.bytes);
		if (stay.back > stay.away) {
			change[stay.away] -= (int64_t)stay.bytes;
			change[stay.back] += (int64_t)stay.bytes;
		}
	}
	for (size_t s = 0; s < steps && change; s++) {
		sum += change[s];
		peak = sum > peak ? sum : peak;
	}
	figures->memory.without[pattern] = (uint64_t)peak;
	err = change && until && by_first ? 0 : -ENOMEM;
	free(by_first);
	free(until);
	free(change);
	return err;
}

int ct_values_memory_replay(struct ct_values_figures *figures, size_t steps)
{
	struct ct_values_memory *memory = &figures->memory;
	int64_t *lived = calloc(steps + 2, sizeof(*lived)), *needed, sum = 0, least = 0;
	int err = 0;

	needed = calloc(steps + 2, sizeof(*needed));
	memory->bytes = calloc(steps + 1, sizeof(*memory->bytes));
	memory->needed = calloc(steps + 1, sizeof(*memory->needed));
	if (!lived || !needed || !memory->bytes || !memory->needed)
		err = -ENOMEM;
	for (size_t i = 0; i < figures->lives && err == 0; i++) {
		const struct ct_values_lifetime *life = &figures->life[i];
		uint64_t bytes = life->object->event->bytes;

		if (!is_on_device(life))
			continue;
		add_span(lived, life->allocated_at, life->freed_at, bytes);
		if (!life->is_sure || life->object->event->kind == CT_OBJECT_VARIABLE)
			add_span(needed, life->allocated_at, life->freed_at, bytes);
		else if (life->first != CT_NONE)
			add_span(needed, life->first, life->last + 1, bytes);
	}
	for (size_t s = 0; s < steps && err == 0; s++) {
		sum += lived[s];
		least += needed[s];
		memory->bytes[s] = (uint64_t)sum;
		memory->needed[s] = (uint64_t)least;
		if (memory->bytes[s] > memory->peak) {
			memory->peak = memory->bytes[s];
			memory->peak_step = (uint32_t)s;
		}
		if (memory->needed[s] > memory->needed_peak)
			memory->needed_peak = memory->needed[s];
	}
	memory->steps = steps;
	for (unsigned p = 0; p < CT_LIFE_PATTERNS && err == 0; p++)
		err = replay_without(figures, steps, p);
	free(lived);
	free(needed);
	return err;
}
