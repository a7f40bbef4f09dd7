/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of calls, device activities and host stacks. */
#include "postproc/analysis/calls/calls.h"
#include "postproc/render/export/tables.h"
#include "postproc/symbols/symbols.h"
#include "trace/read/clock_map.h"
#include <string.h>

struct row_threads {
	uint64_t part, thread;
	const char *name;
};

struct row_stacks {
	uint64_t stack;
	const struct ct_stack_tree_node *node;
	const struct ct_code_place *place;
	const struct ct_code_file *file;
};

struct row_frames {
	uint64_t stack, position;
	const struct ct_code_frame *frame;
};

struct row_calls {
	uint64_t part, number, begin_ns, stack;
	const struct ct_row_call *row;
	const char *name;
};

struct row_activities {
	uint64_t part, number, begin_ns;
	const struct ct_row_activity *row;
	const char *name, *kind;
};

struct row_cta_times {
	uint64_t part, number, begin_ns;
	const struct ct_row_cta *row;
};

#define CT_DESCRIBED "postproc/render/export/call_tables.def"
#include "postproc/tables/described.h"

static bool is_last_name(const struct ct_host_event *events, size_t count, size_t i)
{
	for (size_t later = i + 1; later < count; later++)
		if (events[later].part == events[i].part &&
		    events[later].thread->thread == events[i].thread->thread)
			return false;
	return true;
}

static int rows_threads(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_host_event *events;
	size_t count = ct_trace_events(export->trace, CT_EVENT_THREAD, &events);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_threads row = {
		    events[i].part, events[i].thread->thread,
		    ct_trace_string(export->trace, events[i].part, events[i].thread->name)};

		if (is_last_name(events, count, i))
			err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_stacks(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_stack_tree *stacks = &export->stacks;
	int err = 0;

	for (size_t i = 1; i < stacks->nodes && err == 0; i++) {
		const struct ct_code_place *place = &stacks->place[stacks->node[i].place];
		const struct row_stacks row = {
		    .stack = i,
		    .node = &stacks->node[i],
		    .place = place,
		    .file = place->file ? &stacks->file[place->file - 1] : NULL,
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int write_frames(const struct ct_symbols *symbols, const struct ct_stack_tree *stacks,
			struct ct_table_sink *sink, size_t stack)
{
	const uint32_t *numbers;
	size_t count = ct_symbols_frames(symbols, stacks->node[stack].place, &numbers);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_frames row = {stack, i, ct_symbols_frame(symbols, numbers[i])};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* Names are looked up here, for who asks for other tables need not wait for them. */
static int rows_frames(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	struct ct_symbols *symbols;
	const struct ct_symbols_options options = {.debug_path = NULL};
	int err = ct_symbols_open(&symbols, &export->stacks, &options);

	if (err < 0)
		return err;
	for (size_t i = 1; i < export->stacks.nodes && err == 0; i++)
		err = write_frames(symbols, &export->stacks, sink, i);
	ct_symbols_close(symbols);
	return err;
}

static uint64_t since_start(const struct ct_export *export, uint64_t time_ns)
{
	return time_ns > export->facts.start_ns ? time_ns - export->facts.start_ns : 0;
}

static int calls_of(const struct ct_export *export, struct ct_table_sink *sink, uint32_t part)
{
	const struct ct_row_call *rows;
	size_t count, nodes;
	const uint32_t *node = ct_stacks_part(&export->stacks, part, &nodes);
	int err = ct_trace_rows(export->trace, part, CT_TABLE_CALL, (const void **)&rows, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_calls row = {
		    .part = part,
		    .number = i + 1,
		    .begin_ns = since_start(export, rows[i].begin_ns),
		    .stack = node && rows[i].stack <= nodes ? node[rows[i].stack] : 0,
		    .row = &rows[i],
		    .name = ct_trace_string(export->trace, part, rows[i].name),
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_calls(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(export->trace, &processes);
	int err = 0;

	for (size_t i = 0; i < parts && err == 0; i++)
		err = calls_of(export, sink, processes[i].part);
	return err;
}

static int activities_of(const struct ct_export *export, struct ct_table_sink *sink, uint32_t part)
{
	static const char *const kinds[] = {"unknown", "kernel", "copy", "set"};
	const struct ct_row_activity *rows;
	size_t count;
	int err =
	    ct_trace_rows(export->trace, part, CT_TABLE_ACTIVITY, (const void **)&rows, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_activities row = {
		    .part = part,
		    .number = i + 1,
		    .begin_ns = since_start(export, rows[i].begin_ns),
		    .row = &rows[i],
		    .name = ct_trace_string(export->trace, part, rows[i].name),
		    .kind = kinds[rows[i].kind <= CT_ACTIVITY_SET ? rows[i].kind : 0],
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_activities(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(export->trace, &processes);
	int err = 0;

	for (size_t i = 0; i < parts && err == 0; i++)
		err = activities_of(export, sink, processes[i].part);
	return err;
}

/* A launch that the trace does not have ran on the first device. */
static uint32_t device_of(const struct ct_export *export, uint32_t part, uint32_t launch)
{
	const struct ct_launch_info *launches;
	size_t low = 0, high = ct_trace_launches(export->trace, &launches);

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct ct_launch_info *here = &launches[middle];

		if (here->part == part && here->event->launch == launch)
			return here->event->device;
		if (here->part < part || (here->part == part && here->event->launch < launch))
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

static int cta_times_of(const struct ct_export *export, struct ct_table_sink *sink, uint32_t part)
{
	struct ct_clock_map clocks = {.count = 0};
	const struct ct_row_cta *rows;
	size_t count;
	int err = ct_trace_rows(export->trace, part, CT_TABLE_CTA, (const void **)&rows, &count);

	if (err == 0)
		err = ct_clock_map_init(&clocks, export->trace, part);
	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t device = device_of(export, part, rows[i].launch);
		uint64_t begin_ns = ct_clock_map_host(&clocks, device, rows[i].begin_ns, NULL);
		const struct row_cta_times row = {
		    .part = part,
		    .number = i + 1,
		    .begin_ns = since_start(export, begin_ns),
		    .row = &rows[i],
		};

		err = ct_table_put_row(sink, &row);
	}
	ct_clock_map_fini(&clocks);
	return err;
}

static int rows_cta_times(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(export->trace, &processes);
	int err = 0;

	for (size_t i = 0; i < parts && err == 0; i++)
		err = cta_times_of(export, sink, processes[i].part);
	return err;
}

static const struct ct_table_link of_stacks[] = {{"caller_stack", "stacks", "stack"}, {0}};
static const struct ct_table_link of_frames[] = {{"stack", "stacks", "stack"}, {0}};
static const struct ct_table_link of_calls[] = {
    {"stack", "stacks", "stack"}, {"part, correlation", NULL, NULL}, {0}};
static const struct ct_table_link of_cta_times[] = {{"part, launch", NULL, NULL}, {0}};
static const struct ct_table_link of_activities[] = {{"part, correlation", NULL, NULL}, {0}};

CT_TABLE_OF(threads, 0, NULL, NULL);
CT_TABLE_OF(stacks, CT_NEEDS_STACKS, of_stacks, NULL);
CT_TABLE_OF(frames, CT_NEEDS_STACKS, of_frames, NULL);
CT_TABLE_OF(calls, CT_NEEDS_STACKS, of_calls, NULL);
CT_TABLE_OF(activities, 0, of_activities, NULL);
CT_TABLE_OF(cta_times, 0, of_cta_times, NULL);
