/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of host threads, activities of streams, and arrows from the ones to the others. */
#include "postproc/analysis/calls/calls.h"
#include "base/map.h"
#include "postproc/analysis/ffm/kinds.h"
#include "postproc/facts/folded_name.h"
#include "postproc/formats/perfetto/perfetto.h"
#include "postproc/symbols/symbols.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSES 1000000u /* numbers from here on are of threads' calls and of streams */
#define PER_PART 1000u
#define FIRST_ARROW 1000000u
#define TEXT_BYTES 1200
#define DIGITS 17

/* A part's rows and its tracks. */
struct rows {
	struct ct_perfetto *perfetto;
	struct ct_trace *trace;
	const struct ct_stack_tree *stacks;
	const struct ct_symbols *symbols;
	uint32_t part;
	const struct ct_row_call *call;
	const struct ct_row_activity *activity;
	size_t calls, activities, nodes;
	const uint32_t *node;  /* by row of STACK */
	struct ct_map threads; /* thread -> track */
	struct ct_map streams; /* device, stream -> track */
	struct ct_map causes;  /* correlation -> row of the call + 1 */
	struct ct_map kernels; /* launch -> its kernel, for activities without a name */
	uint64_t *arrows;      /* so far, of all parts */
};

static uint64_t first_of(const struct ct_perfetto *perfetto, uint32_t part)
{
	return PROCESSES + (ct_perfetto_host(perfetto, part) - 1) / 1000 * PER_PART;
}

uint64_t ct_perfetto_activities(const struct ct_perfetto *perfetto, uint32_t part, uint32_t device)
{
	return first_of(perfetto, part) + 1 + device % (PER_PART - 1);
}

static uint64_t host_of(const struct rows *rows)
{
	return first_of(rows->perfetto, rows->part);
}

static uint64_t device_of(const struct rows *rows, uint32_t device)
{
	return ct_perfetto_activities(rows->perfetto, rows->part, device);
}

/* Since the time line's beginning. */
static uint64_t since(const struct rows *rows, uint64_t time_ns)
{
	uint64_t start_ns = rows->perfetto->start_ns;

	return time_ns > start_ns ? time_ns - start_ns : 0;
}

/* The number of a track; *is_new: it has no name yet. 0: memory is short. */
static uint64_t track_of(struct ct_map *tracks, uint64_t key0, uint64_t key1, bool *is_new)
{
	union ct_map_value *track = ct_map_put(tracks, key0, key1);

	*is_new = track && !track->number;
	if (*is_new)
		track->number = tracks->count;
	return track ? track->number : 0;
}

static void name_process(struct rows *rows, uint64_t pid, const char *what)
{
	char text[TEXT_BYTES], name[64];

	snprintf(text, sizeof(text), "%s, %s", what,
		 ct_perfetto_process(rows->perfetto, rows->part, name, sizeof(name)));
	ct_perfetto_name(rows->perfetto, "process_name", pid, 0, text);
}

static void name_thread(struct rows *rows, uint32_t thread, uint64_t track)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(rows->trace, CT_EVENT_THREAD, &events);
	const char *name = "thread";
	char text[TEXT_BYTES];

	for (size_t i = 0; i < count; i++)
		if (events[i].part == rows->part && events[i].thread->thread == thread)
			name = ct_trace_string(rows->trace, rows->part, events[i].thread->name);
	snprintf(text, sizeof(text), "%s %u", name, thread);
	if (track == 1)
		name_process(rows, host_of(rows), "calls");
	ct_perfetto_name(rows->perfetto, "thread_name", host_of(rows), track, text);
}

static void name_stream(struct rows *rows, const struct ct_row_activity *row, uint64_t track)
{
	char text[64];

	snprintf(text, sizeof(text), "device %u", row->device);
	if (!ct_map_find(&rows->streams, UINT64_MAX, row->device)) {
		ct_map_put(&rows->streams, UINT64_MAX, row->device);
		name_process(rows, device_of(rows, row->device), text);
	}
	snprintf(text, sizeof(text), "stream %llu", (unsigned long long)row->stream);
	ct_perfetto_name(rows->perfetto, "thread_name", device_of(rows, row->device), track, text);
}

