/* SPDX-License-Identifier: Apache-2.0 */
/* What waits with problems wait for, what accesses it first, and what they keep in order beside. */
#include "base/large.h"
#include "postproc/analysis/ffm/detect/detect.h"
#include <errno.h>
#include <stdlib.h>

#define LATER 256u /* steps behind a wait that are looked at */

struct looking {
	struct ct_ffm_study *study;
	struct ct_ffm_process *process;
	uint32_t *work;              /* by step: the first one that it launched; CT_FFM_NONE */
	struct ct_by_number by_wait; /* id of CALL -> row of USE + 1 */
	uint32_t *next_use;          /* by row of USE: the next of the same wait, + 1; 0 */
	const struct ct_row_use *use;
};

static int list_works(struct looking *looking)
{
	const struct ct_ffm_graph *graph = &looking->process->program.graph;

	looking->work = ct_large_alloc(graph->steps + 1, sizeof(*looking->work));
	if (!looking->work)
		return -ENOMEM;
	for (size_t s = 0; s < graph->steps; s++)
		looking->work[s] = CT_FFM_NONE;
	for (size_t w = graph->works; w-- > 0;)
		if (graph->work[w].step != CT_FFM_NONE)
			looking->work[graph->work[w].step] = (uint32_t)w;
	return 0;
}

static int list_uses(struct looking *looking)
{
	const struct ct_ffm_study *study = looking->study;
	const struct ct_ffm_process *process = looking->process;
	bool is_same_run = process->uses == &process->program;
	struct ct_by_number_range range = {.count = 0};
	const void *rows;
	size_t count;
	int err;

	if (!process->uses)
		return 0;
	err = ct_trace_rows(is_same_run ? study->calls : study->uses,
			    is_same_run ? process->calls_part : process->uses_part, CT_TABLE_USE,
			    &rows, &count);
	if (err < 0)
		return err;
	looking->use = rows;
	looking->next_use = ct_large_alloc(count + 1, sizeof(*looking->next_use));
	if (!looking->next_use)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		ct_by_number_expect(&range, looking->use[i].wait);
	err = ct_by_number_init(&looking->by_wait, &range);
	for (size_t i = 0; i < count && err == 0; i++) {
		looking->next_use[i] = ct_by_number_get(&looking->by_wait, looking->use[i].wait);
		err = ct_by_number_set(&looking->by_wait, looking->use[i].wait, (uint32_t)i + 1);
	}
	return err;
}

/* Works of the streams that it waited for, the last of each. */
static uint32_t producer_in(const struct looking *looking, uint32_t s, uint32_t stream)
{
	const struct ct_ffm_program *program = &looking->process->program;
	const struct ct_ffm_step *step = &program->graph.step[s];
	const struct ct_ffm_work *work;
	uint32_t last;

	if (!ct_ffm_covers(&program->graph, step, stream))
		return CT_FFM_NONE;
	last = ct_ffm_last_covered(&program->graph, &program->streams, step, stream);
	if (last == CT_FFM_NONE)
		return CT_FFM_NONE;
	work = &program->graph.work[last];
	return work->begin_ns + work->duration_ns > ct_ffm_launch_at(step) && work->step != s
		   ? last
		   : CT_FFM_NONE;
}

static uint64_t stream_of(const struct ct_ffm_program *program, uint32_t step)
{
	return program->calls[program->call[step]].stream;
}

/* Work of a step comes behind another work by the rules of streams alone. */
static bool is_behind(const struct looking *looking, uint32_t s, uint32_t before)
{
	const struct ct_ffm_program *program = &looking->process->program;
	const struct ct_ffm_graph *graph = &program->graph;
	uint32_t w = looking->work[s], by = graph->work[before].step;
	uint32_t stream = graph->work[before].stream;

	if (graph->work[w].stream == stream)
		return true;
	for (size_t i = graph->first_before[w]; i < graph->first_before[w + 1]; i++)
		if (graph->work[graph->before[i]].stream == stream)
			return true;
	return (stream_of(program, s) == 0 && graph->is_legacy[stream]) ||
	       (by != CT_FFM_NONE && stream_of(program, by) == 0 &&
		graph->is_legacy[graph->work[w].stream]);
}

