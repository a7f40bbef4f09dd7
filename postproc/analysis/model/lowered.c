/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of blocks beside loops of machine code. */
#include "postproc/analysis/model/lowered.h"
#include "postproc/analysis/model/costs.h"
#include "postproc/analysis/model/deed.h"
#include "postproc/analysis/model/loops.h"
#include "postproc/analysis/model/replay.h"
#include "postproc/analysis/model/schedule.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE CT_LOOPS_NONE
/* Of two loops that are taken for the same one: how much what they do may differ, in parts. */
#define LIKE 0.34
/* Blocks that fewer warps go through than that go through the loop are conditional. */
#define ALWAYS 0.99

/* One side: blocks with what they do and what they take. */
struct node {
	struct ct_deed deed;
	double weight; /* how often in a turn of its loop */
	double issue, chain;
	bool is_slow; /* leads to a call: what is seldom needed */
};

struct side {
	struct ct_loops loops;
	uint32_t *first, *next; /* edges */
	struct node *node;
	uint32_t blocks;
};

struct lowering {
	struct ct_lowered *lowered;
	const struct ct_model_job *job;
	const struct ct_machine *machine;
	const struct ct_unit *unit;
	const struct ct_model_count *count; /* of the kernel's first block, and those behind it */
	uint32_t first;                     /* of all units' blocks */
	uint32_t first_of_unit;             /* of the unit's blocks: the kernel's first */
	struct ct_sass_code code;
	struct side ours, machines;
	uint32_t *found; /* by loop of ours: that of the machine; NONE: none */
	bool *inside;    /* by loop of ours: its blocks are in a turn of the loop around it */
	double *turns;   /* by loop of ours: of its own in one of the machine's */
	double issued;
};

static int open_side(struct side *side, uint32_t blocks, uint32_t edges)
{
	side->blocks = blocks;
	side->first = calloc(blocks + 1u, sizeof(*side->first));
	side->next = calloc(edges + 1u, sizeof(*side->next));
	side->node = calloc(blocks + 1u, sizeof(*side->node));
	return side->first && side->next && side->node ? 0 : -ENOMEM;
}

static int find_loops(struct side *side)
{
	const struct ct_block_graph graph = {side->blocks, side->first, side->next};

	return ct_loops_find(&side->loops, &graph);
}

/* The kernel's own blocks, without those of functions that it calls. */
static int read_ours(struct lowering *l, uint32_t blocks)
{
	struct side *side = &l->ours;
	const struct ct_unit_block *block = &l->unit->blocks[l->first_of_unit];
	uint32_t edges = 0;

	for (uint32_t b = 0; b < blocks; b++)
		edges += block[b].next_count;
	if (open_side(side, blocks, edges) < 0)
		return -ENOMEM;
	edges = 0;
	for (uint32_t b = 0; b < blocks; b++) {
		struct ct_script script = {0};
		struct node *node = &side->node[b];

		side->first[b] = edges;
		for (uint32_t n = 0; n < block[b].next_count; n++)
			side->next[edges++] = l->unit->next[block[b].next_first + n];
		for (uint32_t m = 0; m < block[b].mix_count; m++) {
			const struct ct_unit_mix *mix = &l->unit->mix[block[b].mix_first + m];

			if (!(mix->instruction & CT_MIX_CHAIN))
				ct_deed_add(&node->deed, mix->instruction, mix->space, mix->bytes,
					    mix->count);
			node->is_slow |= mix->instruction == CT_IN_CALL;
		}
		ct_costs_block(&script, l->unit, &block[b], l->machine);
		node->issue = script.issue;
		node->chain = fmax(script.chain, script.issue);
	}
	side->first[blocks] = edges;
	return find_loops(side);
}

static bool is_own_loop(const struct ct_sass_code *code, uint32_t block)
{
	return code->block[block].next[0] == block || code->block[block].next[1] == block;
}

