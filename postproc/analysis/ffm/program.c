/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of a process: steps, then works. */
#include "postproc/analysis/ffm/program.h"
#include "base/large.h"
#include "postproc/analysis/ffm/make.h"
#include <errno.h>
#include <stdlib.h>

static int read_rows(struct ct_ffm_making *making)
{
	struct ct_ffm_program *program = making->program;
	const void *calls, *activities;
	int err =
	    ct_trace_rows(making->trace, making->part, CT_TABLE_CALL, &calls, &program->call_count);

	if (err == 0)
		err = ct_trace_rows(making->trace, making->part, CT_TABLE_ACTIVITY, &activities,
				    &program->activity_count);
	if (err < 0)
		return err;
	program->calls = calls;
	making->activities = activities;
	return program->call_count >= CT_FFM_NONE || program->activity_count >= CT_FFM_NONE
		   ? -EOVERFLOW
		   : 0;
}

static void widen(struct ct_ffm_program *program, uint64_t begin_ns, uint64_t end_ns)
{
	if (begin_ns < program->begin_ns)
		program->begin_ns = begin_ns;
	if (end_ns > program->graph.end_ns)
		program->graph.end_ns = end_ns;
}

/* The program's time before its first call and behind its last one is its run's, too. */
static void find_bounds(struct ct_ffm_program *program, const struct ct_trace *trace, uint32_t part)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_RAN, &events);

	program->begin_ns = UINT64_MAX;
	for (size_t i = 0; i < program->call_count; i++)
		widen(program, program->calls[i].begin_ns,
		      program->calls[i].begin_ns + program->calls[i].duration_ns);
	for (size_t i = 0; i < count; i++)
		if (events[i].part == part)
			widen(program, events[i].ran->begin_ns, events[i].ran->end_ns);
}

static void close_making(struct ct_ffm_making *making)
{
	ct_waits_fini(&making->waits);
	ct_map_fini(&making->streams);
	ct_by_number_fini(&making->by_correlation);
	ct_by_number_fini(&making->by_launch);
	free(making->stream_id);
	ct_large_free(making->work);
	ct_keyed_fini(&making->launched);
	ct_keyed_fini(&making->begun);
	free(making->edge);
}

int ct_ffm_program_init(struct ct_ffm_program *program, struct ct_trace *trace, uint32_t part)
{
	struct ct_ffm_making making = {.program = program, .trace = trace, .part = part};
	int err;

	*program = (struct ct_ffm_program){0};
	err = read_rows(&making);
	if (err == 0)
		err = ct_waits_init(&making.waits, trace, part, making.activities,
				    program->activity_count);
	if (err == 0)
		err = ct_ffm_make_steps(&making);
	if (err == 0)
		err = ct_ffm_make_works(&making);
	if (err == 0) {
		find_bounds(program, trace, part);
		err = ct_ffm_streams_init(&program->streams, &program->graph);
	}
	close_making(&making);
	if (err < 0)
		ct_ffm_program_fini(program);
	return err;
}

void ct_ffm_program_drop_graph(struct ct_ffm_program *program)
{
	struct ct_ffm_graph *graph = &program->graph;

	ct_ffm_streams_fini(&program->streams);
	ct_large_free(graph->step);
	ct_large_free(graph->work);
	free(graph->is_legacy);
	ct_large_free(graph->before);
	ct_large_free(graph->first_before);
	ct_large_free(program->is_unseen);
	*graph = (struct ct_ffm_graph){
	    .steps = graph->steps, .works = graph->works, .end_ns = graph->end_ns};
	program->is_unseen = NULL;
}

void ct_ffm_program_fini(struct ct_ffm_program *program)
{
	ct_ffm_program_drop_graph(program);
	ct_large_free(program->call);
	*program = (struct ct_ffm_program){0};
}

uint64_t ct_ffm_program_run_ns(const struct ct_ffm_program *program)
{
	return program->begin_ns < program->graph.end_ns ? program->graph.end_ns - program->begin_ns
							 : 0;
}