/* "solve solver.cu:41": the innermost frame. */
static void put_place(struct ct_json *args, const struct rows *rows, uint32_t stack)
{
	uint32_t node = rows->node && stack <= rows->nodes ? rows->node[stack] : 0;
	const struct ct_code_frame *frame;
	const uint32_t *numbers;
	char text[TEXT_BYTES];
	const char *slash;

	if (!node) {
		ct_json_put_null(args, "from");
		return;
	}
	ct_symbols_frames(rows->symbols, rows->stacks->node[node].place, &numbers);
	frame = ct_symbols_frame(rows->symbols, *numbers);
	slash = strrchr(frame->file, '/');
	if (*frame->file)
		snprintf(text, sizeof(text), "%.900s %.200s:%u", frame->function,
			 slash ? slash + 1 : frame->file, frame->line);
	else
		snprintf(text, sizeof(text), "%.1100s", frame->function);
	ct_json_put_text(args, "from", text);
}

/* The problem that a call is: its number and kind in `ctpost ffm`, and what all calls of it are
 * worth.
 */
static void put_problem(struct ct_json *args, const struct rows *rows,
			const struct ct_row_call *row)
{
	const struct ct_ffm_study *study = rows->perfetto->ffm;
	const struct ct_ffm_entry *entry =
	    study ? ct_ffm_study_entry_at(study, rows->part, row) : NULL;

	if (!entry)
		return;
	ct_json_put_text(args, "problem", ct_ffm_kind_name((enum ct_ffm_kind)entry->kind));
	ct_json_put_number(args, "problem_number", (uint64_t)(entry - study->entry) + 1);
	ct_json_put_real(args, "worth_seconds", (double)ct_ffm_entry_worth(entry) / 1e9, DIGITS);
	ct_json_put_real(args, "benefit_seconds", (double)entry->expected_ns / 1e9, DIGITS);
}

static void put_call(struct ct_json *args, const struct rows *rows, const struct ct_row_call *row)
{
	ct_json_put_text(args, "kind", ct_span_kind_name(row->kind));
	ct_json_put_number(args, "stream", row->stream);
	ct_json_put_number(args, "bytes", row->bytes);
	ct_json_put_signed(args, "result", row->result);
	ct_json_put_number(args, "correlation", row->correlation);
	ct_json_put_bool(args, "open", row->flags & CT_SPAN_OPEN);
	put_place(args, rows, row->stack);
	put_problem(args, rows, row);
}

/* Others of the thread's spans may begin in it and end behind it: that is no slice of its track,
 * but two ends. */
static void write_span(struct rows *rows, const struct ct_row_call *row, uint64_t track)
{
	static const char *const categories[] = {
	    [CT_SPAN_RANGE] = "range", [CT_SPAN_MARK] = "mark", [CT_SPAN_REGION] = "region"};
	bool overlaps = row->flags & CT_SPAN_OVERLAPS;
	struct ct_perfetto_out *out = &rows->perfetto->out;
	struct ct_perfetto_event event = {
	    .name = ct_trace_string(rows->trace, rows->part, row->name),
	    .category =
		row->kind < sizeof(categories) / sizeof(*categories) && categories[row->kind]
		    ? categories[row->kind]
		    : "call",
	    .phase = overlaps                    ? "b"
		     : row->kind == CT_SPAN_MARK ? "i"
						 : "X",
	    .id = overlaps ? FIRST_ARROW + ++*rows->arrows : 0,
	    .pid = host_of(rows),
	    .tid = track,
	    .begin_ns = since(rows, row->begin_ns),
	    .lasts_ns = row->duration_ns,
	};

	put_call(ct_perfetto_open(out, &event), rows, row);
	ct_perfetto_close(out);
	if (overlaps) {
		event.phase = "e";
		event.begin_ns = since(rows, row->begin_ns + row->duration_ns);
		ct_perfetto_open(out, &event);
		ct_perfetto_close(out);
	}
	ct_perfetto_put(rows->perfetto);
}