static int read_machines(struct lowering *l)
{
	const struct ct_sass_code *code = &l->code;
	struct side *side = &l->machines;
	uint32_t edges = 0;

	if (open_side(side, code->blocks, 2 * code->blocks) < 0)
		return -ENOMEM;
	for (uint32_t b = 0; b < code->blocks; b++) {
		const struct ct_sass_block *block = &code->block[b];
		struct node *node = &side->node[b];
		struct ct_schedule schedule = {0};

		side->first[b] = edges;
		for (uint32_t n = 0; n < 2; n++)
			if (block->next[n] != NONE)
				side->next[edges++] = block->next[n];
		for (uint32_t i = block->first; i < block->first + block->count; i++) {
			const struct ct_sass_instruction *in = &code->instruction[i];

			ct_deed_add(&node->deed, in->class, in->space, in->bytes, 1);
			node->is_slow |= in->class == CT_IN_CALL;
		}
		ct_schedule(&schedule, &code->instruction[block->first], block->count,
			    is_own_loop(code, b), l->machine);
		node->issue = schedule.issue;
		node->chain = schedule.cycles;
		node->weight = 1;
	}
	side->first[code->blocks] = edges;
	return find_loops(side);
}

/* How often a turn of its loop goes through a block; 0: nobody did. */
static void weigh_ours(struct lowering *l)
{
	struct side *side = &l->ours;

	for (uint32_t b = 0; b < side->blocks; b++) {
		uint32_t loop = side->loops.of[b];
		double header;

		if (loop == NONE)
			continue;
		header = (double)l->count[side->loops.loop[loop].header].warps;
		side->node[b].weight = header > 0 ? (double)l->count[b].warps / header : 0;
	}
}

/* Whether a branch of its loop passes over the block. */
static bool is_passed_over(const struct side *side, uint32_t block)
{
	for (uint32_t b = 0; b < block; b++)
		for (uint32_t e = side->first[b]; e < side->first[b + 1]; e++)
			if (side->next[e] < side->blocks && side->next[e] > block &&
			    side->loops.of[b] == side->loops.of[block] &&
			    side->loops.of[side->next[e]] == side->loops.of[block])
				return true;
	return false;
}

/* What a turn does by the loop's own blocks, and by those of loops in it as often as they turn. */
static struct ct_deed own_deed(const struct side *side, uint32_t loop)
{
	struct ct_deed deed = {0};

	for (uint32_t b = 0; b < side->blocks; b++)
		if (side->loops.of[b] == loop)
			ct_deed_sum(&deed, &side->node[b].deed, side->node[b].weight);
	return deed;
}

static bool is_in(const struct ct_loops *loops, uint32_t loop, uint32_t around)
{
	while (loop != around && loop != 0)
		loop = loops->loop[loop].parent;
	return loop == around;
}

static double executed(const struct lowering *l, uint32_t loop)
{
	return (double)l->count[l->ours.loops.loop[loop].header].warps;
}

static struct ct_deed whole_deed(const struct lowering *l, uint32_t loop)
{
	const struct side *side = &l->ours;
	struct ct_deed deed = {0};

	for (uint32_t b = 0; b < side->blocks; b++)
		if (side->loops.of[b] != NONE && is_in(&side->loops, side->loops.of[b], loop) &&
		    executed(l, loop) > 0)
			ct_deed_sum(&deed, &side->node[b].deed,
				    (double)l->count[b].warps / executed(l, loop));
	return deed;
}

static bool has_loops(const struct side *side, uint32_t loop)
{
	for (uint32_t i = 1; i < side->loops.loops; i++)
		if (i != loop && side->loops.loop[i].parent == loop)
			return true;
	return false;
}

/* How far a loop of ours is from one of the machine's; with all that is in it, if that has none. */
static double distance(const struct lowering *l, uint32_t ours, uint32_t machines, double *turns)
{
	struct ct_deed a = own_deed(&l->ours, ours), b = own_deed(&l->machines, machines);
	double best = ct_deed_compare(&a, &b, turns), other;

	if (has_loops(&l->ours, ours) && !has_loops(&l->machines, machines)) {
		a = whole_deed(l, ours);
		other = ct_deed_apart(&a, 1, &b);
		if (other < best) {
			best = other;
			*turns = 1;
		}
	}
	return best;
}

/* The loops in a pair of loops, both in their order: each of ours with the nearest of the machine's
 * that is left. Those behind it that are as it as well are what is left of its turns. */
