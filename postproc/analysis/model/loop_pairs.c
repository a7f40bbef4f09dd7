/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of blocks beside loops of machine code. */
#include "postproc/analysis/model/loop_pairs.h"
#include "postproc/analysis/model/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE CT_LOOPS_NONE
/* Two loops that are taken for the same one may differ so much in what they do, in parts. */
#define LIKE 0.34
/* Turns of a loop that unrolling leaves beside it, at most. */
#define REST_MOST 64u

static int open_side(struct ct_loop_side *side, uint32_t blocks, uint32_t edges)
{
	side->blocks = blocks;
	side->first = calloc(blocks + 1u, sizeof(*side->first));
	side->next = calloc(edges + 1u, sizeof(*side->next));
	side->operations = calloc(blocks + 1u, sizeof(*side->operations));
	side->weight = calloc(blocks + 1u, sizeof(*side->weight));
	side->is_slow = calloc(blocks + 1u, sizeof(*side->is_slow));
	return side->first && side->next && side->operations && side->weight && side->is_slow
		   ? 0
		   : -ENOMEM;
}

static int find_loops(struct ct_loop_side *side)
{
	const struct ct_block_graph graph = {side->blocks, side->first, side->next};

	return ct_loops_find(&side->loops, &graph);
}

/* The kernel's own blocks, without those of functions that it calls. */
static int read_ours(struct ct_loop_pairs *pairs, uint32_t blocks)
{
	struct ct_loop_side *side = &pairs->ours;
	const struct ct_unit_block *block = &pairs->unit->blocks[pairs->first_of_unit];
	uint32_t edges = 0;

	for (uint32_t b = 0; b < blocks; b++)
		edges += block[b].next_count;
	if (open_side(side, blocks, edges) < 0)
		return -ENOMEM;
	edges = 0;
	for (uint32_t b = 0; b < blocks; b++) {
		side->first[b] = edges;
		for (uint32_t n = 0; n < block[b].next_count; n++)
			side->next[edges++] = pairs->unit->next[block[b].next_first + n];
		for (uint32_t m = 0; m < block[b].mix_count; m++) {
			const struct ct_unit_mix *mix = &pairs->unit->mix[block[b].mix_first + m];

			if (!(mix->instruction & CT_MIX_CHAIN))
				ct_operations_add(&side->operations[b], mix->instruction,
						  mix->space, mix->bytes, mix->count);
			side->is_slow[b] |= mix->instruction == CT_IN_CALL;
		}
	}
	side->first[blocks] = edges;
	return find_loops(side);
}

static int read_machines(struct ct_loop_pairs *pairs)
{
	const struct ct_sass_code *code = &pairs->code;
	struct ct_loop_side *side = &pairs->machines;
	uint32_t edges = 0;

	if (open_side(side, code->blocks, 2 * code->blocks) < 0)
		return -ENOMEM;
	for (uint32_t b = 0; b < code->blocks; b++) {
		const struct ct_sass_block *block = &code->block[b];

		side->first[b] = edges;
		for (uint32_t n = 0; n < 2; n++)
			if (block->next[n] != NONE)
				side->next[edges++] = block->next[n];
		for (uint32_t i = block->first; i < block->first + block->count; i++) {
			const struct ct_sass_instruction *in = &code->instruction[i];

			ct_operations_add(&side->operations[b], in->class, in->space, in->bytes, 1);
			side->is_slow[b] |= in->class == CT_IN_CALL;
		}
		side->weight[b] = 1;
	}
	side->first[code->blocks] = edges;
	return find_loops(side);
}

double ct_loop_pairs_executed(const struct ct_loop_pairs *pairs, uint32_t loop)
{
	return (double)pairs->executed[pairs->ours.loops.loop[loop].header];
}

/* How often a turn of its loop goes through a block; 0: nothing did. */
static void weigh_ours(struct ct_loop_pairs *pairs)
{
	struct ct_loop_side *side = &pairs->ours;

	for (uint32_t b = 0; b < side->blocks; b++) {
		double header;

		if (side->loops.of[b] == NONE)
			continue;
		header = ct_loop_pairs_executed(pairs, side->loops.of[b]);
		side->weight[b] = header > 0 ? (double)pairs->executed[b] / header : 0;
	}
}