/* The thread asks, before it waits again, for work that only this wait keeps behind `before`. */
static bool is_crossed(const struct looking *looking, uint32_t s, uint32_t before)
{
	const struct ct_ffm_graph *graph = &looking->process->program.graph;
	uint32_t next = looking->process->gap[s].next;

	for (uint32_t t = s + 1; t < graph->steps && t <= s + LATER; t++) {
		if (graph->step[t].thread != graph->step[s].thread)
			return false;
		if (looking->work[t] != CT_FFM_NONE && !is_behind(looking, t, before))
			return true;
		if (t == next)
			return false;
	}
	return false;
}

static int relate_producers(const struct looking *looking, struct ct_ffm_entry *entry, uint32_t s)
{
	const struct ct_ffm_graph *graph = &looking->process->program.graph;
	bool is_kept = false;
	int err = 0;

	for (uint32_t stream = 0; stream < graph->streams && err == 0; stream++) {
		uint32_t work = producer_in(looking, s, stream);

		if (work == CT_FFM_NONE)
			continue;
		err = ct_ffm_relate_step(looking->study, looking->process, entry, CT_FFM_PRODUCED,
					 graph->work[work].step);
		is_kept = is_kept || is_crossed(looking, s, work);
	}
	entry->facts.crossed += is_kept;
	return err;
}

/* What is said of it is said by the function that is called there. */
static enum ct_ffm_site_role role_of(uint32_t kind)
{
	if (kind == CT_USE_CLOCK)
		return CT_FFM_CLOCKED;
	if (kind == CT_USE_FREE)
		return CT_FFM_FREED;
	return kind >= CT_USE_LOAD && kind <= CT_USE_SYSTEM ? CT_FFM_USED : CT_FFM_ROLES;
}

static int relate_uses(const struct looking *looking, struct ct_ffm_entry *entry, uint32_t s)
{
	const struct ct_ffm_process *process = looking->process;
	bool is_same_run = process->uses == &process->program;
	struct ct_trace *trace = is_same_run ? looking->study->calls : looking->study->uses;
	uint32_t part = is_same_run ? process->calls_part : process->uses_part;
	uint32_t u = process->uses ? ct_ffm_in_uses(process, s) : CT_FFM_NONE;
	uint32_t first;
	int err = 0;

	if (u == CT_FFM_NONE)
		return 0;
	first =
	    ct_by_number_get(&looking->by_wait, process->uses->calls[process->uses->call[u]].id);
	for (uint32_t i = first; i && err == 0; i = looking->next_use[i - 1]) {
		const struct ct_row_use *use = &looking->use[i - 1];
		enum ct_ffm_site_role role = role_of(use->kind);

		entry->facts.timed += role == CT_FFM_CLOCKED;
		if (role != CT_FFM_ROLES)
			err = ct_ffm_entry_relate(
			    entry, role, ct_trace_string(trace, part, use->reason),
			    ct_ffm_study_node(looking->study, trace, part, use->stack), 1);
	}
	return err;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	const struct ct_ffm_graph *graph = &process->program.graph;
	struct looking looking = {.study = study, .process = process};
	int err = list_works(&looking);

	if (err == 0)
		err = list_uses(&looking);
	for (uint32_t s = 0; s < graph->steps && err == 0; s++) {
		uint8_t problem = graph->step[s].problem;
		struct ct_ffm_site site = ct_ffm_site_of(study, process, s);
		struct ct_ffm_entry *entry =
		    problem & (CT_FFM_UNNECESSARY | CT_FFM_MISPLACED)
			? ct_ffm_study_find(study, ct_ffm_kind_of(problem), site.call, site.stack)
			: NULL;

		if (!entry)
			continue;
		err = relate_producers(&looking, entry, s);
		if (err == 0)
			err = relate_uses(&looking, entry, s);
	}
	ct_large_free(looking.work);
	ct_large_free(looking.next_use);
	ct_by_number_fini(&looking.by_wait);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_waits = {"waits", detect};
