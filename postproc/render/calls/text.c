/* SPDX-License-Identifier: Apache-2.0 */
/* Calls for a terminal: where they come from, then a table of each kind of thing. */
#include "base/quantity.h"
#include "postproc/render/calls/calls.h"
#include "postproc/render/calls/cells.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <stdlib.h>

struct sheet {
	FILE *out;
	const struct ct_calls *calls;
	const struct ct_calls_view *view;
	bool is_begun; /* a table stands before */
};

/* One table: its rows are those that `has` lets pass, those of the most time first. */
struct list {
	const char *title;
	const struct ct_column *column;
	size_t columns;
	uint64_t details; /* columns that are left out where the width is short */
	size_t count;
	uint64_t (*most)(const struct ct_calls *calls, size_t number);
	bool (*has)(const struct sheet *sheet, size_t number);
	void (*put)(const struct sheet *sheet, struct ct_table *table, size_t number);
};

static void write_title(struct sheet *sheet, const char *title)
{
	if (sheet->is_begun)
		fputc('\n', sheet->out);
	sheet->is_begun = true;
	ct_emphasise(sheet->out, &sheet->view->style, CT_BOLD, title);
	fputc('\n', sheet->out);
}

static int write_rows(struct sheet *sheet, const struct list *list, const uint32_t *numbers)
{
	struct ct_table *table;
	size_t rows = 0;
	int err = ct_table_open(&table, list->column, list->columns);

	if (err < 0)
		return err;
	for (size_t c = 0; c < list->columns; c++)
		if (list->details >> c & 1)
			ct_table_detail(table, c);
	for (size_t i = 0; i < list->count; i++) {
		if (list->has && !list->has(sheet, numbers[i]))
			continue;
		if (rows++ < sheet->view->rows)
			list->put(sheet, table, numbers[i]);
	}
	if (rows) {
		write_title(sheet, list->title);
		err = ct_table_write(table, sheet->out, &sheet->view->style);
	}
	if (rows > sheet->view->rows)
		fprintf(sheet->out, "%zu more (--rows=all)\n", rows - sheet->view->rows);
	ct_table_close(table);
	return err < 0 ? err : 0;
}

static int write_list(struct sheet *sheet, const struct list *list)
{
	uint32_t *numbers = ct_calls_sorted(sheet->calls, list->count, list->most);
	int err = numbers ? write_rows(sheet, list, numbers) : -ENOMEM;

	free(numbers);
	return err;
}

static bool is_span(const struct ct_calls_function *function)
{
	return function->kind != CT_SPAN_RUNTIME && function->kind != CT_SPAN_DRIVER;
}

static bool is_outer(const struct sheet *sheet, size_t number)
{
	return !is_span(&sheet->calls->function[number]) &&
	       !sheet->calls->function[number].is_inner;
}

static bool is_inner(const struct sheet *sheet, size_t number)
{
	return sheet->calls->function[number].is_inner;
}

static bool is_range(const struct sheet *sheet, size_t number)
{
	return is_span(&sheet->calls->function[number]);
}

static void put_times(struct ct_table *table, const struct ct_times *times)
{
	ct_cell_time(table, times->total_ns);
	ct_cell_time(table, times->count ? times->total_ns / times->count : 0);
	ct_cell_time(table, times->least_ns);
	ct_cell_time(table, times->most_ns);
}

static void put_function(const struct sheet *sheet, struct ct_table *table, size_t number)
{
	const struct ct_calls_function *function = &sheet->calls->function[number];

	ct_table_text(table, function->name);
	ct_table_number(table, function->times.count);
	put_times(table, &function->times);
	if (ct_calls_knows_wait(sheet->calls, function))
		ct_cell_time(table, function->waited_ns);
	else
		ct_table_text(table, "");
	if (function->bytes)
		ct_cell_amount(table, (double)function->bytes, "B");
	else
		ct_table_text(table, "");
	ct_cell_share(table, function->times.total_ns, sheet->calls->run_ns);
	if (function->failed)
		ct_table_number(table, function->failed);
	else
		ct_table_text(table, "");
}

