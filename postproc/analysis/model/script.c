/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts from the steps of blocks. */
#include "postproc/analysis/model/script.h"
#include "postproc/analysis/model/costs.h"
#include "postproc/analysis/model/lowered.h"
#include "postproc/analysis/model/simulate.h"

#include <errno.h>
#include <stdlib.h>

/* Blocks of less only pass values on: the toolkit's assembler makes them parts of their
 * neighbours, by predicates. */
#define COMPUTES 4u
#define LANES 32.0

struct event {
	uint32_t at, order; /* instructions before it; as it was added */
	struct ct_script_op op;
};

struct maker {
	const struct ct_unit *unit;
	const struct ct_unit_block *block;
	const struct ct_unit_step *step;
	uint32_t first; /* of all units' blocks: number 0 of the function */
	struct event *event;
	uint32_t events, access;
};

static bool is_global(const struct ct_unit_step *step)
{
	return step->instruction != CT_IN_BARRIER && step->space != CT_SPACE_SHARED &&
	       step->space != CT_SPACE_CONSTANT;
}

static bool is_awaited(const struct ct_unit_step *step)
{
	return is_global(step) && step->instruction != CT_IN_STORE &&
	       (step->until != CT_NONE || step->used_in != CT_NONE);
}

static void add(struct maker *m, uint32_t at, struct ct_script_op op)
{
	m->event[m->events] = (struct event){at, m->events, op};
	m->events++;
}

/* Loads of steps [from, to) that wait for so many others; not before place `least`. Where those
 * that come after them may be, at the earliest. */
static uint32_t add_round(struct maker *m, uint32_t from, uint32_t to, uint32_t wait,
			  uint32_t least)
{
	uint32_t access = m->access, at = UINT32_MAX, until = UINT32_MAX;

	for (uint32_t s = from; s < to; s++) {
		const struct ct_unit_step *step = &m->step[s];

		if (!is_awaited(step) || step->wait != wait)
			continue;
		at = step->at < at ? step->at : at;
		if (step->until != CT_NONE && step->at + step->until < until)
			until = step->at + step->until;
	}
	if (at == UINT32_MAX)
		return least;
	at = at < least ? least : at;
	for (uint32_t s = from; s < to; s++) {
		const struct ct_unit_step *step = &m->step[s];

		if (is_awaited(step) && step->wait == wait)
			add(m, at,
			    (struct ct_script_op){
				.kind = CT_SCRIPT_ACCESS,
				.access = access,
				.used_in =
				    step->until == CT_NONE ? m->first + step->used_in : CT_NONE,
			    });
		access += is_global(step);
	}
	if (until == UINT32_MAX)
		return at;
	until = until < at ? at : until;
	add(m, until, (struct ct_script_op){.kind = CT_SCRIPT_WAIT});
	return until;
}

/* Adds what stands between two barriers. */
static void add_stretch(struct maker *m, uint32_t from, uint32_t to)
{
	uint32_t least = from ? m->step[from - 1].at : 0, most = 0, access = m->access;

	for (uint32_t s = from; s < to; s++)
		if (is_awaited(&m->step[s]) && m->step[s].wait > most)
			most = m->step[s].wait;
	for (uint32_t wait = 0; wait <= most; wait++)
		least = add_round(m, from, to, wait, least);
	for (uint32_t s = from; s < to; s++) {
		if (!is_global(&m->step[s]))
			continue;
		if (!is_awaited(&m->step[s]))
			add(m, m->step[s].at,
			    (struct ct_script_op){
				.kind = CT_SCRIPT_ACCESS, .access = access, .used_in = CT_NONE});
		access++;
	}
	m->access = access;
}