static int write_call(struct rows *rows, const struct ct_row_call *row)
{
	bool is_new;
	uint64_t track = track_of(&rows->threads, row->thread, 0, &is_new);

	if (!track)
		return -ENOMEM;
	if (is_new)
		name_thread(rows, row->thread, track);
	write_span(rows, row, track);
	return 0;
}

/* The caller frees it; NULL: memory is short. */
static char *activity_name(const struct rows *rows, const struct ct_row_activity *row)
{
	const union ct_map_value *known = ct_map_find(&rows->kernels, row->launch, 0);

	if (row->kind != CT_ACTIVITY_KERNEL)
		return strdup(row->kind == CT_ACTIVITY_SET ? "memset"
							   : ct_copy_kind_name(row->copy));
	return ct_source_name(row->name || !known
				  ? ct_trace_string(rows->trace, rows->part, row->name)
				  : known->pointer);
}

/* Both stand at the beginning of their slices. */
static void write_arrow(struct rows *rows, const struct ct_row_activity *row, uint64_t track)
{
	const union ct_map_value *cause =
	    row->correlation ? ct_map_find(&rows->causes, row->correlation, 0) : NULL;
	const struct ct_row_call *call = cause ? &rows->call[cause->number - 1] : NULL;
	struct ct_perfetto_event end = {.name = "causes", .category = "causes", .phase = "s"};

	if (!call || call->begin_ns > row->begin_ns)
		return;
	end.id = FIRST_ARROW + (*rows->arrows)++;
	end.pid = host_of(rows);
	end.tid = ct_map_find(&rows->threads, call->thread, 0)->number;
	end.begin_ns = since(rows, call->begin_ns);
	ct_perfetto_open(&rows->perfetto->out, &end);
	ct_perfetto_close(&rows->perfetto->out);
	end.phase = "f";
	end.pid = device_of(rows, row->device);
	end.tid = track;
	end.begin_ns = since(rows, row->begin_ns);
	ct_perfetto_open(&rows->perfetto->out, &end);
	ct_perfetto_close(&rows->perfetto->out);
	ct_perfetto_put(rows->perfetto);
}

/* Writes for a kernel what is known of its launch. */
static void put_activity(struct ct_json *args, const struct rows *rows,
			 const struct ct_row_activity *row, const char *name)
{
	uint32_t superstep =
	    row->kind == CT_ACTIVITY_KERNEL && row->launch
		? ct_order_of_launch(ct_comm_order(rows->perfetto->comm), rows->part, row->launch)
		: CT_NO_SUPERSTEP;

	if (superstep != CT_NO_SUPERSTEP) {
		ct_perfetto_put_launch(args, rows->perfetto, superstep, name, false);
	} else {
		if (row->kind == CT_ACTIVITY_KERNEL)
			ct_json_put_text(args, "kernel", name);
		ct_json_put_number(args, "launch", row->launch);
		ct_json_put_bool(args, "traced", row->flags & CT_ACTIVITY_TRACED);
	}
	ct_json_put_number(args, "bytes", row->bytes);
	ct_json_put_number(args, "correlation", row->correlation);
	ct_json_put_bool(args, "tracer", row->flags & CT_ACTIVITY_OURS);
}

static int write_activity(struct rows *rows, const struct ct_row_activity *row)
{
	static const char *const categories[] = {"activity", "kernel", "copy", "set"};
	bool is_new;
	uint64_t track = track_of(&rows->streams, row->device, row->stream, &is_new);
	char *name = activity_name(rows, row), shortened[CT_BRIEF_NAME_BYTES];

	if (!track || !name) {
		free(name);
		return -ENOMEM;
	}
	if (is_new)
		name_stream(rows, row, track);
	put_activity(
	    ct_perfetto_open(
		&rows->perfetto->out,
		&(struct ct_perfetto_event){
		    .name = row->kind == CT_ACTIVITY_KERNEL ? ct_shown_name(name, shortened) : name,
		    .category = categories[row->kind <= CT_ACTIVITY_SET ? row->kind : 0],
		    .phase = "X",
		    .pid = device_of(rows, row->device),
		    .tid = track,
		    .begin_ns = since(rows, row->begin_ns),
		    .lasts_ns = row->duration_ns,
		}),
	    rows, row, name);
	free(name);
	ct_perfetto_close(&rows->perfetto->out);
	ct_perfetto_put(rows->perfetto);
	write_arrow(rows, row, track);
	return 0;
}