static void put_range(const struct sheet *sheet, struct ct_table *table, size_t number)
{
	const struct ct_calls_function *range = &sheet->calls->function[number];

	ct_table_name(table, range->name);
	ct_table_text(table, ct_span_kind_name(range->kind));
	ct_table_number(table, range->times.count);
	put_times(table, &range->times);
	ct_cell_share(table, range->times.total_ns, sheet->calls->run_ns);
	if (range->open)
		ct_table_number(table, range->open);
	else
		ct_table_text(table, "");
}

static int write_ranges(struct sheet *sheet)
{
	static const struct ct_column column[] = {
	    {"range", .least = 16}, {.title = "kind"},     {"count", .right = 1},
	    {"time", .right = 1},   {"mean", .right = 1},  {"min", .right = 1},
	    {"max", .right = 1},    {"share", .right = 1}, {"open", .right = 1},
	};
	const struct list list = {
	    .title = "Ranges and regions",
	    .column = column,
	    .columns = sizeof(column) / sizeof(*column),
	    .details = 1u << 5 | 1u << 6,
	    .count = sheet->calls->functions,
	    .most = ct_function_time,
	    .has = is_range,
	    .put = put_range,
	};

	return write_list(sheet, &list);
}

static int write_functions(struct sheet *sheet)
{
	static const struct ct_column column[] = {
	    {"function", .least = 16}, {"calls", .right = 1}, {"time", .right = 1},
	    {"mean", .right = 1},      {"min", .right = 1},   {"max", .right = 1},
	    {"waited", .right = 1},    {"bytes", .right = 1}, {"share", .right = 1},
	    {"failed", .right = 1},
	};
	struct list list = {
	    .title = "Calls",
	    .column = column,
	    .columns = sizeof(column) / sizeof(*column),
	    .details = 1u << 4 | 1u << 5 | 1u << 7,
	    .count = sheet->calls->functions,
	    .most = ct_function_time,
	    .has = is_outer,
	    .put = put_function,
	};
	int err = write_list(sheet, &list);

	if (err == 0 && sheet->view->with_inner) {
		list.title = "Calls of the driver that calls above are made of";
		list.has = is_inner;
		err = write_list(sheet, &list);
	}
	return err < 0 ? err : write_ranges(sheet);
}

static void put_kernel(const struct sheet *sheet, struct ct_table *table, size_t number)
{
	const struct ct_calls_kernel *kernel = &sheet->calls->kernel[number];

	ct_table_name(table, kernel->name);
	ct_table_text(table, kernel->is_traced ? "yes" : "no");
	ct_table_number(table, kernel->times.count);
	if (kernel->is_timed)
		put_times(table, &kernel->times);
	for (unsigned i = 0; i < 4 && !kernel->is_timed; i++)
		ct_table_text(table, CT_CELL_NONE);
	ct_cell_share(table, kernel->times.total_ns,
		      kernel->is_timed ? sheet->calls->device_ns : 0);
}

static int write_kernels(struct sheet *sheet)
{
	static const struct ct_column column[] = {
	    {"kernel", .least = 16}, {.title = "traced"},       {"launches", .right = 1},
	    {"time", .right = 1},    {"mean", .right = 1},      {"min", .right = 1},
	    {"max", .right = 1},     {"of device", .right = 1},
	};
	const struct list list = {
	    .title = "Kernels",
	    .column = column,
	    .columns = sizeof(column) / sizeof(*column),
	    .details = 1u << 5 | 1u << 6,
	    .count = sheet->calls->kernels,
	    .most = ct_kernel_time,
	    .put = put_kernel,
	};

	return write_list(sheet, &list);
}

static void put_copies(struct ct_table *table, const char *name,
		       const struct ct_calls_copies *copies)
{
	if (!copies->count)
		return;
	ct_table_text(table, name);
	ct_table_number(table, copies->count);
	ct_cell_amount(table, (double)copies->bytes, "B");
	ct_cell_time(table, copies->total_ns);
	if (copies->total_ns)
		ct_cell_amount(table, (double)copies->bytes / (double)copies->total_ns, "GB/s");
	else
		ct_table_text(table, CT_CELL_NONE);
	ct_table_number(table, copies->pageable.count);
}

