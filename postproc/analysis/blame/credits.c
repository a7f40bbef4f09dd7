/* SPDX-License-Identifier: Apache-2.0 */
/* Credit of places at the end of paths, each found once. */
#include "postproc/analysis/blame/chains.h"
#include "postproc/analysis/blame/state.h"

#include "base/array.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint32_t ct_blame_shares(const struct ct_unit *unit, uint32_t block, uint32_t *count)
{
	uint32_t low = 0, high = unit->header->share_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (unit->shares[middle].block < block)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < unit->header->share_count && unit->shares[high].block == block;)
		high++;
	*count = high - low;
	return low;
}

/* Merges a set, without what is no variable. */
static uint32_t *merged_set(const struct ct_blame *blame, const struct ct_blame_set *set,
			    bool with_parents, uint32_t *count)
{
	uint32_t *list = malloc((set->count * 8 + 1) * sizeof(*list));

	*count = 0;
	for (size_t i = 0; list && i < set->count; i++) {
		uint32_t v = blame->state->merged[set->of[i] >> 32][(uint32_t)set->of[i]];

		for (uint32_t up = 0; v != CT_NONE && up < 8; up++, v = blame->variable[v].parent) {
			bool is_there = false;

			for (uint32_t j = 0; j < *count; j++)
				is_there |= list[j] == v;
			if (!is_there)
				list[(*count)++] = v;
			if (!with_parents)
				break;
		}
	}
	return list;
}

static uint64_t *copy_set(const struct ct_blame_set *set, uint32_t *count)
{
	uint64_t *copy = malloc((set->count + 1) * sizeof(*copy));

	*count = (uint32_t)set->count;
	if (copy && set->count)
		memcpy(copy, set->of, set->count * sizeof(*copy));
	return copy;
}

/* Functions of the chain, the kernel first. */
static int copy_chain(struct ct_blame_credited *to, const struct ct_blame_chain *chain)
{
	to->functions = chain->depth;
	to->frames = malloc((chain->depth + 1u) * sizeof(*to->frames));
	if (!to->frames)
		return -ENOMEM;
	for (uint32_t i = 0; i < chain->depth; i++)
		to->frames[i] = chain->frame[chain->depth - 1 - i];
	return 0;
}

static int add_credited(struct ct_blame *blame, struct ct_blame_chain *chain)
{
	struct ct_blame_state *state = blame->state;
	struct ct_blame_credit *from = &state->scratch;
	struct ct_blame_credited to = {0};
	uint32_t nears;
	int err = ct_blame_credit_make(from, state->places, state->weights->units, chain);

	if (err < 0 || ct_array_reserve(&state->credited, &state->credited_room,
					state->credited_count + 1, sizeof(to)) < 0)
		return -ENOMEM;
	to.inclusive = merged_set(blame, &from->blamed, false, &to.inclusives);
	to.read = merged_set(blame, &from->read, true, &to.reads);
	to.near = malloc((from->nearest.count + 1) * sizeof(*to.near));
	to.near_share = malloc((from->nearest.count + 1) * sizeof(*to.near_share));
	to.exits = copy_set(&from->exits, &to.exit_count);
	to.leaving = copy_set(&from->leaving, &to.leaving_count);
	to.read_exits = copy_set(&from->read_exits, &to.read_exit_count);
	to.written_exits = copy_set(&from->written_exits, &to.written_exit_count);
	to.is_resolved = from->is_resolved;
	to.is_nearest = from->is_resolved && from->is_nearest;
	err = copy_chain(&to, chain);
	nears = to.near && to.near_share ? (uint32_t)from->nearest.count : 0;
	for (uint32_t i = 0; i < nears; i++) {
		uint64_t of = from->nearest.of[i];

		to.near[i] = state->merged[of >> 32][(uint32_t)of];
		to.near_share[i] = from->share[i];
	}
	to.nears = nears;
	state->credited[state->credited_count++] = to;
	return err == 0 && to.inclusive && to.read && to.near && to.near_share && to.exits &&
		       to.leaving && to.read_exits && to.written_exits
		   ? 0
		   : -ENOMEM;
}

