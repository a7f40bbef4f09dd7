/* SPDX-License-Identifier: Apache-2.0 */
/* Births and deaths of objects, in their order, pair by pair. */
#include "postproc/analysis/ffm/pairs.h"
#include "base/array.h"
#include "base/large.h"
#include <errno.h>
#include <stdlib.h>

struct moment {
	uint64_t index; /* of the event */
	uint32_t object;
	bool is_death;
};

struct pairing {
	const struct ct_ffm_memory *memory;
	const struct ct_ffm_program *program;
	const uint32_t *site;
	struct ct_map numbers; /* sites of both -> pair + 1 */
	struct ct_ffm_pair *pair;
	struct use *use; /* by pair */
	size_t pairs;
};

struct use {
	uint64_t deaths;
	uint32_t alive, left; /* now; freed, and not used again since */
	uint32_t last;        /* object that was allocated last */
};

static bool is_paired(const struct ct_ffm_object *object)
{
	return object->allocated != CT_FFM_NONE && object->freed != CT_FFM_NONE &&
	       !object->is_ordered;
}

static int compare_moments(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

static int list_moments(const struct ct_ffm_memory *memory, struct moment **out, size_t *count)
{
	struct moment *moment = ct_large_alloc(2 * memory->objects + 1, sizeof(*moment));

	*out = moment;
	*count = 0;
	if (!moment)
		return -ENOMEM;
	for (size_t i = 0; i < memory->objects; i++) {
		const struct ct_ffm_object *object = &memory->object[i];

		if (!is_paired(object))
			continue;
		moment[(*count)++] = (struct moment){object->allocated_at, (uint32_t)i, false};
		moment[(*count)++] = (struct moment){object->freed_at, (uint32_t)i, true};
	}
	qsort(moment, *count, sizeof(*moment), compare_moments);
	return 0;
}

/* The number of an object's pair; CT_FFM_NONE: memory is short. */
static uint32_t pair_of(struct pairing *pairing, uint32_t number)
{
	const struct ct_ffm_object *object = &pairing->memory->object[number];
	union ct_map_value *known = ct_map_put(&pairing->numbers, pairing->site[object->allocated],
					       pairing->site[object->freed]);

	if (!known)
		return CT_FFM_NONE;
	if (known->number)
		return (uint32_t)known->number - 1;
	if (ct_array_grow(&pairing->pair, pairing->pairs, sizeof(*pairing->pair)) < 0 ||
	    ct_array_grow(&pairing->use, pairing->pairs, sizeof(*pairing->use)) < 0)
		return CT_FFM_NONE;
	pairing->pair[pairing->pairs] = (struct ct_ffm_pair){.allocated = object->allocated,
							     .freed = object->freed,
							     .object = number,
							     .least_bytes = UINT64_MAX};
	pairing->use[pairing->pairs] = (struct use){0};
	known->number = ++pairing->pairs;
	return (uint32_t)pairing->pairs - 1;
}

static void is_allocated(struct ct_ffm_pair *pair, struct use *use,
			 const struct ct_ffm_object *object, const struct ct_ffm_step *step)
{
	uint64_t bytes = object->end - object->begin;

	pair->count++;
	pair->bytes += bytes;
	if (bytes < pair->least_bytes)
		pair->least_bytes = bytes;
	if (bytes > pair->most_bytes)
		pair->most_bytes = bytes;
	if (++use->alive > pair->alive)
		pair->alive = use->alive;
	if (!use->left)
		return;
	use->left--;
	pair->again++;
	pair->allocate_ns += step[object->allocated].launch_ns;
}

/* free_ns is the sum until all are known. */
static void is_freed(struct ct_ffm_pair *pair, struct use *use, const struct ct_ffm_object *object,
		     const struct ct_ffm_step *step)
{
	use->alive--;
	use->left++;
	use->deaths++;
	pair->free_ns += step[object->freed].launch_ns;
	pair->wait_ns += step[object->freed].wait_ns;
}

static void chain(struct pairing *pairing, uint32_t pair, uint32_t object, uint32_t *next)
{
	struct use *use = &pairing->use[pair];

	next[object] = CT_FFM_NONE;
	if (object != pairing->pair[pair].object)
		next[use->last] = object;
	use->last = object;
}

static int add_moment(struct pairing *pairing, const struct moment *moment, uint32_t *next)
{
	const struct ct_ffm_object *object = &pairing->memory->object[moment->object];
	const struct ct_ffm_step *step = pairing->program->graph.step;
	uint32_t number = pair_of(pairing, moment->object);

	if (number == CT_FFM_NONE)
		return -ENOMEM;
	if (moment->is_death) {
		is_freed(&pairing->pair[number], &pairing->use[number], object, step);
		return 0;
	}
	is_allocated(&pairing->pair[number], &pairing->use[number], object, step);
	chain(pairing, number, moment->object, next);
	return 0;
}

int ct_ffm_pairs_init(struct ct_ffm_pairs *pairs, const struct ct_ffm_memory *memory,
		      const struct ct_ffm_program *program, const uint32_t *site)
{
	struct pairing pairing = {.memory = memory, .program = program, .site = site};
	struct moment *moment;
	size_t count;
	int err = list_moments(memory, &moment, &count);

	*pairs = (struct ct_ffm_pairs){
	    .next = ct_large_alloc(memory->objects + 1, sizeof(*pairs->next))};
	if (!pairs->next)
		err = -ENOMEM;
	for (size_t i = 0; i < count && err == 0; i++)
		err = add_moment(&pairing, &moment[i], pairs->next);
	for (size_t i = 0; i < pairing.pairs && err == 0; i++)
		pairing.pair[i].free_ns =
		    (uint64_t)((double)pairing.pair[i].free_ns * (double)pairing.pair[i].again /
			       (double)pairing.use[i].deaths);
	ct_large_free(moment);
	free(pairing.use);
	ct_map_fini(&pairing.numbers);
	pairs->pair = pairing.pair;
	pairs->count = pairing.pairs;
	return err;
}

void ct_ffm_pairs_fini(struct ct_ffm_pairs *pairs)
{
	free(pairs->pair);
	ct_large_free(pairs->next);
	*pairs = (struct ct_ffm_pairs){0};
}