static int write_copies(struct sheet *sheet)
{
	static const struct ct_column column[] = {
	    {.title = "direction"}, {"count", .right = 1}, {"bytes", .right = 1},
	    {"time", .right = 1},   {"rate", .right = 1},  {"pageable", .right = 1},
	};
	const struct ct_calls *calls = sheet->calls;
	uint64_t count = calls->set.count;
	struct ct_table *table;
	int err;

	for (uint32_t kind = 0; kind < CT_COPY_KINDS; kind++)
		count += calls->copy[kind].count;
	if (!count)
		return 0;
	err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));
	if (err < 0)
		return err;
	for (uint32_t kind = 1; kind < CT_COPY_KINDS; kind++)
		put_copies(table, ct_copy_kind_name(kind), &calls->copy[kind]);
	put_copies(table, ct_copy_kind_name(CT_COPY_NONE), &calls->copy[CT_COPY_NONE]);
	put_copies(table, "memset", &calls->set);
	write_title(sheet, calls->copies_are_calls ? "Copies (times of their calls on the host)"
						   : "Copies");
	err = ct_table_write(table, sheet->out, &sheet->view->style);
	ct_table_close(table);
	return err < 0 ? err : 0;
}

static void put_wait(const struct sheet *sheet, struct ct_table *table, size_t number)
{
	const struct ct_calls_wait *wait = &sheet->calls->wait[number];
	char text[CT_WAITED_BYTES];

	ct_table_text(table, sheet->calls->function[wait->function].name);
	ct_table_name(table, ct_waited_name(sheet->calls, wait, text));
	ct_table_number(table, wait->count);
	ct_cell_time(table, wait->total_ns);
	ct_cell_share(table, wait->total_ns, sheet->calls->run_ns);
}

static int write_waits(struct sheet *sheet)
{
	static const struct ct_column column[] = {
	    {"waiting call", .least = 16}, {"for", .least = 16},  {"times", .right = 1},
	    {"waited", .right = 1},        {"share", .right = 1},
	};
	const struct list list = {
	    .title = "Who waited for what",
	    .column = column,
	    .columns = sizeof(column) / sizeof(*column),
	    .count = sheet->calls->waits,
	    .most = ct_wait_time,
	    .put = put_wait,
	};

	return write_list(sheet, &list);
}

static void put_thread(const struct sheet *sheet, struct ct_table *table, size_t number)
{
	const struct ct_calls_thread *thread = &sheet->calls->thread[number];
	char text[32];

	snprintf(text, sizeof(text), "%u", thread->part);
	ct_table_text(table, text);
	snprintf(text, sizeof(text), "%u", thread->thread);
	ct_table_text(table, text);
	ct_table_text(table, thread->name);
	ct_table_number(table, thread->count);
	ct_cell_time(table, thread->total_ns);
	ct_cell_time(table, thread->waited_ns);
}

static int write_threads(struct sheet *sheet)
{
	static const struct ct_column column[] = {
	    {"part", .right = 1},  {"thread", .right = 1},   {"name", .least = 8},
	    {"calls", .right = 1}, {"in calls", .right = 1}, {"waited", .right = 1},
	};
	const struct list list = {
	    .title = "Threads",
	    .column = column,
	    .columns = sizeof(column) / sizeof(*column),
	    .count = sheet->calls->threads,
	    .most = ct_thread_time,
	    .put = put_thread,
	};

	return write_list(sheet, &list);
}

static void put_stream(const struct sheet *sheet, struct ct_table *table, size_t number)
{
	const struct ct_calls_stream *stream = &sheet->calls->stream[number];
	char text[32];

	snprintf(text, sizeof(text), "%u", stream->part);
	ct_table_text(table, text);
	snprintf(text, sizeof(text), "%u", stream->device);
	ct_table_text(table, text);
	ct_table_number(table, stream->stream);
	ct_table_number(table, stream->kernels);
	ct_table_number(table, stream->copies);
	ct_table_number(table, stream->sets);
	ct_cell_time(table, stream->total_ns);
	ct_cell_share(table, stream->total_ns, sheet->calls->run_ns);
}

static int write_streams(struct sheet *sheet)
{
	static const struct ct_column column[] = {
	    {"part", .right = 1},    {"device", .right = 1}, {"stream", .right = 1},
	    {"kernels", .right = 1}, {"copies", .right = 1}, {"memsets", .right = 1},
	    {"busy", .right = 1},    {"share", .right = 1},
	};
	const struct list list = {
	    .title = "Streams",
	    .column = column,
	    .columns = sizeof(column) / sizeof(*column),
	    .count = sheet->calls->streams,
	    .most = ct_stream_time,
	    .put = put_stream,
	};

	return write_list(sheet, &list);
}