static void match(struct lowering *l, uint32_t ours, uint32_t machines)
{
	const struct side *a = &l->ours, *b = &l->machines;
	uint32_t from = 1;

	for (uint32_t i = 1; i < a->loops.loops; i++) {
		double best = LIKE, turns;
		uint32_t found = NONE;

		if (a->loops.loop[i].parent != ours || i == ours || executed(l, i) <= 0)
			continue;
		for (uint32_t j = from; j < b->loops.loops; j++) {
			double far;

			if (b->loops.loop[j].parent != machines || j == machines)
				continue;
			far = distance(l, i, j, &turns);
			if (far < best) {
				best = far;
				found = j;
				l->turns[i] = turns;
			}
		}
		l->found[i] = found;
		l->inside[i] = found == NONE && !has_loops(a, i);
		if (found == NONE)
			continue;
		from = found + 1;
		match(l, i, found);
	}
}

/* The loop whose machine code holds the block's. */
static uint32_t holder(const struct lowering *l, uint32_t block)
{
	uint32_t loop = l->ours.loops.of[block];

	while (loop != NONE && loop != 0 && l->inside[loop])
		loop = l->ours.loops.loop[loop].parent;
	return loop;
}

/* Of conditional blocks of the loop that do anything, how often a turn goes through them. */
static double conditional(const struct lowering *l, uint32_t loop)
{
	double sum = 0, all = 0;

	for (uint32_t b = 0; b < l->ours.blocks; b++) {
		const struct node *node = &l->ours.node[b];

		if (l->ours.loops.of[b] != loop || node->weight >= ALWAYS)
			continue;
		sum += node->weight * node->issue;
		all += node->issue;
	}
	return all > 0 ? sum / all : 1;
}

static bool calls(const struct lowering *l, uint32_t loop)
{
	for (uint32_t b = 0; b < l->ours.blocks; b++)
		if (holder(l, b) == loop && l->ours.node[b].is_slow)
			return true;
	return false;
}

/* What the machine needs for a turn of a loop of ours. */
static void add_machines(const struct lowering *l, uint32_t loop, double *issue, double *chain)
{
	const struct side *side = &l->machines;
	double often = conditional(l, loop);
	bool has_calls = calls(l, loop);

	for (uint32_t b = 0; b < side->blocks; b++) {
		const struct node *node = &side->node[b];
		double weight = 1;

		if (side->loops.of[b] != l->found[loop])
			continue;
		if (is_passed_over(side, b))
			weight = node->is_slow && !has_calls ? 0 : often;
		*issue += weight * node->issue / l->turns[loop];
		*chain += weight * node->chain / l->turns[loop];
	}
}

/* Divides what a turn takes among the blocks that are in it. */
static void spread(struct lowering *l, uint32_t loop)
{
	double issue = 0, chain = 0, all = 0, header = executed(l, loop);

	add_machines(l, loop, &issue, &chain);
	for (uint32_t b = 0; b < l->ours.blocks; b++)
		if (holder(l, b) == loop)
			all += l->ours.node[b].chain * (double)l->count[b].warps / header;
	if (!(all > 0) || !(chain > 0))
		return;
	for (uint32_t b = 0; b < l->ours.blocks; b++) {
		struct ct_lowered_block *to = &l->lowered->of[l->first + b];

		if (holder(l, b) != loop)
			continue;
		*to = (struct ct_lowered_block){
		    .is_known = true,
		    .issue = l->ours.node[b].chain * issue / all,
		    .chain = l->ours.node[b].chain * chain / all,
		};
		l->lowered->covered += to->issue * (double)l->count[b].warps;
		l->issued += to->issue * (double)l->count[b].warps;
	}
}

/* The block of a loop that has one alone; NONE: it has more, or none. */
static uint32_t only_block(const struct side *side, uint32_t loop)
{
	uint32_t only = NONE;

	for (uint32_t b = 0; b < side->blocks; b++) {
		if (side->loops.of[b] != loop)
			continue;
		if (only != NONE)
			return NONE;
		only = b;
	}
	return only;
}

/* What the machine does, access by access. */
static void copy_ops(struct lowering *l, uint32_t loop, struct ct_script_op *room)
{
	uint32_t ours = only_block(&l->ours, loop),
		 machines = only_block(&l->machines, l->found[loop]);
	struct ct_schedule schedule = {.op = room};
	struct ct_replay replay;
	struct ct_lowered_block *to;

	if (ours == NONE || machines == NONE || l->turns[loop] > 1)
		return;
	replay = (struct ct_replay){l->unit, &l->unit->blocks[l->first_of_unit + ours], &l->code,
				    machines};
	if (!is_own_loop(&l->code, machines) || !ct_replays(&replay))
		return;
	ct_schedule(&schedule, &l->code.instruction[l->code.block[machines].first],
		    l->code.block[machines].count, true, l->machine);
	ct_replay_name(&replay, l->first + ours, schedule.op, schedule.ops);
	to = &l->lowered->of[l->first + ours];
	to->op = schedule.op;
	to->ops = schedule.ops;
}

