/* SPDX-License-Identifier: Apache-2.0 */
/* Judges each call by what uses and contents say. */
#include "postproc/analysis/ffm/problems.h"
#include "base/large.h"
#include "postproc/analysis/ffm/pauses.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TAKERS 8u      /* waits one behind the other that are looked at */
#define NEAR_NS 50000u /* a copy that is followed so soon by its wait is one with it */

struct judging {
	const struct ct_ffm_program *program;
	struct ct_trace *trace;
	uint32_t part;
	struct ct_ffm_judgement *judgement;
	struct ct_ffm_verdicts *verdicts;
	struct ct_by_number step; /* id of a CALL -> step + 1 */
	const struct ct_row_use *use;
	uint32_t *first_use; /* by step: row of the first access + 1; 0: none */
	uint32_t *lost;      /* by step: row that says of what it protects that nothing is known */
};

bool ct_ffm_must_go(const char *call)
{
	static const char *const names[] = {"cudaFree",           "cuMemFree",
					    "cudaHostUnregister", "cuMemHostUnregister",
					    "cuModuleUnload",     "cuLibraryUnload"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(call, names[i], strlen(names[i])) == 0 && !strstr(call, "Async"))
			return true;
	return false;
}

static bool is_access(uint32_t kind)
{
	return kind >= CT_USE_LOAD && kind <= CT_USE_SYSTEM;
}

static int read_uses(struct judging *judging)
{
	const void *rows;
	size_t count;
	int err = ct_trace_rows(judging->trace, judging->part, CT_TABLE_USE, &rows, &count);
	const struct ct_row_use *use = rows;

	judging->use = use;
	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t step = ct_by_number_get(&judging->step, use[i].wait);
		uint32_t *first = step ? &judging->first_use[step - 1] : NULL;

		if (step && is_access(use[i].kind) &&
		    (!*first || use[i].time_ns < use[*first - 1].time_ns))
			*first = (uint32_t)i + 1;
		if (step && use[i].kind == CT_USE_UNKNOWN && !judging->lost[step - 1])
			judging->lost[step - 1] = (uint32_t)i + 1;
	}
	return err;
}

/* By the thread of the step, before its next call. */
static bool is_soon(const struct judging *judging, uint32_t s, const struct ct_row_use *use)
{
	const struct ct_ffm_program *program = judging->program;
	const struct ct_ffm_graph *graph = &program->graph;

	if (use->thread && use->thread != program->calls[program->call[s]].thread)
		return false;
	return s + 1 == graph->steps || graph->step[s + 1].thread != graph->step[s].thread ||
	       use->time_ns <= program->calls[program->call[s + 1]].begin_ns;
}

static void judge_use(const struct judging *judging, const struct ct_row_wait *wait, uint32_t s,
		      const struct ct_row_use *use)
{
	struct ct_ffm_judgement *judgement = &judging->judgement[s];

	judgement->need = CT_FFM_NEEDED;
	judgement->first_use_ns = use->time_ns > wait->end_ns ? use->time_ns - wait->end_ns : 0;
	judgement->use = use->stack;
	judgement->is_soon = is_soon(judging, s, use);
	judgement->is_others = use->thread && use->thread != wait->thread;
}

/* Memory that is not of the host has rows of USE alone. */
static void judge_wait(const struct judging *judging, const struct ct_row_wait *wait, uint32_t s)
{
	struct ct_ffm_judgement *judgement = &judging->judgement[s];
	uint32_t first = judging->first_use[s], lost = judging->lost[s];

	if (first) {
		judge_use(judging, wait, s, &judging->use[first - 1]);
	} else if (wait->used || wait->unknown || lost) {
		judgement->need = CT_FFM_NOT_KNOWN;
		if (lost && judging->use[lost - 1].reason)
			judgement->reason = ct_trace_string(judging->trace, judging->part,
							    judging->use[lost - 1].reason);
	} else {
		judgement->need = CT_FFM_NOT_NEEDED;
	}
}

static int judge_waits(struct judging *judging)
{
	const void *rows;
	size_t count;
	int err = ct_trace_rows(judging->trace, judging->part, CT_TABLE_WAIT, &rows, &count);
	const struct ct_row_wait *wait = rows;

	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t step = ct_by_number_get(&judging->step, wait[i].call);

		judging->verdicts->has_uses = true;
		if (step && !(wait[i].flags & CT_WAIT_NOT_ASKED))
			judge_wait(judging, &wait[i], step - 1);
	}
	return err;
}