static int by_place(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Events in their order, and computation between them; how many. */
static uint32_t write_ops(struct maker *m, struct ct_script_op *op)
{
	double all = m->block->instructions ? m->block->instructions : 1;
	uint32_t count = 0, at = 0;

	qsort(m->event, m->events, sizeof(*m->event), by_place);
	for (uint32_t e = 0; e < m->events; e++) {
		if (m->event[e].at > at)
			op[count++] = (struct ct_script_op){.kind = CT_SCRIPT_COMPUTE,
							    .share = (m->event[e].at - at) / all};
		at = m->event[e].at > at ? m->event[e].at : at;
		op[count++] = m->event[e].op;
	}
	if (m->block->instructions > at)
		op[count++] = (struct ct_script_op){.kind = CT_SCRIPT_COMPUTE,
						    .share = (m->block->instructions - at) / all};
	return count;
}

static uint32_t make(struct maker *m, struct ct_script *script, struct ct_script_op *op)
{
	uint32_t from = 0, moved = 0;

	m->events = m->access = 0;
	for (uint32_t s = 0; s < m->block->step_count; s++) {
		moved += m->step[s].instruction != CT_IN_BARRIER;
		if (m->step[s].instruction != CT_IN_BARRIER)
			continue;
		add_stretch(m, from, s);
		add(m, m->step[s].at, (struct ct_script_op){.kind = CT_SCRIPT_BARRIER});
		from = s + 1;
	}
	add_stretch(m, from, m->block->step_count);
	script->op = op;
	script->accesses = m->access;
	script->computes = m->block->instructions >= moved + COMPUTES;
	script->ops = write_ops(m, op);
	return script->ops;
}

/* Takes what the machine does in place of what the block has. */
static void take(struct ct_script *script, const struct ct_lowered_block *block)
{
	if (!block->is_known)
		return;
	script->issue = block->issue;
	script->chain = block->chain;
	if (!block->op)
		return;
	script->op = block->op;
	script->ops = block->ops;
}

int ct_scripts_make(struct ct_scripts *scripts, const struct ct_model_job *job, uint32_t kernel,
		    const struct ct_lowered *lowered, const struct ct_machine *machine)
{
	const struct ct_model_results *results = &job->results;
	const struct ct_model_count *count = &results->count[(size_t)kernel * results->blocks];
	const struct ct_unit *all;
	size_t units = ct_trace_units(job->trace, &all), ops = 0, room = 0, most = 0;
	struct maker m = {0};

	for (size_t u = 0; u < units; u++)
		for (uint32_t b = 0; b < all[u].header->block_count; b++) {
			size_t steps = all[u].blocks[b].step_count;

			/* Each step is one op, or a load with a wait; computation between. */
			room += count[results->first_block[u] + b].warps ? 4 * steps + 1 : 0;
			most = 2 * steps > most ? 2 * steps : most;
		}
	scripts->of = calloc(results->blocks + 1u, sizeof(*scripts->of));
	scripts->op = calloc(room + 1, sizeof(*scripts->op));
	m.event = calloc(most + 1, sizeof(*m.event));
	if (!scripts->of || !scripts->op || !m.event) {
		free(m.event);
		return -ENOMEM;
	}
	for (size_t u = 0; u < units; u++)
		for (uint32_t b = 0; b < all[u].header->block_count; b++) {
			uint32_t number = results->first_block[u] + b;

			if (!count[number].warps)
				continue;
			m.unit = &all[u];
			m.block = &m.unit->blocks[b];
			m.step = m.unit->steps + m.block->step_first;
			m.first = number - m.block->number;
			ct_costs_block(&scripts->of[number], m.unit, m.block, machine);
			ops += make(&m, &scripts->of[number], scripts->op + ops);
			if (lowered && lowered->of)
				take(&scripts->of[number], &lowered->of[number]);
		}
	free(m.event);
	return 0;
}

void ct_scripts_change(struct ct_scripts *scripts, const struct ct_model_job *job, uint32_t kernel,
		       const struct ct_simulate_change *change)
{
	const struct ct_model_results *results = &job->results;
	const struct ct_model_count *count = &results->count[(size_t)kernel * results->blocks];

	for (uint32_t b = 0; b < results->blocks; b++) {
		struct ct_script *script = &scripts->of[b];
		double part = 1;

		if (!count[b].warps)
			continue;
		if (change->joins_lanes)
			part = (double)count[b].lanes / ((double)count[b].warps * LANES);
		script->issue *= part * (change->issue > 0 ? change->issue : 1);
		script->chain *= part * (change->chain > 0 ? change->chain : 1);
		script->shared *= part;
	}
}

void ct_scripts_fini(struct ct_scripts *scripts)
{
	free(scripts->of);
	free(scripts->op);
	*scripts = (struct ct_scripts){0};
}