/* format: of the text. */
static void write_part_line(struct sheet *sheet, const struct ct_calls_part *part,
			    const char *format, const char *text)
{
	char *line, *words;

	if (asprintf(&words, format, text) < 0)
		return;
	if (sheet->calls->parts > 1 && asprintf(&line, "part %u: %s", part->part, words) >= 0) {
		free(words);
		words = line;
	}
	ct_write_wrapped(sheet->out, words, 0, sheet->view->style.width);
	free(words);
}

static void write_head(struct sheet *sheet)
{
	const struct ct_calls *calls = sheet->calls;
	uint64_t count = 0, inner = 0, activities = 0;
	char number[3][CT_NUMBER_BYTES], time[2][CT_AMOUNT_BYTES];

	for (size_t i = 0; i < calls->parts; i++) {
		count += calls->part[i].calls;
		inner += calls->part[i].inner;
		activities += calls->part[i].activities;
	}
	fprintf(sheet->out, "%s calls in %s of %s", ct_number(count, number[0]),
		ct_amount_text(&(struct ct_amount){(double)calls->calls_ns / 1e9, "s"}, time[0]),
		ct_amount_text(&(struct ct_amount){(double)calls->run_ns / 1e9, "s"}, time[1]));
	fprintf(sheet->out, " of the run, %s device activities", ct_number(activities, number[1]));
	if (inner)
		fprintf(sheet->out, "; within them %s of the driver%s", ct_number(inner, number[2]),
			sheet->view->with_inner ? "" : " (--inner)");
	fputc('\n', sheet->out);
	sheet->is_begun = true;
}

/* What the program's copies tell of the clocks. */
static void write_clock(struct sheet *sheet, const struct ct_calls_part *part)
{
	char time[CT_AMOUNT_BYTES], copies[CT_NUMBER_BYTES], others[CT_NUMBER_BYTES], text[256];

	if (!part->clock_copies)
		return;
	snprintf(text, sizeof(text),
		 "%s of the host's, by the tightest of %s copies to the host that their calls "
		 "waited for%s%s%s",
		 ct_amount_text(&(struct ct_amount){(double)part->clock_error_ns / 1e9, "s"}, time),
		 ct_number(part->clock_copies, copies), part->clock_contradictions ? "; " : "",
		 part->clock_contradictions ? ct_number(part->clock_contradictions, others) : "",
		 part->clock_contradictions ? " lie outside of their calls" : "");
	write_part_line(sheet, part, "Times of devices are within %s", text);
}

static void write_notes(struct sheet *sheet)
{
	const struct ct_calls *calls = sheet->calls;
	char time[CT_AMOUNT_BYTES], number[CT_NUMBER_BYTES];

	for (size_t i = 0; i < calls->parts; i++) {
		const struct ct_calls_part *part = &calls->part[i];

		if (*part->source && (i == 0 || part->source != calls->part[i - 1].source))
			write_part_line(sheet, part, "Recorded by %s", part->source);
		else if (!*part->source && !part->calls && !part->activities)
			write_part_line(sheet, part, "%s", "No calls are recorded");
		if (*part->missing)
			write_part_line(sheet, part, "Not seen: %s", part->missing);
		write_clock(sheet, part);
	}
	if (calls->waits_are_bounds)
		ct_write_wrapped(
		    sheet->out,
		    "No device activities are recorded: all of the time in calls that only "
		    "synchronise stands under \"waited\", which is the most it can be.",
		    0, sheet->view->style.width);
	if (calls->tracer.count)
		fprintf(sheet->out,
			"Besides, %s activities of the tracer itself, %s: in no figure here\n",
			ct_number(calls->tracer.count, number),
			ct_amount_text(
			    &(struct ct_amount){(double)calls->tracer.total_ns / 1e9, "s"}, time));
}

int ct_calls_write(FILE *out, const struct ct_calls *calls, const struct ct_calls_view *view)
{
	struct sheet sheet = {out, calls, view, false};
	int (*const tables[])(struct sheet * sheet) = {
	    write_functions, write_kernels, write_copies, write_waits, write_threads, write_streams,
	};
	int err = 0;

	write_head(&sheet);
	write_notes(&sheet);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && err == 0; i++)
		err = tables[i](&sheet);
	return err;
}
