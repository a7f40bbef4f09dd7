/* SPDX-License-Identifier: Apache-2.0 */
/* Distances as a run that is not disturbed allows them. */
#include "postproc/analysis/ffm/distances.h"
#include "postproc/analysis/ffm/pauses.h"
#include <string.h>

#define TAKERS 8u      /* waits one behind the other that are looked at */
#define NEAR_NS 50000u /* a copy that is followed so soon by its wait waits for it */

struct settling {
	struct ct_ffm_program *program;
	const struct ct_trace *trace;
	uint32_t part;
	const struct ct_ffm_gap *gap;
	uint64_t far_ns;
	struct ct_ffm_judgement *judgement;
	struct ct_ffm_pauses uses, takers; /* by pair of places */
};

static uint32_t stack_of(const struct settling *settling, uint32_t s)
{
	return settling->program->calls[settling->program->call[s]].stack;
}

static uint64_t pair_of(uint32_t wait, uint32_t other)
{
	return (uint64_t)wait << 32 | other;
}

/* The CPU's time behind the call, until the thread's next one, or the program's end if that is
 * known; else UINT64_MAX. */
static uint64_t pause_behind(const struct ct_ffm_graph *graph, size_t s)
{
	uint64_t end = ct_ffm_end(&graph->step[s]);

	if (s + 1 < graph->steps && graph->step[s + 1].thread == graph->step[s].thread)
		return graph->step[s + 1].work_ns;
	return graph->end_ns > end ? graph->end_ns - end : UINT64_MAX;
}

static int bound_uses(struct settling *settling)
{
	const struct ct_ffm_graph *graph = &settling->program->graph;
	int err = 0;

	for (size_t s = 0; s < graph->steps && err == 0; s++) {
		struct ct_ffm_judgement *judgement = &settling->judgement[s];
		uint64_t pause;

		if (judgement->need != CT_FFM_NEEDED)
			continue;
		pause = pause_behind(graph, s);
		if (judgement->is_soon && pause < judgement->first_use_ns)
			judgement->first_use_ns = pause;
		err = ct_ffm_pauses_add(&settling->uses,
					pair_of(stack_of(settling, (uint32_t)s), judgement->use),
					judgement->first_use_ns);
	}
	for (size_t s = 0; s < graph->steps && err == 0; s++) {
		struct ct_ffm_judgement *judgement = &settling->judgement[s];
		uint64_t median;

		if (judgement->need != CT_FFM_NEEDED)
			continue;
		median = ct_ffm_pauses_median(
		    &settling->uses, pair_of(stack_of(settling, (uint32_t)s), judgement->use));
		if (median < judgement->first_use_ns)
			judgement->first_use_ns = median;
	}
	return err;
}

/* The step behind this one that is needed for what this one has waited for, and has itself nothing
 * left to wait for; CT_FFM_NONE. */
static uint32_t taker_of(const struct settling *settling, uint32_t s)
{
	const struct ct_ffm_graph *graph = &settling->program->graph;
	uint32_t next = s;

	if (settling->judgement[s].need != CT_FFM_NOT_NEEDED || !graph->step[s].wait_ns)
		return CT_FFM_NONE;
	for (unsigned i = 0; i < TAKERS; i++) {
		next = settling->gap[next].next;
		if (next == CT_FFM_NONE || graph->step[next].thread != graph->step[s].thread ||
		    graph->step[next].wait_ns)
			return CT_FFM_NONE;
		if (settling->judgement[next].need == CT_FFM_NEEDED)
			return next;
		if (settling->judgement[next].need != CT_FFM_NOT_NEEDED)
			return CT_FFM_NONE;
	}
	return CT_FFM_NONE;
}

/* Copies wait though they are not asked to. */
static bool is_transfer(const struct settling *settling, uint32_t s)
{
	const struct ct_row_call *call = &settling->program->calls[settling->program->call[s]];
	const char *name = ct_trace_string(settling->trace, settling->part, call->name);

	return strstr(name, "Memcpy") || strstr(name, "Memset");
}

static uint64_t between(const struct ct_ffm_graph *graph, uint32_t s, uint32_t taker)
{
	return ct_ffm_end(&graph->step[taker]) - ct_ffm_end(&graph->step[s]);
}

static void take_over(struct settling *settling, uint32_t s, uint32_t taker)
{
	struct ct_ffm_graph *graph = &settling->program->graph;
	const struct ct_ffm_judgement *last = &settling->judgement[taker];
	uint64_t way = between(graph, s, taker);
	uint64_t median = ct_ffm_pauses_median(
	    &settling->takers, pair_of(stack_of(settling, s), stack_of(settling, taker)));
	struct ct_ffm_judgement *judgement = &settling->judgement[s];

	way = (median < way ? median : way) + last->first_use_ns;
	if (!ct_ffm_is_far(last, settling->far_ns) && !(way < NEAR_NS && is_transfer(settling, s)))
		return;
	judgement->need = CT_FFM_NEEDED;
	judgement->first_use_ns = way;
	judgement->use = last->use;
	judgement->is_others = last->is_others;
	for (uint32_t next = s; next != taker; next = settling->gap[next].next)
		graph->step[next].taker = settling->gap[next].next + 1;
}

/* In two turns, for a judgement that changes is no taker's. */
static int join_waits(struct settling *settling)
{
	const struct ct_ffm_graph *graph = &settling->program->graph;
	int err = 0;

	for (uint32_t s = 0; s < graph->steps && err == 0; s++) {
		uint32_t taker = taker_of(settling, s);

		if (taker != CT_FFM_NONE)
			err = ct_ffm_pauses_add(
			    &settling->takers,
			    pair_of(stack_of(settling, s), stack_of(settling, taker)),
			    between(graph, s, taker));
	}
	for (uint32_t s = 0; s < graph->steps && err == 0; s++) {
		uint32_t taker = taker_of(settling, s);

		if (taker != CT_FFM_NONE)
			take_over(settling, s, taker);
	}
	return err;
}

int ct_ffm_settle_distances(struct ct_ffm_program *program, const struct ct_trace *trace,
			    uint32_t part, const struct ct_ffm_gap *gap, uint64_t far_ns,
			    struct ct_ffm_judgement *judgement)
{
	struct settling settling = {.program = program,
				    .trace = trace,
				    .part = part,
				    .gap = gap,
				    .far_ns = far_ns,
				    .judgement = judgement};
	int err = bound_uses(&settling);

	if (err == 0)
		err = join_waits(&settling);
	ct_ffm_pauses_fini(&settling.uses);
	ct_ffm_pauses_fini(&settling.takers);
	return err;
}
