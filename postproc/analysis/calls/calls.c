/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what CUDA calls took: part by part, each with the devices' activities first. */
#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/calls/make.h"
#include "trace/codec/table.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void free_part(struct ct_calls_making *making)
{
	ct_map_fini(&making->functions);
	ct_map_fini(&making->kernels);
	ct_map_fini(&making->threads);
	ct_map_fini(&making->streams);
	ct_map_fini(&making->launches);
	ct_waits_fini(&making->waiting);
	ct_caused_fini(&making->caused);
}

static void widen(struct ct_calls_part *part, uint64_t begin_ns, uint64_t duration_ns)
{
	uint64_t end_ns = begin_ns + duration_ns;

	if (part->end_ns == 0 || begin_ns < part->begin_ns)
		part->begin_ns = begin_ns;
	if (end_ns > part->end_ns)
		part->end_ns = end_ns;
}

static void find_ends(struct ct_calls_making *making)
{
	struct ct_calls_part *part = making->part;

	for (size_t i = 0; i < making->call_count; i++)
		widen(part, making->call[i].begin_ns, making->call[i].duration_ns);
	for (size_t i = 0; i < making->activity_count; i++)
		if (!(making->activity[i].flags & CT_ACTIVITY_OURS))
			widen(part, making->activity[i].begin_ns, making->activity[i].duration_ns);
	making->calls->run_ns += part->end_ns - part->begin_ns;
}

static void read_source(struct ct_calls *calls, struct ct_calls_part *part)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(calls->trace, CT_EVENT_CALLS, &events);

	for (size_t i = 0; i < count; i++) {
		if (events[i].part != part->part)
			continue;
		part->source = ct_trace_string(calls->trace, part->part, events[i].calls->source);
		part->missing = ct_trace_string(calls->trace, part->part, events[i].calls->missing);
	}
}

static int load_part(struct ct_calls_making *making)
{
	struct ct_trace *trace = making->calls->trace;
	uint32_t part = making->part->part;
	int err = ct_trace_rows(trace, part, CT_TABLE_CALL, (const void **)&making->call,
				&making->call_count);

	if (err == 0)
		err = ct_trace_rows(trace, part, CT_TABLE_ACTIVITY,
				    (const void **)&making->activity, &making->activity_count);
	return err;
}

/* begin: of a part. */
static int add_part(struct ct_calls_making *begin, uint32_t number)
{
	struct ct_calls *calls = begin->calls;
	struct ct_calls_part *part = &calls->part[calls->parts++];
	struct ct_calls_making making = *begin;
	int err;

	*part = (struct ct_calls_part){.part = number, .source = "", .missing = ""};
	making.part = part;
	read_source(calls, part);
	err = load_part(&making);
	if (calls->stacks)
		making.node = ct_stacks_part(calls->stacks, number, &making.nodes);
	if (err == 0)
		find_ends(&making);
	if (err == 0)
		err = ct_waits_init(&making.waiting, calls->trace, number, making.activity,
				    making.activity_count);
	if (err == 0) {
		part->clock_error_ns = making.waiting.error_ns;
		err = ct_caused_init(&making.caused, making.activity, making.activity_count);
	}
	if (err == 0)
		err = ct_calls_add_activities(&making);
	if (err == 0)
		err = ct_calls_add_shares(&making);
	if (err == 0)
		err = ct_calls_add_calls(&making);
	if (err == 0)
		err = ct_calls_bound_clock(&making);
	free_part(&making);
	*begin = making;
	return err;
}

int ct_calls_init(struct ct_calls *calls, struct ct_trace *trace,
		  const struct ct_stack_tree *stacks)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes);
	struct ct_calls_making making = {.calls = calls};
	int err = 0;

	*calls = (struct ct_calls){.trace = trace, .stacks = stacks};
	calls->part = calloc(parts + 1, sizeof(*calls->part));
	if (!calls->part)
		return -ENOMEM;
	for (size_t i = 0; i < parts && err == 0; i++)
		err = add_part(&making, processes[i].part);
	ct_intern_fini(&making.function_names);
	ct_intern_fini(&making.kernel_names);
	ct_map_fini(&making.waits);
	ct_map_fini(&making.paths);
	if (err < 0)
		ct_calls_fini(calls);
	return err;
}

void ct_calls_fini(struct ct_calls *calls)
{
	for (size_t i = 0; i < calls->kernels; i++)
		free(calls->kernel[i].name);
	free(calls->function);
	free(calls->kernel);
	free(calls->thread);
	free(calls->stream);
	free(calls->wait);
	free(calls->path);
	free(calls->part);
	*calls = (struct ct_calls){0};
}

bool ct_calls_are_there(struct ct_trace *trace)
{
	const struct ct_process_info *processes;
	const struct ct_host_event *events;
	size_t parts = ct_trace_processes(trace, &processes), count;
	const void *rows;

	if (ct_trace_events(trace, CT_EVENT_CALLS, &events))
		return true;
	for (size_t i = 0; i < parts; i++)
		for (uint32_t table = CT_TABLE_CALL; table <= CT_TABLE_ACTIVITY; table++)
			if (ct_trace_rows(trace, processes[i].part, table, &rows, &count) == 0 &&
			    count)
				return true;
	return false;
}

double ct_calls_mean_seconds(const struct ct_calls *calls, const char *symbol)
{
	for (size_t i = 0; i < calls->kernels; i++) {
		const struct ct_calls_kernel *timed = &calls->kernel[i];

		if (timed->is_timed && !timed->is_traced && timed->times.count &&
		    !strcmp(symbol, timed->symbol))
			return 1e-9 * (double)timed->times.total_ns / (double)timed->times.count;
	}
	return 0;
}

/* Where nothing has watched the devices it is of those that do nothing else. */
bool ct_calls_knows_wait(const struct ct_calls *calls, const struct ct_calls_function *function)
{
	if (function->is_inner || function->wait.what == CT_WAIT_FOR_NONE)
		return false;
	return function->wait.is_synchronize || function->waited_ns || !calls->waits_are_bounds;
}

/* The name of a value of a column. */
static const char *value_name(enum ct_table_number table, const char *column, uint32_t value)
{
	const struct ct_table_layout *layout = ct_table_layout(table);

	for (uint32_t i = 0; i < layout->column_count; i++) {
		const struct ct_event_field *field = &layout->columns[i].field;
		const char *name =
		    strcmp(field->name, column) ? NULL : ct_field_value_name(field, value);

		if (name)
			return name;
	}
	return "unknown";
}

const char *ct_copy_kind_name(uint32_t kind)
{
	return kind == CT_COPY_NONE ? "unknown" : value_name(CT_TABLE_ACTIVITY, "copy", kind);
}

const char *ct_span_kind_name(uint32_t kind)
{
	return value_name(CT_TABLE_CALL, "kind", kind);
}