/* Sums what a turn does by the loop's own blocks, and by those of loops in it as often as they
 * turn. */
static struct ct_operations own_operations(const struct ct_loop_side *side, uint32_t loop)
{
	struct ct_operations operations = {0};

	for (uint32_t b = 0; b < side->blocks; b++)
		if (side->loops.of[b] == loop)
			ct_operations_sum(&operations, &side->operations[b], side->weight[b]);
	return operations;
}

static bool is_in(const struct ct_loops *loops, uint32_t loop, uint32_t around)
{
	while (loop != around && loop != 0)
		loop = loops->loop[loop].parent;
	return loop == around;
}

static struct ct_operations whole_operations(const struct ct_loop_pairs *pairs, uint32_t loop)
{
	const struct ct_loop_side *side = &pairs->ours;
	struct ct_operations operations = {0};

	for (uint32_t b = 0; b < side->blocks; b++)
		if (side->loops.of[b] != NONE && is_in(&side->loops, side->loops.of[b], loop) &&
		    ct_loop_pairs_executed(pairs, loop) > 0)
			ct_operations_sum(&operations, &side->operations[b],
					  (double)pairs->executed[b] /
					      ct_loop_pairs_executed(pairs, loop));
	return operations;
}

static bool has_loops(const struct ct_loop_side *side, uint32_t loop)
{
	for (uint32_t i = 1; i < side->loops.loops; i++)
		if (i != loop && side->loops.loop[i].parent == loop)
			return true;
	return false;
}

/* How far a loop of ours is from one of the machine's; with all that is in it, if that has none. */
static double distance(const struct ct_loop_pairs *pairs, uint32_t ours, uint32_t machines,
		       double *turns)
{
	struct ct_operations a = own_operations(&pairs->ours, ours),
			     b = own_operations(&pairs->machines, machines);
	double best = ct_operations_compare(&a, &b, turns), other;

	if (has_loops(&pairs->ours, ours) && !has_loops(&pairs->machines, machines)) {
		a = whole_operations(pairs, ours);
		other = ct_operations_apart(&a, 1, &b);
		if (other < best) {
			best = other;
			*turns = 1;
		}
	}
	return best;
}

/* Likewise of a loop of ours with loops in it, of which the machine's has whole turns beside its
 * own: what is left of them by unrolling. *rest: how many. */
static double distance_with_rest(const struct ct_loop_pairs *pairs, uint32_t ours,
				 uint32_t machines, uint32_t *rest)
{
	const struct ct_loops *loops = &pairs->ours.loops;
	struct ct_operations a = own_operations(&pairs->ours, ours),
			     b = own_operations(&pairs->machines, machines);
	struct ct_operations inner = {0};
	double best = 1;

	for (uint32_t i = 1; i < loops->loops; i++)
		if (i != ours && loops->loop[i].parent == ours) {
			struct ct_operations operations = own_operations(&pairs->ours, i);

			ct_operations_sum(&inner, &operations, 1);
		}
	for (uint32_t turns = 1; turns <= REST_MOST && has_loops(&pairs->machines, machines);
	     turns++) {
		double far;

		ct_operations_sum(&a, &inner, 1);
		far = ct_operations_apart(&a, 1, &b);
		if (far < best) {
			best = far;
			*rest = turns;
		}
	}
	return best;
}

/* The nearest loop of those in the machine's, from `from` on, that is near enough; NONE. */
static uint32_t nearest(struct ct_loop_pairs *pairs, uint32_t ours, uint32_t machines,
			uint32_t from, bool has_rest)
{
	const struct ct_loops *loops = &pairs->machines.loops;
	uint32_t found = NONE;
	double best = LIKE;

	for (uint32_t j = from; j < loops->loops; j++) {
		double far, turns = 1;
		uint32_t rest = 0;

		if (loops->loop[j].parent != machines || j == machines)
			continue;
		far = has_rest ? distance_with_rest(pairs, ours, j, &rest)
			       : distance(pairs, ours, j, &turns);
		if (far < best) {
			best = far;
			found = j;
			pairs->turns[ours] = turns;
			pairs->rest[ours] = rest;
		}
	}
	return found;
}

/* The loops in a pair of loops, both in their order: each of ours with the nearest of the machine's
 * that is left. Those behind it that are as it as well are what is left of its turns. */
