/* SPDX-License-Identifier: Apache-2.0 */
/* Detectors share this. */
#include "postproc/analysis/ffm/detect/detect.h"
#include "base/large.h"
#include <errno.h>
#include <stdlib.h>

struct ct_ffm_site ct_ffm_site_of(const struct ct_ffm_study *study,
				  const struct ct_ffm_process *process, uint32_t step)
{
	struct ct_ffm_site site = study->site[process->site[step]];

	site.count = 0;
	return site;
}

struct ct_ffm_site ct_ffm_site_in_uses(const struct ct_ffm_study *study,
				       const struct ct_ffm_process *process, uint32_t step)
{
	const struct ct_row_call *call = &process->uses->calls[process->uses->call[step]];
	bool is_same_run = process->uses == &process->program;
	struct ct_trace *trace = is_same_run ? study->calls : study->uses;
	uint32_t part = is_same_run ? process->calls_part : process->uses_part;

	return (struct ct_ffm_site){.call = ct_trace_string(trace, part, call->name),
				    .stack = ct_ffm_study_node(study, trace, part, call->stack)};
}

int ct_ffm_relate_step(const struct ct_ffm_study *study, const struct ct_ffm_process *process,
		       struct ct_ffm_entry *entry, enum ct_ffm_site_role role, uint32_t step)
{
	struct ct_ffm_site site;

	if (step == CT_FFM_NONE)
		return 0;
	site = ct_ffm_site_of(study, process, step);
	return ct_ffm_entry_relate(entry, role, site.call, site.stack, 1);
}

uint32_t ct_ffm_in_uses(const struct ct_ffm_process *process, uint32_t step)
{
	if (process->uses == &process->program)
		return step;
	return process->in_uses ? process->in_uses[step] : CT_FFM_NONE;
}

uint32_t *ct_ffm_from_uses(const struct ct_ffm_process *process)
{
	size_t steps = process->uses->graph.steps;
	uint32_t *from = ct_large_alloc(steps + 1, sizeof(*from));

	if (!from)
		return NULL;
	for (size_t u = 0; u < steps; u++)
		from[u] = CT_FFM_NONE;
	for (size_t s = 0; s < process->program.graph.steps; s++) {
		uint32_t u = ct_ffm_in_uses(process, (uint32_t)s);

		if (u != CT_FFM_NONE)
			from[u] = (uint32_t)s;
	}
	return from;
}

/* The steps are that problem alone for as long as it is looked at. */
int ct_ffm_what_if(struct ct_ffm_process *process, uint32_t *step, size_t count, uint8_t problem,
		   uint64_t *expected_ns, int64_t *replayed_ns)
{
	struct ct_ffm_graph *graph = &process->program.graph;
	uint8_t *was = ct_large_alloc(count + 1, 1);
	int err;

	if (!was || ct_ffm_sort_steps(graph, step, count) < 0) {
		ct_large_free(was);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		was[i] = graph->step[step[i]].problem;
		graph->step[step[i]].problem = problem;
	}
	err = ct_ffm_expect(graph, process->gap, step, count, expected_ns);
	if (err == 0)
		err = ct_ffm_replay(graph, &process->program.streams, step, count, replayed_ns);
	for (size_t i = count; i-- > 0;)
		graph->step[step[i]].problem = was[i];
	ct_large_free(was);
	return err;
}

void ct_ffm_note_bytes(struct ct_ffm_facts *facts, uint64_t bytes)
{
	if (!facts->most_bytes || bytes < facts->least_bytes)
		facts->least_bytes = bytes;
	if (bytes > facts->most_bytes)
		facts->most_bytes = bytes;
}
