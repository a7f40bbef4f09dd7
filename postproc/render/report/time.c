/* SPDX-License-Identifier: Apache-2.0 */
/* Where the run's time went, and which lines of the host it went to. */
#include "base/array.h"
#include "base/intern.h"
#include "postproc/analysis/calls/sorted.h"
#include "postproc/render/report/parts.h"
#include "postproc/symbols/paths.h"
#include "postproc/tables/mean.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct row_page_run_time {
	const struct ct_calls *calls;
	const char *side, *kind, *kernel;
	uint64_t ns;
};

struct row_page_call_lines {
	struct ct_source_line place;
	uint64_t calls, total_ns, waited_ns, device_ns;
};

#define CT_DESCRIBED "postproc/render/report/time.def"
#include "postproc/tables/described.h"

static int put(struct ct_table_sink *sink, const struct ct_calls *calls, const char *side,
	       const char *kind, uint64_t ns)
{
	const struct row_page_run_time row = {calls, side, kind, NULL, ns};

	return ns ? ct_table_put_row(sink, &row) : 0;
}

/* Puts for each process the thread that is in calls longest. */
static int put_host(struct ct_table_sink *sink, const struct ct_calls *calls)
{
	uint64_t in_calls_ns = 0, waited_ns = 0;
	int err;

	for (size_t p = 0; p < calls->parts; p++) {
		const struct ct_calls_thread *longest = NULL;

		for (size_t t = 0; t < calls->threads; t++)
			if (calls->thread[t].part == calls->part[p].part &&
			    (!longest || calls->thread[t].total_ns > longest->total_ns))
				longest = &calls->thread[t];
		in_calls_ns += longest ? longest->total_ns : 0;
		waited_ns += longest ? longest->waited_ns : 0;
	}
	err = put(sink, calls, "host", "code",
		  calls->run_ns > in_calls_ns ? calls->run_ns - in_calls_ns : 0);
	if (err == 0)
		err = put(sink, calls, "host", "calls",
			  in_calls_ns > waited_ns ? in_calls_ns - waited_ns : 0);
	return err == 0 ? put(sink, calls, "host", "waiting", waited_ns) : err;
}

static uint64_t share_of(const struct ct_calls *calls, size_t number)
{
	return calls->kernel[number].share_ns;
}

static int put_kernels(struct ct_table_sink *sink, const struct ct_calls *calls)
{
	uint32_t *number = ct_calls_sorted(calls, calls->kernels, share_of);
	int err = number ? 0 : -ENOMEM;

	for (size_t i = 0; i < calls->kernels && err == 0; i++) {
		const struct ct_calls_kernel *kernel = &calls->kernel[number[i]];

		if (kernel->share_ns)
			err = ct_table_put_row(sink, &(struct row_page_run_time){
							 calls, "device",
							 kernel->is_traced ? "traced" : "kernel",
							 kernel->name, kernel->share_ns});
	}
	free(number);
	return err;
}

static int put_devices(struct ct_table_sink *sink, const struct ct_calls *calls)
{
	const struct ct_calls_shares *shares = &calls->shares;
	uint64_t busy_ns =
	    shares->kernels_ns + shares->copies_ns + shares->sets_ns + shares->tracer_ns;
	int err = put_kernels(sink, calls);

	if (err == 0)
		err = put(sink, calls, "device", "copy", shares->copies_ns);
	if (err == 0)
		err = put(sink, calls, "device", "set", shares->sets_ns);
	if (err == 0)
		err = put(sink, calls, "device", "tracer", shares->tracer_ns);
	return err == 0 && busy_ns < calls->run_ns
		   ? put(sink, calls, "device", "idle", calls->run_ns - busy_ns)
		   : err;
}

/* Without times of devices nothing is known of their side. */
static int rows_page_run_time(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;
	int err = put_host(sink, calls);

	return err == 0 && !calls->waits_are_bounds ? put_devices(sink, calls) : err;
}

/* Lines that are found so far, by number of their file and line. */
struct lines {
	struct ct_intern files;
	struct ct_map number; /* from 1 */
	struct row_page_call_lines *list;
	size_t count;
};

/* The innermost frame of a stack whose line is known; NULL: there is none. */
static const struct ct_code_frame *frame_of(const struct ct_host_paths *paths, uint32_t node)
{
	const struct ct_stack_tree *stacks = ct_host_paths_stacks(paths);
	const struct ct_symbols *symbols = ct_host_paths_symbols(paths);

	for (; node && symbols; node = stacks->node[node].caller) {
		const uint32_t *number;
		size_t count = ct_symbols_frames(symbols, stacks->node[node].place, &number);

		for (size_t i = 0; i < count; i++) {
			const struct ct_code_frame *frame = ct_symbols_frame(symbols, number[i]);

			if (*frame->file && frame->line &&
			    !ct_host_frame_is_hidden(frame->function, false))
				return frame;
		}
	}
	return NULL;
}

static int add_path(struct lines *lines, const struct ct_code_frame *frame,
		    const struct ct_calls_path *path)
{
	bool is_new;
	uint32_t file = ct_intern_add(&lines->files, frame->file, strlen(frame->file), &is_new);
	union ct_map_value *number = file ? ct_map_put(&lines->number, file, frame->line) : NULL;
	struct row_page_call_lines *line;

	if (!number || (!number->number &&
			ct_array_grow(&lines->list, lines->count, sizeof(*lines->list)) < 0))
		return -ENOMEM;
	if (!number->number) {
		lines->list[lines->count] =
		    (struct row_page_call_lines){.place = {frame->file, frame->line}};
		number->number = ++lines->count;
	}
	line = &lines->list[number->number - 1];
	line->calls += path->count;
	line->total_ns += path->total_ns;
	line->waited_ns += path->waited_ns;
	line->device_ns += path->device_ns;
	return 0;
}

static int rows_page_call_lines(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report *report = from;
	const struct ct_calls *calls = report->calls;
	struct lines lines = {.count = 0};
	int err = 0;

	for (size_t i = 0; i < calls->paths && err == 0; i++) {
		const struct ct_calls_function *function =
		    &calls->function[calls->path[i].function];
		const struct ct_code_frame *frame =
		    function->is_inner || function->kind > CT_SPAN_DRIVER
			? NULL
			: frame_of(report->call_paths, calls->path[i].node);

		err = frame ? add_path(&lines, frame, &calls->path[i]) : 0;
	}
	for (size_t i = 0; i < lines.count && err == 0; i++)
		err = ct_table_put_row(sink, &lines.list[i]);
	ct_intern_fini(&lines.files);
	ct_map_fini(&lines.number);
	free(lines.list);
	return err;
}

const struct ct_table_def ct_page_run_time_table = {CT_TABLE_PARTS(page_run_time, NULL)};
const struct ct_table_def ct_page_call_lines_table = {CT_TABLE_PARTS(page_call_lines, NULL)};