static int find_causes(struct rows *rows)
{
	for (size_t i = 0; i < rows->calls; i++) {
		union ct_map_value *cause;

		if (!rows->call[i].correlation || rows->call[i].flags & CT_SPAN_INNER)
			continue;
		cause = ct_map_put(&rows->causes, rows->call[i].correlation, 0);
		if (!cause)
			return -ENOMEM;
		cause->number = i + 1;
	}
	return 0;
}

static int find_kernels(struct rows *rows)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(rows->trace, &launches);

	for (size_t i = 0; i < count && rows->activities; i++) {
		union ct_map_value *known;

		if (launches[i].part != rows->part)
			continue;
		known = ct_map_put(&rows->kernels, launches[i].event->launch, 0);
		if (!known)
			return -ENOMEM;
		known->pointer = (void *)(uintptr_t)launches[i].kernel_name;
	}
	return 0;
}

/* Where something is left out already, the file is full. */
static bool is_full(struct rows *rows, size_t left)
{
	if (!rows->perfetto->left_out)
		return false;
	rows->perfetto->left_out += left;
	return true;
}

static int write_part(struct rows *rows)
{
	int err = ct_trace_rows(rows->trace, rows->part, CT_TABLE_CALL, (const void **)&rows->call,
				&rows->calls);

	if (err == 0)
		err = ct_trace_rows(rows->trace, rows->part, CT_TABLE_ACTIVITY,
				    (const void **)&rows->activity, &rows->activities);
	rows->node = ct_stacks_part(rows->stacks, rows->part, &rows->nodes);
	if (err == 0)
		err = find_causes(rows);
	if (err == 0)
		err = find_kernels(rows);
	for (size_t i = 0; i < rows->calls && err == 0 && !is_full(rows, rows->calls - i); i++)
		err = write_call(rows, &rows->call[i]);
	for (size_t i = 0; i < rows->activities && err == 0 && !is_full(rows, rows->activities - i);
	     i++)
		err = write_activity(rows, &rows->activity[i]);
	ct_map_fini(&rows->threads);
	ct_map_fini(&rows->streams);
	ct_map_fini(&rows->causes);
	ct_map_fini(&rows->kernels);
	return err;
}

uint64_t ct_perfetto_first_call(struct ct_trace *trace, uint64_t start_ns)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes), count;
	const struct ct_row_call *rows;

	for (size_t p = 0; p < parts; p++) {
		if (ct_trace_rows(trace, processes[p].part, CT_TABLE_CALL, (const void **)&rows,
				  &count) < 0)
			continue;
		for (size_t i = 0; i < count; i++)
			if (rows[i].begin_ns < start_ns)
				start_ns = rows[i].begin_ns;
	}
	return start_ns;
}

int ct_perfetto_write_calls(struct ct_perfetto *perfetto)
{
	const struct ct_symbols_options options = {.debug_path = NULL};
	struct ct_trace *trace = ct_comm_trace(perfetto->comm);
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes);
	struct ct_symbols *symbols = NULL;
	struct ct_stack_tree stacks;
	uint64_t arrows = 0;
	int err = ct_stacks_init(&stacks, trace);

	if (err < 0)
		return err;
	err = ct_symbols_open(&symbols, &stacks, &options);
	for (size_t i = 0; i < parts && err == 0; i++) {
		struct rows rows = {
		    .perfetto = perfetto,
		    .trace = trace,
		    .stacks = &stacks,
		    .symbols = symbols,
		    .part = processes[i].part,
		    .arrows = &arrows,
		};

		err = write_part(&rows);
	}
	ct_symbols_close(symbols);
	ct_stacks_fini(&stacks);
	return err;
}