static void match(struct ct_loop_pairs *pairs, uint32_t ours, uint32_t machines)
{
	const struct ct_loop_side *a = &pairs->ours;
	uint32_t from = 1;

	for (uint32_t i = 1; i < a->loops.loops; i++) {
		uint32_t found;

		if (a->loops.loop[i].parent != ours || i == ours ||
		    ct_loop_pairs_executed(pairs, i) <= 0)
			continue;
		found = nearest(pairs, i, machines, from, false);
		if (found == NONE && has_loops(a, i))
			found = nearest(pairs, i, machines, from, true);
		pairs->found[i] = found;
		pairs->inside[i] = found == NONE && !has_loops(a, i);
		if (found == NONE)
			continue;
		from = found + 1;
		match(pairs, i, found);
	}
}

uint32_t ct_loop_pairs_holder(const struct ct_loop_pairs *pairs, uint32_t block)
{
	uint32_t loop = pairs->ours.loops.of[block];

	while (loop != NONE && loop != 0 && pairs->inside[loop])
		loop = pairs->ours.loops.loop[loop].parent;
	return loop;
}

static int pair(struct ct_loop_pairs *pairs)
{
	uint32_t loops = pairs->ours.loops.loops;

	pairs->found = calloc(loops, sizeof(*pairs->found));
	pairs->inside = calloc(loops, sizeof(*pairs->inside));
	pairs->turns = calloc(loops, sizeof(*pairs->turns));
	pairs->rest = calloc(loops, sizeof(*pairs->rest));
	if (!pairs->found || !pairs->inside || !pairs->turns || !pairs->rest)
		return -ENOMEM;
	for (uint32_t i = 0; i < loops; i++) {
		pairs->found[i] = NONE;
		pairs->turns[i] = 1;
	}
	weigh_ours(pairs);
	pairs->found[0] = 0;
	match(pairs, 0, 0);
	return 0;
}

/* The kernel's blocks, which stand one behind the other in their unit; how many, 0: it did not run.
 */
static uint32_t find_blocks(struct ct_loop_pairs *pairs, const struct ct_unit *units, size_t count,
			    const uint64_t *executed, const char *symbol)
{
	uint32_t blocks = 0, at = 0;

	for (size_t u = 0; u < count; u++)
		for (uint32_t b = 0; b < units[u].header->block_count; b++, at++) {
			const struct ct_unit_block *block = &units[u].blocks[b];

			if (blocks && (&units[u] != pairs->unit || block->number != blocks))
				return blocks;
			if (!blocks &&
			    (block->number != 0 || block->kernel == CT_NONE || !executed[at] ||
			     strcmp(units[u].strings + units[u].kernels[block->kernel].name,
				    symbol) != 0))
				continue;
			if (!blocks) {
				pairs->unit = &units[u];
				pairs->first_of_unit = b;
				pairs->first = at;
				pairs->executed = executed + at;
			}
			blocks++;
		}
	return blocks;
}

int ct_loop_pairs_find(struct ct_loop_pairs *pairs, const struct ct_unit *units, size_t count,
		       const uint64_t *executed, const char *symbol, const struct ct_elf *elf)
{
	uint32_t blocks;
	int err = 1;

	*pairs = (struct ct_loop_pairs){.unit = NULL};
	blocks = find_blocks(pairs, units, count, executed, symbol);
	if (blocks)
		err = ct_sass_decode(&pairs->code, elf, symbol);
	if (err == 0)
		err = read_ours(pairs, blocks);
	if (err == 0)
		err = read_machines(pairs);
	return err == 0 ? pair(pairs) : err;
}

static void close_side(struct ct_loop_side *side)
{
	ct_loops_fini(&side->loops);
	free(side->first);
	free(side->next);
	free(side->operations);
	free(side->weight);
	free(side->is_slow);
}

void ct_loop_pairs_fini(struct ct_loop_pairs *pairs)
{
	ct_sass_fini(&pairs->code);
	close_side(&pairs->ours);
	close_side(&pairs->machines);
	free(pairs->found);
	free(pairs->inside);
	free(pairs->turns);
	free(pairs->rest);
	*pairs = (struct ct_loop_pairs){.unit = NULL};
}