static int add_static(void *user, struct ct_blame_chain *chain)
{
	struct ct_blame_chain copy = *chain;

	return add_credited(user, &copy);
}

static int count_static(void *user, struct ct_blame_chain *chain)
{
	(void)chain;
	++*(uint32_t *)user;
	return 0;
}

/* How many paths the static call graph has from a place to a kernel. */
static uint32_t static_paths(struct ct_blame *blame, const char *kernel)
{
	struct ct_blame_state *state = blame->state;
	struct ct_blame_frame *outer = &state->chain.frame[state->chain.depth - 1];
	uint32_t found = 0;
	union ct_map_value *known =
	    ct_map_put(&state->static_of, ct_hash_join_string(1, outer->function),
		       ct_hash_join_string(2, kernel));

	if (known && known->number)
		return (uint32_t)known->number - 1;
	ct_blame_chains_static(&state->chain, state->places, state->weights->units, kernel,
			       count_static, &found);
	if (known)
		known->number = found + 1u;
	return found;
}

static int make_credits(struct ct_blame *blame, const char *kernel, uint32_t unit, uint32_t frame,
			uint32_t path, struct ct_blame_credits *credits)
{
	struct ct_blame_state *state = blame->state;
	bool is_known = path != CT_BLAME_NO_PATH;
	int err = 0;

	*credits = (struct ct_blame_credits){(uint32_t)state->credited_count, 0, 0};
	if (!ct_blame_chain_known(&state->chain, state->weights, unit, frame, 0))
		return 0;
	credits->static_paths = static_paths(blame, kernel);
	if (is_known && ct_blame_chain_known(&state->chain, state->weights, unit, frame, path))
		err = add_credited(blame, &state->chain);
	else if (!is_known)
		err = ct_blame_chains_static(&state->chain, state->places, state->weights->units,
					     kernel, add_static, blame);
	credits->count = (uint32_t)state->credited_count - credits->first;
	return err;
}

static int keep_credits(struct ct_blame_state *state, const struct ct_blame_credits *credits,
			uint32_t *index)
{
	if (ct_array_grow(&state->credits, state->credits_count, sizeof(*credits)) < 0)
		return -ENOMEM;
	*index = (uint32_t)state->credits_count;
	state->credits[state->credits_count++] = *credits;
	return 0;
}

static int credits_at(struct ct_blame *blame, uint32_t launch, uint32_t unit, uint32_t frame,
		      uint32_t path, uint32_t *index)
{
	struct ct_blame_state *state = blame->state;
	uint32_t kernel = path == CT_BLAME_NO_PATH ? state->kernels.of_launch[launch] : 0;
	union ct_map_value *known = ct_map_put(&state->credits_of, (uint64_t)unit << 32 | frame,
					       (uint64_t)path << 32 | kernel);
	struct ct_blame_credits credits;
	int err;

	if (!known)
		return -ENOMEM;
	if (known->number) {
		*index = (uint32_t)known->number - 1;
		return 0;
	}
	err = make_credits(blame, state->launches[launch].kernel_name, unit, frame, path, &credits);
	if (err == 0)
		err = keep_credits(state, &credits, index);
	if (err == 0)
		known->number = *index + 1u;
	return err;
}

int ct_blame_credits_of_chain(struct ct_blame *blame, const char *kernel, uint32_t *index)
{
	struct ct_blame_state *state = blame->state;
	struct ct_blame_credits credits = {(uint32_t)state->credited_count, 0,
					   static_paths(blame, kernel)};
	int err = ct_blame_chains_static(&state->chain, state->places, state->weights->units,
					 kernel, add_static, blame);

	credits.count = (uint32_t)state->credited_count - credits.first;
	return err < 0 ? err : keep_credits(state, &credits, index);
}

int ct_blame_credits_of(struct ct_blame *blame, const struct ct_blame_weight *weight,
			uint32_t share, uint32_t *index)
{
	const struct ct_unit *unit = &blame->state->weights->units[weight->unit];

	return credits_at(blame, weight->launch, weight->unit, unit->shares[share].frame,
			  weight->path, index);
}
