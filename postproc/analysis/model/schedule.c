/* SPDX-License-Identifier: Apache-2.0 */
/* Machine instructions in time. */
#include "postproc/analysis/model/schedule.h"
#include "postproc/analysis/model/costs.h"

#include <math.h>

struct state {
	const struct ct_machine *machine;
	struct ct_schedule *schedule;
	double ready[CT_SASS_SCOREBOARDS], free[CT_COST_PIPELINES];
	uint32_t loading; /* scoreboards that say when loads of global memory are there */
	double time, reported;
	uint32_t accesses;
	bool tells;
};

static bool is_access(const struct ct_sass_instruction *in)
{
	return in->class == CT_IN_LOAD || in->class == CT_IN_STORE || in->class == CT_IN_ATOMIC;
}

bool ct_schedule_is_global(const struct ct_sass_instruction *in)
{
	return is_access(in) && (in->space == CT_SPACE_GLOBAL || in->space == CT_SPACE_GENERIC);
}

/* Returns the latency that a scoreboard reports. Constants, special registers and local memory
 * that is in the L1 take about as long as shared memory does. */
static double latency_of(const struct ct_sass_instruction *in, const struct ct_machine *m)
{
	switch (in->class) {
	case CT_IN_SFU:
	case CT_IN_CONVERT:
		return m->sfu_latency;
	case CT_IN_FP64:
	case CT_IN_FMA64:
		return m->fma64_latency;
	case CT_IN_STORE:
		return m->fma32_latency;
	case CT_IN_LOAD:
		return in->space == CT_SPACE_LOCAL ? m->l1_latency : m->shared_latency;
	default:
		return m->shared_latency;
	}
}

static void tell(struct state *s, struct ct_script_op op)
{
	struct ct_schedule *to = s->schedule;

	if (!s->tells || !to->op)
		return;
	if (s->time > s->reported)
		to->op[to->ops++] = (struct ct_script_op){.kind = CT_SCRIPT_COMPUTE,
							  .share = s->time - s->reported};
	s->reported = fmax(s->time, s->reported);
	to->op[to->ops++] = op;
}

static void wait(struct state *s, const struct ct_sass_instruction *in)
{
	for (uint32_t b = 0; b < CT_SASS_SCOREBOARDS; b++)
		if (in->waits >> b & 1)
			s->time = fmax(s->time, s->ready[b]);
	if (in->waits & s->loading)
		tell(s, (struct ct_script_op){.kind = CT_SCRIPT_WAIT});
	s->loading &= ~(uint32_t)in->waits;
}

static void issue(struct state *s, const struct ct_sass_instruction *in)
{
	struct ct_cost_turn turn = ct_costs_turn(in->class, s->machine);

	wait(s, in);
	s->time = fmax(s->time, s->free[turn.pipeline]);
	s->free[turn.pipeline] = s->time + turn.cycles;
	if (ct_schedule_is_global(in))
		tell(s, (struct ct_script_op){
			    .kind = CT_SCRIPT_ACCESS, .access = s->accesses++, .used_in = CT_NONE});
	else if (in->class == CT_IN_BARRIER)
		tell(s, (struct ct_script_op){.kind = CT_SCRIPT_BARRIER});
	if (in->sets < CT_SASS_SCOREBOARDS) {
		if (ct_schedule_is_global(in))
			s->loading |= 1u << in->sets;
		else
			s->ready[in->sets] = s->time + latency_of(in, s->machine);
	}
	if (in->frees < CT_SASS_SCOREBOARDS)
		s->ready[in->frees] =
		    fmax(s->ready[in->frees], s->time + s->machine->fma32_latency);
	s->time += in->stall;
}

static double busiest(const struct ct_sass_instruction *instruction, uint32_t count,
		      const struct ct_machine *machine)
{
	double cycles[CT_COST_PIPELINES] = {0}, most = count;

	for (uint32_t i = 0; i < count; i++) {
		struct ct_cost_turn turn = ct_costs_turn(instruction[i].class, machine);

		cycles[turn.pipeline] += turn.cycles;
	}
	for (uint32_t p = 0; p < CT_COST_PIPELINES; p++)
		most = fmax(most, cycles[p]);
	return most;
}

void ct_schedule(struct ct_schedule *schedule, const struct ct_sass_instruction *instruction,
		 uint32_t count, bool turns, const struct ct_machine *machine)
{
	struct state s = {.machine = machine, .schedule = schedule};
	double begin = 0;

	schedule->ops = 0;
	for (uint32_t i = 0; turns && i < count; i++)
		issue(&s, &instruction[i]);
	begin = s.reported = s.time;
	s.tells = true;
	s.accesses = 0;
	for (uint32_t i = 0; i < count; i++)
		issue(&s, &instruction[i]);
	if (schedule->op && s.time > s.reported)
		schedule->op[schedule->ops++] =
		    (struct ct_script_op){.kind = CT_SCRIPT_COMPUTE, .share = s.time - s.reported};
	schedule->cycles = s.time - begin;
	schedule->issue = busiest(instruction, count, machine);
	for (uint32_t o = 0; o < schedule->ops; o++)
		schedule->op[o].share /= schedule->cycles;
}