static int lower(struct lowering *l)
{
	struct ct_script_op *room;
	uint32_t loops = l->ours.loops.loops;

	l->found = calloc(loops, sizeof(*l->found));
	l->inside = calloc(loops, sizeof(*l->inside));
	l->turns = calloc(loops, sizeof(*l->turns));
	l->lowered->of = calloc(l->job->results.blocks + 1u, sizeof(*l->lowered->of));
	/* Each instruction is a wait and an access at most, with a computation before either; and
	 * one is behind the last of a block. */
	room = calloc(5 * (size_t)l->code.instructions + 1, sizeof(*room));
	l->lowered->room = room;
	if (!l->found || !l->inside || !l->turns || !l->lowered->of || !room)
		return -ENOMEM;
	for (uint32_t i = 0; i < loops; i++) {
		l->found[i] = NONE;
		l->turns[i] = 1;
	}
	weigh_ours(l);
	l->found[0] = 0;
	match(l, 0, 0);
	for (uint32_t i = 0; i < loops; i++) {
		if (executed(l, i) <= 0)
			continue;
		l->lowered->loops++;
		if (l->found[i] == NONE) {
			l->lowered->found += l->inside[i];
			continue;
		}
		l->lowered->found++;
		spread(l, i);
		copy_ops(l, i, room);
		room += l->lowered->of[l->first + l->ours.loops.loop[i].header].ops;
	}
	for (uint32_t b = 0; b < l->ours.blocks; b++)
		if (!l->lowered->of[l->first + b].is_known)
			l->issued += l->ours.node[b].issue * (double)l->count[b].warps;
	l->lowered->covered = l->issued > 0 ? l->lowered->covered / l->issued : 0;
	return 0;
}

/* The kernel's blocks, which stand one behind the other in their unit. */
static bool find_blocks(struct lowering *l, uint32_t kernel, const char *symbol, uint32_t *blocks)
{
	const struct ct_model_results *results = &l->job->results;
	const struct ct_model_count *count = &results->count[(size_t)kernel * results->blocks];
	const struct ct_unit *all;
	size_t units = ct_trace_units(l->job->trace, &all);

	*blocks = 0;
	for (size_t u = 0; u < units; u++)
		for (uint32_t b = 0; b < all[u].header->block_count; b++) {
			const struct ct_unit_block *block = &all[u].blocks[b];

			if (*blocks && (&all[u] != l->unit || block->number != *blocks))
				return true;
			if (!*blocks && (block->number != 0 || block->kernel == CT_NONE ||
					 !count[results->first_block[u] + b].warps ||
					 strcmp(all[u].strings + all[u].kernels[block->kernel].name,
						symbol) != 0))
				continue;
			if (!*blocks) {
				l->unit = &all[u];
				l->first_of_unit = b;
				l->first = results->first_block[u] + b;
				l->count = count + l->first;
			}
			++*blocks;
		}
	return *blocks > 0;
}

static void close_side(struct side *side)
{
	ct_loops_fini(&side->loops);
	free(side->first);
	free(side->next);
	free(side->node);
}

int ct_lower(struct ct_lowered *lowered, const struct ct_model_job *job, uint32_t kernel,
	     const char *symbol, const struct ct_elf *elf, const struct ct_machine *machine)
{
	struct lowering l = {.lowered = lowered, .job = job, .machine = machine};
	uint32_t blocks;
	int err = 1;

	*lowered = (struct ct_lowered){0};
	if (find_blocks(&l, kernel, symbol, &blocks))
		err = ct_sass_decode(&l.code, elf, symbol);
	if (err == 0)
		err = read_ours(&l, blocks);
	if (err == 0)
		err = read_machines(&l);
	if (err == 0)
		err = lower(&l);
	ct_sass_fini(&l.code);
	close_side(&l.ours);
	close_side(&l.machines);
	free(l.found);
	free(l.inside);
	free(l.turns);
	return err;
}

void ct_lowered_fini(struct ct_lowered *lowered)
{
	free(lowered->of);
	free(lowered->room);
	*lowered = (struct ct_lowered){0};
}