/* Whether a wait covers works first of its thread: position[stream] were covered before. */
static bool covers_unseen(const struct ct_ffm_program *program, const struct ct_ffm_step *step,
			  uint32_t stream, size_t *position)
{
	const uint32_t *work = program->streams.work + program->streams.first[stream];
	size_t count = program->streams.first[stream + 1] - program->streams.first[stream];
	bool is_unseen = false;

	for (; *position < count; ++*position) {
		uint32_t w = work[*position];

		if (!ct_ffm_is_launched(&program->graph, &program->graph.work[w], step) ||
		    (step->scope == CT_FFM_ONE_WORK && w > step->of))
			break;
		is_unseen |= program->is_unseen[w];
	}
	return is_unseen;
}

/* Output that kernels print comes out at a wait: without the last one it would be lost. Of the
 * others it is not known whether it is wanted by then. */
static void judge_last(const struct judging *judging)
{
	static const char prints[] = "its kernel may print";
	const struct ct_ffm_graph *graph = &judging->program->graph;
	struct ct_ffm_judgement *judgement;
	size_t last = graph->steps;

	for (size_t s = 0; s < graph->steps; s++)
		if (graph->step[s].scope != CT_FFM_NOTHING &&
		    (last == graph->steps || graph->step[s].begin_ns > graph->step[last].begin_ns))
			last = s;
	if (last == graph->steps)
		return;
	judgement = &judging->judgement[last];
	if (judgement->need == CT_FFM_NOT_KNOWN && judgement->reason &&
	    !strncmp(judgement->reason, prints, sizeof(prints) - 1))
		judgement->need = CT_FFM_NEEDED;
}

/* Memory that a library has copied to the host may be used without being watched. */
static int judge_unseen(const struct judging *judging)
{
	const struct ct_ffm_program *program = judging->program;
	const struct ct_ffm_graph *graph = &program->graph;
	size_t *position = calloc((size_t)graph->streams + 1, sizeof(*position));

	if (!position)
		return -ENOMEM;
	for (size_t s = 0; s < graph->steps; s++) {
		const struct ct_ffm_step *step = &graph->step[s];

		if (s && step->thread != step[-1].thread)
			memset(position, 0, graph->streams * sizeof(*position));
		for (uint32_t stream = 0; stream < graph->streams; stream++)
			if (ct_ffm_covers(graph, step, stream) &&
			    covers_unseen(program, step, stream, &position[stream]) &&
			    judging->judgement[s].need == CT_FFM_NOT_NEEDED) {
				judging->judgement[s].need = CT_FFM_NOT_KNOWN;
				judging->judgement[s].reason = "a library has copied to the host";
			}
	}
	free(position);
	return 0;
}

static void judge_copies(const struct judging *judging, const struct ct_ffm_memory *memory,
			 const struct ct_ffm_found *found)
{
	for (size_t c = 0; c < memory->copies; c++) {
		const struct ct_ffm_copy *copy = &memory->copy[c];

		if (!copy->is_known)
			continue;
		judging->verdicts->has_contents = true;
		if (copy->step == CT_FFM_NONE)
			continue;
		judging->judgement[copy->step].is_copy = true;
		judging->judgement[copy->step].is_repeated = found[c].kind == CT_FFM_COPY_REPEATED;
	}
}

int ct_ffm_judge(const struct ct_ffm_program *program, const struct ct_ffm_memory *memory,
		 const struct ct_ffm_found *found, struct ct_trace *trace, uint32_t part,
		 struct ct_ffm_judgement *judgement, struct ct_ffm_verdicts *verdicts)
{
	struct judging judging = {.program = program,
				  .trace = trace,
				  .part = part,
				  .judgement = judgement,
				  .verdicts = verdicts};
	int err;

	judging.first_use = ct_large_alloc(program->graph.steps + 1, sizeof(*judging.first_use));
	judging.lost = ct_large_alloc(program->graph.steps + 1, sizeof(*judging.lost));
	for (size_t s = 0; s < program->graph.steps; s++)
		judgement[s] = (struct ct_ffm_judgement){.need = CT_FFM_NOT_WATCHED};
	*verdicts = (struct ct_ffm_verdicts){.unnecessary = 0};
	err = judging.first_use && judging.lost
		  ? ct_ffm_steps_by(program, CT_FFM_BY_ID, &judging.step)
		  : -ENOMEM;
	if (err == 0)
		err = read_uses(&judging);
	if (err == 0)
		err = judge_waits(&judging);
	if (err == 0)
		judge_last(&judging);
	if (err == 0)
		err = judge_unseen(&judging);
	if (err == 0 && memory)
		judge_copies(&judging, memory, found);
	ct_trace_drop_rows(trace, part, CT_TABLE_WAIT);
	ct_by_number_fini(&judging.step);
	ct_large_free(judging.first_use);
	ct_large_free(judging.lost);
	return err;
}

bool ct_ffm_is_far(const struct ct_ffm_judgement *judgement, uint64_t far_ns)
{
	return judgement->first_use_ns >= far_ns &&
	       (!judgement->is_others || judgement->first_use_ns >= CT_FFM_HANDOVER_NS);
}

