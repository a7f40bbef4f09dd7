/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a program in each of its runs, and what later runs say of the calls of the
 * first. */
#include "base/large.h"
#include "postproc/analysis/ffm/make_study.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* A process that has made calls. */
struct candidate {
	uint64_t begin_ns;
	uint32_t part, rank;
};

static int compare_begins(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

/* Those of a trace, by their begins. */
struct candidates {
	struct ct_trace *trace; /* NULL: there is none */
	struct candidate *list;
	size_t count;
	int err;
};

static int list_candidates(struct candidates *candidates)
{
	struct ct_trace *trace = candidates->trace;
	const struct ct_process_info *info;
	size_t processes = trace ? ct_trace_processes(trace, &info) : 0;
	struct candidate *list = malloc((processes + 1) * sizeof(*list));
	int err = list ? 0 : -ENOMEM;

	candidates->list = list;
	for (size_t i = 0; i < processes && err == 0; i++) {
		const void *rows;
		size_t calls;

		err = ct_trace_rows(trace, info[i].part, CT_TABLE_CALL, &rows, &calls);
		if (calls)
			list[candidates->count++] = (struct candidate){
			    .begin_ns = ((const struct ct_row_call *)rows)->begin_ns,
			    .part = info[i].part,
			    .rank = info[i].rank,
			};
	}
	if (list)
		qsort(list, candidates->count, sizeof(*list), compare_begins);
	return err;
}

static void *list_beside(void *user)
{
	struct candidates *candidates = user;

	candidates->err = list_candidates(candidates);
	return NULL;
}

/* Two traces that are not the same are read at once. */
static int list_both(struct candidates *calls, struct candidates *uses)
{
	pthread_t thread;
	bool is_beside =
	    calls->trace != uses->trace && pthread_create(&thread, NULL, list_beside, uses) == 0;

	calls->err = list_candidates(calls);
	if (is_beside)
		pthread_join(thread, NULL);
	else
		list_beside(uses);
	return calls->err == 0 ? uses->err : calls->err;
}

/* The process of another run: of the same rank; without ranks, as many have begun before it. */
static uint32_t partner_of(const struct candidate *process, size_t number,
			   const struct candidates *others)
{
	const struct candidate *other = others->list;

	if (process->rank == CT_NO_RANK)
		return number < others->count && other[number].rank == CT_NO_RANK
			   ? other[number].part
			   : CT_FFM_NONE;
	for (size_t i = 0; i < others->count; i++)
		if (other[i].rank == process->rank)
			return other[i].part;
	return CT_FFM_NONE;
}

int ct_ffm_pair_processes(struct ct_ffm_study *study)
{
	struct candidates calls = {.trace = study->calls}, uses = {.trace = study->uses};
	struct candidates first_uses = {.trace = study->first_uses};
	int err = list_both(&calls, &uses);

	if (err == 0)
		err = list_candidates(&first_uses);
	study->process = err == 0 ? calloc(calls.count + 1, sizeof(*study->process)) : NULL;
	if (err == 0 && !study->process)
		err = -ENOMEM;
	for (size_t i = 0; i < calls.count && err == 0; i++)
		study->process[study->processes++] = (struct ct_ffm_process){
		    .calls_part = calls.list[i].part,
		    .uses_part = partner_of(&calls.list[i], i, &uses),
		    .first_uses_part = partner_of(&calls.list[i], i, &first_uses),
		};
	free(calls.list);
	free(uses.list);
	free(first_uses.list);
	return err;
}

/* Another run of the process; memory and found NULL: copies are not looked at. */
struct other_run {
	struct ct_trace *trace;
	uint32_t part;
	struct ct_ffm_memory *memory;
	struct ct_ffm_found **found;
	struct ct_ffm_program program;
	struct ct_ffm_judgement *judgement;
	struct ct_ffm_verdicts verdicts;
	int err; /* of open_other */
};

static int look_at_copies(const struct ct_ffm_memory *memory, struct ct_ffm_found **found)
{
	*found = ct_large_alloc(memory->copies + 1, sizeof(**found));
	return *found ? ct_ffm_find_copies(memory, *found) : -ENOMEM;
}

static int open_other(struct other_run *other)
{
	size_t steps;
	int err = ct_ffm_program_init(&other->program, other->trace, other->part);

	if (err == 0 && other->memory)
		err = ct_ffm_memory_init(other->memory, &other->program, other->trace, other->part);
	if (err == 0 && other->memory)
		err = look_at_copies(other->memory, other->found);
	steps = other->program.graph.steps;
	other->judgement = ct_large_alloc(steps + 1, sizeof(*other->judgement));
	if (err < 0 || !other->judgement)
		return err < 0 ? err : -ENOMEM;
	return ct_ffm_judge(&other->program, other->memory, other->found ? *other->found : NULL,
			    other->trace, other->part, other->judgement, &other->verdicts);
}

/* to: by step of the process. */
static int match(const struct ct_ffm_study *study, const struct ct_ffm_process *process,
		 const struct other_run *other, uint32_t *to, struct ct_ffm_matched *matched)
{
	const struct ct_ffm_program *program = &process->program;
	uint64_t *what = ct_large_alloc(program->graph.steps + 1, sizeof(*what));
	uint64_t *other_what = ct_large_alloc(other->program.graph.steps + 1, sizeof(*other_what));
	int err = what && other_what ? 0 : -ENOMEM;

	if (err == 0)
		err = ct_ffm_whats(program, study->calls, process->calls_part, what);
	if (err == 0)
		err = ct_ffm_whats(&other->program, other->trace, other->part, other_what);
	if (err == 0)
		err = ct_ffm_match(&(struct ct_ffm_run){&program->graph, what},
				   &(struct ct_ffm_run){&other->program.graph, other_what}, to,
				   matched);
	ct_large_free(what);
	ct_large_free(other_what);
	return err;
}

static void *open_beside(void *user)
{
	struct other_run *other = user;

	other->err = open_other(other);
	return NULL;
}

/* Stage 3 says what each wait and copy is. */
static int learn_uses(struct ct_ffm_study *study, struct ct_ffm_process *process,
		      const struct other_run *other, struct ct_ffm_judgement *judgement)
{
	size_t steps = process->program.graph.steps;
	int err;

	process->in_uses = ct_large_alloc(steps + 1, sizeof(*process->in_uses));
	if (!process->in_uses)
		return -ENOMEM;
	err = match(study, process, other, process->in_uses, &process->matched_uses);
	for (size_t s = 0; s < steps && err == 0; s++)
		if (process->in_uses[s] != CT_FFM_NONE)
			judgement[s] = other->judgement[process->in_uses[s]];
	process->verdicts = other->verdicts;
	process->uses = &process->other_run;
	process->uses_memory = &process->other_memory;
	ct_ffm_program_drop_graph(&process->other_run);
	return err;
}

/* Both rows of STACK mean nothing in the other run; they are of the same use. */
static void take_first_use(struct ct_ffm_judgement *judgement, const struct ct_ffm_judgement *other)
{
	judgement->first_use_ns = other->first_use_ns;
	judgement->is_soon = other->is_soon;
	judgement->is_others = other->is_others;
}

/* Stage 4 has disturbed the program less between needed waits and what needs them. */
static int learn_first_uses(struct ct_ffm_study *study, struct ct_ffm_process *process,
			    struct ct_ffm_judgement *judgement)
{
	size_t steps = process->program.graph.steps;
	uint32_t *to = ct_large_alloc(steps + 1, sizeof(*to));
	struct other_run other = {.trace = study->first_uses, .part = process->first_uses_part};
	int err = open_other(&other);

	if (err == 0 && !to)
		err = -ENOMEM;
	if (err == 0)
		err = match(study, process, &other, to, &process->matched_first_uses);
	for (size_t s = 0; s < steps && err == 0; s++)
		if (to[s] != CT_FFM_NONE && judgement[s].need == CT_FFM_NEEDED &&
		    other.judgement[to[s]].need == CT_FFM_NEEDED)
			take_first_use(&judgement[s], &other.judgement[to[s]]);
	ct_ffm_program_fini(&other.program);
	ct_large_free(other.judgement);
	ct_large_free(to);
	return err;
}

/* uses: the run of stage 3, if it is another one. */
static int learn(struct ct_ffm_study *study, struct ct_ffm_process *process,
		 const struct other_run *uses)
{
	struct ct_ffm_judgement *judgement = process->judgement;
	int err = 0;

	if (study->uses == study->calls) {
		process->uses = &process->program;
		process->uses_memory = &process->memory;
		err = look_at_copies(&process->memory, &process->found);
		if (err == 0)
			err = ct_ffm_judge(&process->program, &process->memory, process->found,
					   study->calls, process->calls_part, judgement,
					   &process->verdicts);
	} else if (process->uses_part != CT_FFM_NONE) {
		err = learn_uses(study, process, uses, judgement);
	}
	if (err == 0 && study->first_uses != study->uses && process->first_uses_part != CT_FFM_NONE)
		err = learn_first_uses(study, process, judgement);
	return err;
}

/* The run of stage 3 in a thread of its own meanwhile: it is another trace. */
static int open_runs(struct ct_ffm_study *study, struct ct_ffm_process *process,
		     struct other_run *uses)
{
	bool has_uses = study->uses != study->calls && process->uses_part != CT_FFM_NONE;
	pthread_t thread;
	bool is_beside = has_uses && pthread_create(&thread, NULL, open_beside, uses) == 0;
	int err = ct_ffm_program_init(&process->program, study->calls, process->calls_part);

	if (err == 0)
		err = ct_ffm_memory_init(&process->memory, &process->program, study->calls,
					 process->calls_part);
	if (is_beside)
		pthread_join(thread, NULL);
	else if (has_uses)
		open_beside(uses);
	process->other_run = uses->program;
	return err == 0 ? uses->err : err;
}

static int find_crossings(const struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	bool is_same_run = process->uses == &process->program;
	struct ct_ffm_touched touched = {.touches = 0};
	int err = 0;

	if (process->uses)
		err = ct_ffm_touched_init(&touched, process->uses, process->uses_memory,
					  is_same_run ? study->calls : study->uses,
					  is_same_run ? process->calls_part : process->uses_part);
	if (err == 0)
		err = ct_ffm_crossings_init(&process->crossings, &process->program, process->gap,
					    &touched, process->in_uses);
	ct_ffm_touched_fini(&touched);
	return err == 0 ? ct_ffm_keep_order(&process->program.graph, &process->crossings) : err;
}

/* Gaps twice: misplaced waits may end behind what was the program's end. */
static int charge(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	struct ct_ffm_program *program = &process->program;
	int err = ct_ffm_gaps(&program->graph, &program->streams, process->gap);

	if (err == 0)
		err = ct_ffm_finish_distances(program, study->calls, process->calls_part,
					      process->gap, study->far_ns, process->judgement);
	if (err < 0)
		return err;
	ct_ffm_charge(program, study->calls, process->calls_part, process->judgement, study->far_ns,
		      &process->verdicts);
	err = ct_ffm_gaps(&program->graph, &program->streams, process->gap);
	return err == 0 ? find_crossings(study, process) : err;
}

int ct_ffm_process_init(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	struct ct_ffm_program *program = &process->program;
	struct other_run uses = {.trace = study->uses,
				 .part = process->uses_part,
				 .memory = &process->other_memory,
				 .found = &process->found};
	int err = open_runs(study, process, &uses);

	if (err == 0) {
		process->judgement =
		    ct_large_alloc(program->graph.steps + 1, sizeof(*process->judgement));
		process->gap = ct_large_alloc(program->graph.steps + 1, sizeof(*process->gap));
		err = process->judgement && process->gap ? learn(study, process, &uses) : -ENOMEM;
	}
	if (err == 0)
		err = charge(study, process);
	ct_large_free(uses.judgement);
	return err == 0 ? ct_ffm_number_sites(study, process) : err;
}

void ct_ffm_process_fini(struct ct_ffm_process *process)
{
	ct_ffm_memory_fini(&process->memory);
	ct_ffm_memory_fini(&process->other_memory);
	ct_large_free(process->found);
	ct_ffm_crossings_fini(&process->crossings);
	ct_ffm_program_fini(&process->program);
	ct_ffm_program_fini(&process->other_run);
	ct_large_free(process->judgement);
	ct_large_free(process->gap);
	ct_large_free(process->site);
	ct_large_free(process->in_uses);
}
