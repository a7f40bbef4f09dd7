/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces what blocks take by what the loops of their machine code do. */
#include "postproc/analysis/model/lowered.h"
#include "postproc/analysis/model/costs.h"
#include "postproc/analysis/model/loop_pairs.h"
#include "postproc/analysis/model/replay.h"
#include "postproc/analysis/model/schedule.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define NONE CT_LOOPS_NONE
/* Blocks that fewer warps go through than that go through the loop are conditional. */
#define ALWAYS 0.99

/* The cost of a block. */
struct cost {
	double issue, chain;
};

struct lowering {
	struct ct_lowered *lowered;
	const struct ct_machine *machine;
	struct ct_loop_pairs pairs;
	struct cost *ours, *machines; /* by block */
	double issued;
};

static int weigh_ours(struct lowering *l)
{
	const struct ct_loop_pairs *pairs = &l->pairs;

	l->ours = calloc(pairs->ours.blocks + 1u, sizeof(*l->ours));
	for (uint32_t b = 0; l->ours && b < pairs->ours.blocks; b++) {
		struct ct_script script = {0};

		ct_costs_block(&script, pairs->unit, &pairs->unit->blocks[pairs->first_of_unit + b],
			       l->machine);
		l->ours[b] = (struct cost){script.issue, fmax(script.chain, script.issue)};
	}
	return l->ours ? 0 : -ENOMEM;
}

static bool is_own_loop(const struct ct_sass_code *code, uint32_t block)
{
	return code->block[block].next[0] == block || code->block[block].next[1] == block;
}

static int weigh_machines(struct lowering *l)
{
	const struct ct_sass_code *code = &l->pairs.code;

	l->machines = calloc(code->blocks + 1u, sizeof(*l->machines));
	for (uint32_t b = 0; l->machines && b < code->blocks; b++) {
		struct ct_schedule schedule = {0};

		ct_schedule(&schedule, &code->instruction[code->block[b].first],
			    code->block[b].count, is_own_loop(code, b), l->machine);
		l->machines[b] = (struct cost){schedule.issue, schedule.cycles};
	}
	return l->machines ? 0 : -ENOMEM;
}

/* Whether a branch of its loop passes over the block. */
static bool is_passed_over(const struct ct_loop_side *side, uint32_t block)
{
	for (uint32_t b = 0; b < block; b++)
		for (uint32_t e = side->first[b]; e < side->first[b + 1]; e++)
			if (side->next[e] < side->blocks && side->next[e] > block &&
			    side->loops.of[b] == side->loops.of[block] &&
			    side->loops.of[side->next[e]] == side->loops.of[block])
				return true;
	return false;
}

/* Returns how often a turn goes through conditional blocks of the loop that do anything. */
static double conditional(const struct lowering *l, uint32_t loop)
{
	const struct ct_loop_side *side = &l->pairs.ours;
	double sum = 0, all = 0;

	for (uint32_t b = 0; b < side->blocks; b++) {
		if (side->loops.of[b] != loop || side->weight[b] >= ALWAYS)
			continue;
		sum += side->weight[b] * l->ours[b].issue;
		all += l->ours[b].issue;
	}
	return all > 0 ? sum / all : 1;
}

static bool calls(const struct lowering *l, uint32_t loop)
{
	for (uint32_t b = 0; b < l->pairs.ours.blocks; b++)
		if (ct_loop_pairs_holder(&l->pairs, b) == loop && l->pairs.ours.is_slow[b])
			return true;
	return false;
}

/* Returns what the machine needs for a turn of a loop of ours. */
static struct cost machines_cost(const struct lowering *l, uint32_t loop)
{
	const struct ct_loop_side *side = &l->pairs.machines;
	struct cost cost = {0, 0};
	double often = conditional(l, loop);
	bool has_calls = calls(l, loop);

	for (uint32_t b = 0; b < side->blocks; b++) {
		double weight = 1;

		if (side->loops.of[b] != l->pairs.found[loop])
			continue;
		if (is_passed_over(side, b))
			weight = side->is_slow[b] && !has_calls ? 0 : often;
		cost.issue += weight * l->machines[b].issue / l->pairs.turns[loop];
		cost.chain += weight * l->machines[b].chain / l->pairs.turns[loop];
	}
	return cost;
}

/* Likewise without turns of the loops in it, which are theirs. */
static struct cost own_cost(const struct lowering *l, uint32_t loop)
{
	const struct ct_loops *loops = &l->pairs.ours.loops;
	struct cost cost = machines_cost(l, loop);

	for (uint32_t i = 1; i < loops->loops && l->pairs.rest[loop]; i++) {
		struct cost inner;

		if (i == loop || loops->loop[i].parent != loop || l->pairs.found[i] == NONE)
			continue;
		inner = machines_cost(l, i);
		cost.issue = fmax(cost.issue - l->pairs.rest[loop] * inner.issue, 0);
		cost.chain = fmax(cost.chain - l->pairs.rest[loop] * inner.chain, 0);
	}
	return cost;
}