static uint8_t unnecessary(const char *call)
{
	return CT_FFM_UNNECESSARY | (ct_ffm_must_go(call) ? CT_FFM_CALL : 0);
}

static void charge_wait(struct ct_ffm_step *step, const char *call,
			const struct ct_ffm_judgement *judgement, uint64_t far_ns,
			struct ct_ffm_verdicts *verdicts)
{
	if (judgement->need == CT_FFM_NOT_KNOWN) {
		verdicts->unknown++;
	} else if (judgement->need == CT_FFM_NOT_NEEDED) {
		step->problem |= unnecessary(call);
		verdicts->unnecessary++;
	} else if (judgement->need == CT_FFM_NEEDED && ct_ffm_is_far(judgement, far_ns)) {
		step->problem |= CT_FFM_MISPLACED;
		step->first_use_ns = judgement->first_use_ns;
		verdicts->misplaced++;
	} else if (judgement->need == CT_FFM_NEEDED) {
		verdicts->needed++;
	}
}

void ct_ffm_charge(struct ct_ffm_program *program, const struct ct_trace *trace, uint32_t part,
		   const struct ct_ffm_judgement *judgement, uint64_t far_ns,
		   struct ct_ffm_verdicts *verdicts)
{
	for (size_t s = 0; s < program->graph.steps; s++) {
		struct ct_ffm_step *step = &program->graph.step[s];
		const char *call =
		    ct_trace_string(trace, part, program->calls[program->call[s]].name);

		if (step->wait_ns)
			charge_wait(step, call, &judgement[s], far_ns, verdicts);
		else if (step->scope != CT_FFM_NOTHING && judgement[s].need == CT_FFM_NOT_NEEDED)
			step->latent = unnecessary(call);
		if (step->problem & CT_FFM_MISPLACED &&
		    ct_ffm_end(step) + step->first_use_ns > program->graph.end_ns)
			program->graph.end_ns = ct_ffm_end(step) + step->first_use_ns;
		verdicts->copies += judgement[s].is_copy;
		verdicts->repeated += judgement[s].is_repeated;
		if (judgement[s].is_repeated)
			step->problem |= CT_FFM_TRANSFER;
	}
}

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
		uint64_t usual;

		if (judgement->need != CT_FFM_NEEDED)
			continue;
		usual = ct_ffm_pauses_short(
		    &settling->uses, pair_of(stack_of(settling, (uint32_t)s), judgement->use));
		if (usual < judgement->first_use_ns)
			judgement->first_use_ns = usual;
	}
	return err;
}

/* The step behind this one that is needed for what this one has waited for; those between them have
 * nothing left to wait for. CT_FFM_NONE: there is none. */
static uint32_t taker_of(const struct settling *settling, uint32_t s)
{
	const struct ct_ffm_graph *graph = &settling->program->graph;
	uint32_t next = s;

	if (settling->judgement[s].need != CT_FFM_NOT_NEEDED || !graph->step[s].wait_ns)
		return CT_FFM_NONE;
	for (unsigned i = 0; i < TAKERS; i++) {
		next = settling->gap[next].next;
		if (next == CT_FFM_NONE || graph->step[next].thread != graph->step[s].thread)
			return CT_FFM_NONE;
		if (settling->judgement[next].need == CT_FFM_NEEDED)
			return next;
		if (settling->judgement[next].need != CT_FFM_NOT_NEEDED ||
		    graph->step[next].wait_ns)
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

/* From the end of this one to that of the other without what the other waits. */
static uint64_t between(const struct ct_ffm_graph *graph, uint32_t s, uint32_t taker)
{
	const struct ct_ffm_step *last = &graph->step[taker];

	return ct_ffm_end(last) - last->wait_ns - ct_ffm_end(&graph->step[s]);
}

/* A copy and the wait for it, one behind the other, are one wait however it is divided between
 * them: it is needed as the second is. With work between them, what the copy waits is needed only
 * if the second has nothing left to wait for and its use is far. */
static void take_over(struct settling *settling, uint32_t s, uint32_t taker)
{
	struct ct_ffm_graph *graph = &settling->program->graph;
	const struct ct_ffm_judgement *last = &settling->judgement[taker];
	uint64_t way = between(graph, s, taker);
	uint64_t usual = ct_ffm_pauses_short(
	    &settling->takers, pair_of(stack_of(settling, s), stack_of(settling, taker)));
	struct ct_ffm_judgement *judgement = &settling->judgement[s];

	way = usual < way ? usual : way;
	if (!(way < NEAR_NS && is_transfer(settling, s)) &&
	    (graph->step[taker].wait_ns || !ct_ffm_is_far(last, settling->far_ns)))
		return;
	judgement->need = CT_FFM_NEEDED;
	judgement->first_use_ns = way + last->first_use_ns;
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

int ct_ffm_finish_distances(struct ct_ffm_program *program, const struct ct_trace *trace,
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
