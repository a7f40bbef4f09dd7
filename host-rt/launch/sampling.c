/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of launches, and who is next in each; which CTAs of a launch. */
#include "host-rt/launch/sampling.h"
#include "base/hash.h"
#include "unwind/unwind.h"
#include <stdlib.h>

struct ct_launch_context {
	uint64_t key;
	uint64_t launches;
	const struct ct_kernel *kernel;
	const char *site;
	uint32_t stack; /* row of STACK; 0 if the call path does not count */
	uint32_t id;
};

/* By key, open addressing; at most half full. */
static struct ct_launch_context **contexts;
static uint32_t room, count;

static struct ct_launch_context **place_of(struct ct_launch_context **table, uint32_t size,
					   uint64_t key)
{
	uint32_t i = (uint32_t)key & (size - 1);

	while (table[i] && table[i]->key != key)
		i = (i + 1) & (size - 1);
	return &table[i];
}

static bool make_room(void)
{
	uint32_t size = room ? 2 * room : 256;
	struct ct_launch_context **table;

	if (2 * count < room)
		return true;
	table = calloc(size, sizeof(struct ct_launch_context *));
	if (!table)
		return false;
	for (uint32_t i = 0; i < room; i++)
		if (contexts[i])
			*place_of(table, size, contexts[i]->key) = contexts[i];
	free(contexts);
	contexts = table;
	room = size;
	return true;
}

static uint32_t id_of(const struct ct_launch_context *context)
{
	uint64_t hash = ct_hash_join(0, context->kernel->unit_id);

	hash = ct_hash_join_string(hash, context->kernel->name);
	hash = ct_hash_join_string(hash, context->site ? context->site : "");
	if (context->stack)
		hash = ct_hash_join(hash, ct_stack_hash(context->stack));
	return (uint32_t)hash ? (uint32_t)hash : 1;
}

struct ct_launch_context *ct_sampling_context(const struct ct_kernel *kernel, const char *site,
					      uintptr_t base)
{
	uint64_t key = ct_hash_join((uintptr_t)kernel, (uintptr_t)site);
	uint32_t stack = base ? ct_stack_take((const void *)base) : 0;
	struct ct_launch_context *context, **place;

	if (stack)
		key = ct_hash_join(key, stack);
	if (!make_room())
		return NULL;
	place = place_of(contexts, room, key);
	if (*place)
		return *place;
	context = calloc(1, sizeof(*context));
	if (!context)
		return NULL;
	context->key = key;
	context->kernel = kernel;
	context->site = site;
	context->stack = stack;
	context->id = id_of(context);
	*place = context;
	count++;
	return context;
}

uint32_t ct_sampling_id(const struct ct_launch_context *context)
{
	return context ? context->id : 0;
}

bool ct_sampling_takes(struct ct_launch_context *context, uint64_t period)
{
	return !context || context->launches++ % period == 0;
}

void ct_sampling_blocks(struct ct_sample *sample, const struct ct_options *options, uint64_t ctas,
			uint64_t number)
{
	uint64_t period = options->sample_blocks, least = options->sample_blocks_least;

	if (least > 1 && period > ctas / least)
		period = ctas / least;
	if (period <= 1)
		return;
	sample->block_period = (uint32_t)period;
	sample->block_offset =
	    (uint32_t)(ct_hash_join(ct_hash_join(0, options->seed), number) % period);
}