/* Divides what a turn takes among the blocks that are in it. */
static void spread(struct lowering *l, uint32_t loop)
{
	const struct ct_loop_pairs *pairs = &l->pairs;
	struct cost cost = own_cost(l, loop);
	double all = 0, header = ct_loop_pairs_executed(pairs, loop);

	for (uint32_t b = 0; b < pairs->ours.blocks; b++)
		if (ct_loop_pairs_holder(pairs, b) == loop)
			all += l->ours[b].chain * (double)pairs->executed[b] / header;
	if (!(all > 0) || !(cost.chain > 0))
		return;
	for (uint32_t b = 0; b < pairs->ours.blocks; b++) {
		struct ct_lowered_block *to = &l->lowered->of[pairs->first + b];

		if (ct_loop_pairs_holder(pairs, b) != loop)
			continue;
		*to = (struct ct_lowered_block){
		    .is_known = true,
		    .issue = l->ours[b].chain * cost.issue / all,
		    .chain = l->ours[b].chain * cost.chain / all,
		};
		l->lowered->covered += to->issue * (double)pairs->executed[b];
		l->issued += to->issue * (double)pairs->executed[b];
	}
}

/* The block of a loop that has one alone; NONE: it has more, or none. */
static uint32_t only_block(const struct ct_loop_side *side, uint32_t loop)
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

/* Copies what the machine does, access by access. */
static void copy_ops(struct lowering *l, uint32_t loop, struct ct_script_op *room)
{
	const struct ct_loop_pairs *pairs = &l->pairs;
	const struct ct_sass_code *code = &pairs->code;
	uint32_t ours = only_block(&pairs->ours, loop),
		 machines = only_block(&pairs->machines, pairs->found[loop]);
	struct ct_schedule schedule = {.op = room};
	struct ct_replay replay;
	struct ct_lowered_block *to;

	if (ours == NONE || machines == NONE || pairs->turns[loop] > 1)
		return;
	replay = (struct ct_replay){pairs->unit, &pairs->unit->blocks[pairs->first_of_unit + ours],
				    code, machines};
	if (!is_own_loop(code, machines) || !ct_replays(&replay))
		return;
	ct_schedule(&schedule, &code->instruction[code->block[machines].first],
		    code->block[machines].count, true, l->machine);
	ct_replay_name(&replay, pairs->first + ours, schedule.op, schedule.ops);
	to = &l->lowered->of[pairs->first + ours];
	to->op = schedule.op;
	to->ops = schedule.ops;
}

/* Counts what the machine accesses of local memory in a loop of ours. */
static void count_local(struct lowering *l, uint32_t loop)
{
	const struct ct_loop_pairs *pairs = &l->pairs;
	double times = ct_loop_pairs_executed(pairs, loop) / pairs->turns[loop];

	for (uint32_t b = 0; b < pairs->machines.blocks; b++) {
		const struct ct_sass_block *block = &pairs->code.block[b];

		if (pairs->machines.loops.of[b] != pairs->found[loop])
			continue;
		for (uint32_t i = block->first; i < block->first + block->count; i++) {
			const struct ct_sass_instruction *at = &pairs->code.instruction[i];

			if (at->space != CT_SPACE_LOCAL)
				continue;
			l->lowered->local_loads += at->class == CT_IN_LOAD ? times : 0;
			l->lowered->local_stores += at->class == CT_IN_STORE ? times : 0;
		}
	}
}

static int lower(struct lowering *l, uint32_t all_blocks)
{
	const struct ct_loop_pairs *pairs = &l->pairs;
	struct ct_lowered *to = l->lowered;
	struct ct_script_op *room;

	to->of = calloc(all_blocks + 1u, sizeof(*to->of));
	/* Each instruction is a wait and an access at most, with a computation before either; and
	 * one is behind the last of a block. */
	room = calloc(5 * (size_t)pairs->code.instructions + 1, sizeof(*room));
	to->room = room;
	if (!to->of || !room || weigh_ours(l) < 0 || weigh_machines(l) < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < pairs->ours.loops.loops; i++) {
		if (ct_loop_pairs_executed(pairs, i) <= 0)
			continue;
		to->loops++;
		if (pairs->found[i] == NONE) {
			to->found += pairs->inside[i];
			continue;
		}
		to->found++;
		spread(l, i);
		count_local(l, i);
		copy_ops(l, i, room);
		room += to->of[pairs->first + pairs->ours.loops.loop[i].header].ops;
	}
	for (uint32_t b = 0; b < pairs->ours.blocks; b++)
		if (!to->of[pairs->first + b].is_known)
			l->issued += l->ours[b].issue * (double)pairs->executed[b];
	to->covered = l->issued > 0 ? to->covered / l->issued : 0;
	return 0;
}

/* By block of all units: how often warps went through it in the kernel. */
static uint64_t *count_blocks(const struct ct_model_results *results, uint32_t kernel)
{
	const struct ct_model_count *count = &results->count[(size_t)kernel * results->blocks];
	uint64_t *executed = calloc(results->blocks + 1u, sizeof(*executed));

	for (uint32_t b = 0; executed && b < results->blocks; b++)
		executed[b] = count[b].warps;
	return executed;
}

int ct_lower(struct ct_lowered *lowered, const struct ct_model_job *job, uint32_t kernel,
	     const char *symbol, const struct ct_elf *elf, const struct ct_machine *machine)
{
	struct lowering l = {.lowered = lowered, .machine = machine};
	uint64_t *executed = count_blocks(&job->results, kernel);
	const struct ct_unit *units;
	size_t count = ct_trace_units(job->trace, &units);
	int err = -ENOMEM;

	*lowered = (struct ct_lowered){0};
	if (executed)
		err = ct_loop_pairs_find(&l.pairs, units, count, executed, symbol, elf);
	if (err == 0)
		err = lower(&l, job->results.blocks);
	ct_loop_pairs_fini(&l.pairs);
	free(l.ours);
	free(l.machines);
	free(executed);
	return err;
}

void ct_lowered_fini(struct ct_lowered *lowered)
{
	free(lowered->of);
	free(lowered->room);
	*lowered = (struct ct_lowered){0};
}
