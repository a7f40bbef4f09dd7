/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what waits with problems wait for, what accesses it first, and what they keep in order
 * beside. */
#include "base/large.h"
#include "postproc/analysis/ffm/detect/detect.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct looking {
	struct ct_ffm_study *study;
	struct ct_ffm_process *process;
	struct ct_by_number by_wait; /* id of CALL -> row of USE + 1 */
	uint32_t *next_use;          /* by row of USE: the next of the same wait, + 1; 0 */
	const struct ct_row_use *use;
};

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

/* Returns what work behind the wait, of other streams, has to do with what it waits for. */
static enum ct_ffm_sharing crossed_by(const struct looking *looking, uint32_t s)
{
	const struct ct_ffm_crossings *crossings = &looking->process->crossings;
	enum ct_ffm_sharing most = CT_FFM_SHARES_NOTHING;
	size_t low = 0, high = crossings->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (crossings->crossing[middle].step < s)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < crossings->count && crossings->crossing[low].step == s; low++)
		if (crossings->crossing[low].sharing > most)
			most = crossings->crossing[low].sharing;
	return most;
}

static int relate_producers(const struct looking *looking, struct ct_ffm_entry *entry, uint32_t s)
{
	const struct ct_ffm_graph *graph = &looking->process->program.graph;
	enum ct_ffm_sharing crossed = crossed_by(looking, s);
	int err = 0;

	for (uint32_t stream = 0; stream < graph->streams && err == 0; stream++) {
		uint32_t work = producer_in(looking, s, stream);

		if (work == CT_FFM_NONE)
			continue;
		err = ct_ffm_relate_step(looking->study, looking->process, entry, CT_FFM_PRODUCED,
					 graph->work[work].step);
	}
	entry->facts.crossed += crossed == CT_FFM_SHARES;
	entry->facts.perhaps += crossed == CT_FFM_SHARES_PERHAPS;
	return err;
}

/* The function that is called there says what is said of it. */
static enum ct_ffm_site_role role_of(uint32_t kind)
{
	if (kind == CT_USE_CLOCK)
		return CT_FFM_CLOCKED;
	if (kind == CT_USE_FREE)
		return CT_FFM_FREED;
	return kind >= CT_USE_LOAD && kind <= CT_USE_SYSTEM ? CT_FFM_USED : CT_FFM_ROLES;
}

/* As the source has it. */
static const char *name_of(const char *function)
{
	return strncmp(function, "_Zd", 3) == 0 ? "operator delete" : function;
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
			    entry, role, name_of(ct_trace_string(trace, part, use->reason)),
			    ct_ffm_study_node(looking->study, trace, part, use->stack), 1);
	}
	return err;
}

/* Calls from the place of a wait that is not needed: those that did not wait are judged, too. */
static void count_beside(struct ct_ffm_study *study, const struct ct_ffm_process *process,
			 uint32_t s)
{
	const struct ct_ffm_step *step = &process->program.graph.step[s];
	struct ct_ffm_site site = ct_ffm_site_of(study, process, s);
	struct ct_ffm_entry *entry =
	    ct_ffm_study_find(study, CT_FFM_UNNECESSARY_WAIT, site.call, site.stack);

	if (!entry || step->problem & (CT_FFM_UNNECESSARY | CT_FFM_TRANSFER))
		return;
	if (step->latent & CT_FFM_UNNECESSARY) {
		entry->site.count++;
		entry->facts.idle++;
	} else if (process->judgement[s].need == CT_FFM_NEEDED) {
		entry->facts.needed++;
	} else {
		entry->facts.unknown++;
	}
}

static int relate_wait(const struct looking *looking, uint32_t s)
{
	const struct ct_ffm_step *step = looking->process->program.graph.step;
	struct ct_ffm_site site = ct_ffm_site_of(looking->study, looking->process, s);
	struct ct_ffm_entry *entry = ct_ffm_study_find(
	    looking->study, ct_ffm_kind_of(step[s].problem), site.call, site.stack);
	int err;

	if (!entry)
		return 0;
	err = relate_producers(looking, entry, s);
	if (err == 0)
		err = relate_uses(looking, entry, s);
	/* Those that take over go along, and the use is theirs. */
	for (uint32_t t = step[s].problem & CT_FFM_MISPLACED ? step[s].taker : 0; t && err == 0;
	     t = step[t - 1].taker) {
		err = ct_ffm_relate_step(looking->study, looking->process, entry, CT_FFM_TAKER,
					 t - 1);
		if (err == 0)
			err = relate_uses(looking, entry, t - 1);
	}
	return err;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	const struct ct_ffm_graph *graph = &process->program.graph;
	struct looking looking = {.study = study, .process = process};
	int err = list_uses(&looking);

	for (uint32_t s = 0; s < graph->steps && err == 0; s++) {
		if (graph->step[s].problem & (CT_FFM_UNNECESSARY | CT_FFM_MISPLACED))
			err = relate_wait(&looking, s);
		if (graph->step[s].scope != CT_FFM_NOTHING)
			count_beside(study, process, s);
	}
	ct_large_free(looking.next_use);
	ct_by_number_fini(&looking.by_wait);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_waits = {"waits", detect};
