/* SPDX-License-Identifier: Apache-2.0 */
/* Time from left to right: a row for each thread and stream, a character for each stretch of it. */
#include "postproc/render/calls/calls.h"
#include "postproc/tables/amount.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LABEL 24u
#define WIDTH_ANY 120u
#define BINS_MIN 20u

/* A stretch is filled by what takes the most of it. */
enum shade { IN_CALLS, WAITING, KERNELS, COPIES, SHADES };

static const char mark[SHADES][2] = {
    /* less than half of the stretch, or more */
    [IN_CALLS] = {'-', '='},
    [WAITING] = {'w', 'W'},
    [KERNELS] = {'k', 'K'},
    [COPIES] = {'c', 'C'},
};

struct chart {
	FILE *out;
	const struct ct_calls *calls;
	const struct ct_calls_part *part;
	size_t rows; /* most of threads, and of streams */
	unsigned bins;
	uint64_t bin_ns;
	uint64_t *taken;       /* by shade and bin, of the row that is made */
	struct ct_waits waits; /* of the part */
	bool has_waits;        /* its activities are known */
};

static void clear(struct chart *chart)
{
	memset(chart->taken, 0, SHADES * chart->bins * sizeof(*chart->taken));
}

/* sign -1: not this shade after all. */
static void take(struct chart *chart, enum shade shade, uint64_t begin_ns, uint64_t duration_ns,
		 int sign)
{
	uint64_t from = begin_ns - chart->part->begin_ns, to = from + duration_ns;

	for (uint64_t bin = from / chart->bin_ns; bin < chart->bins && from < to; bin++) {
		uint64_t end = (bin + 1) * chart->bin_ns < to ? (bin + 1) * chart->bin_ns : to;
		uint64_t *taken = &chart->taken[shade * chart->bins + bin];

		*taken = sign > 0 ? *taken + (end - from) : *taken - (end - from);
		from = end;
	}
}

static char mark_of(const struct chart *chart, unsigned bin)
{
	enum shade most = IN_CALLS;
	uint64_t sum = 0;

	for (unsigned shade = 0; shade < SHADES; shade++) {
		uint64_t taken = chart->taken[shade * chart->bins + bin];

		sum += taken;
		if (taken > chart->taken[most * chart->bins + bin])
			most = (enum shade)shade;
	}
	return sum ? mark[most][2 * sum >= chart->bin_ns] : ' ';
}

static void write_row(const struct chart *chart, const char *label)
{
	fprintf(chart->out, "%-*.*s |", (int)LABEL, (int)LABEL, label);
	for (unsigned bin = 0; bin < chart->bins; bin++)
		fputc(mark_of(chart, bin), chart->out);
	fputs("|\n", chart->out);
}

static int take_wait(void *user, const struct ct_waited *waited)
{
	uint64_t ns = waited->until_ns - waited->from_ns;

	take(user, WAITING, waited->from_ns, ns, 1);
	take(user, IN_CALLS, waited->from_ns, ns, -1);
	return 0;
}

/* Without activities, calls that only synchronise wait all of the time. */
static void take_call(struct chart *chart, const struct ct_row_call *row)
{
	const char *name = ct_trace_string(chart->calls->trace, chart->part->part, row->name);
	struct ct_wait_kind wait =
	    chart->has_waits ? ct_waits_kind(&chart->waits, row) : ct_wait_kind(name);
	bool waits = !chart->has_waits && wait.is_synchronize;
	int err;

	take(chart, waits ? WAITING : IN_CALLS, row->begin_ns, row->duration_ns, 1);
	if (chart->has_waits && wait.what != CT_WAIT_FOR_NONE)
		ct_waits_of(&chart->waits, row, wait.what, take_wait, chart, &err);
}

/* A name between its brackets, as much as fits: "[solve---]"; "|" where there is no room. */
static void draw_range(const struct chart *chart, char *line, const struct ct_row_call *row,
		       const char *name)
{
	const struct ct_calls_part *part = chart->part;
	uint64_t from_ns = row->begin_ns - part->begin_ns, left_ns = part->end_ns - row->begin_ns;
	uint64_t to_ns = from_ns + (row->duration_ns < left_ns ? row->duration_ns : left_ns);
	uint64_t from = from_ns / chart->bin_ns, to = to_ns / chart->bin_ns;
	size_t length = strlen(name), room;

	if (from >= chart->bins)
		return;
	if (to >= chart->bins)
		to = chart->bins - 1;
	if (to > from && line[to] != ' ')
		to--; /* another one begins there */
	if (to <= from) {
		line[from] = line[from] == ' ' ? '|' : line[from];
		return;
	}
	room = to - from - 1;
	memset(line + from, '-', to - from);
	memcpy(line + from + 1, name, length < room ? length : room);
	line[from] = '[';
	line[to] = ']';
}

/* The outermost ranges and regions of the thread, if there are any: rows are in the order of their
 * ends, so who lies in another one comes before it. */
static int write_ranges(const struct chart *chart, const struct ct_calls_thread *thread,
			const struct ct_row_call *rows, size_t count)
{
	char *line = malloc(chart->bins + 1);
	uint64_t outer_begin_ns = UINT64_MAX;
	bool is_any = false;

	if (!line)
		return -ENOMEM;
	memset(line, ' ', chart->bins);
	line[chart->bins] = '\0';
	for (size_t i = count; i-- > 0;) {
		const struct ct_row_call *row = &rows[i];

		if (row->thread != thread->thread || row->kind <= CT_SPAN_DRIVER ||
		    row->kind == CT_SPAN_MARK || row->flags & CT_SPAN_OVERLAPS ||
		    row->begin_ns >= outer_begin_ns)
			continue;
		outer_begin_ns = row->begin_ns;
		is_any = true;
		draw_range(chart, line, row,
			   ct_trace_string(chart->calls->trace, thread->part, row->name));
	}
	if (is_any)
		fprintf(chart->out, "%-*s |%s|\n", (int)LABEL, "  ranges", line);
	free(line);
	return 0;
}

static int write_thread(struct chart *chart, const struct ct_calls_thread *thread)
{
	const struct ct_row_call *rows;
	char label[128];
	size_t count;
	int err = ct_trace_rows(chart->calls->trace, thread->part, CT_TABLE_CALL,
				(const void **)&rows, &count);

	clear(chart);
	for (size_t i = 0; i < count && err == 0; i++) {
		if (rows[i].thread != thread->thread || rows[i].flags & CT_SPAN_INNER ||
		    rows[i].kind > CT_SPAN_DRIVER)
			continue;
		take_call(chart, &rows[i]);
	}
	if (*thread->name)
		snprintf(label, sizeof(label), "%s (%" PRIu32 ")", thread->name, thread->thread);
	else
		snprintf(label, sizeof(label), "thread %" PRIu32, thread->thread);
	write_row(chart, label);
	return err < 0 ? err : write_ranges(chart, thread, rows, count);
}

static int write_stream(struct chart *chart, const struct ct_calls_stream *stream)
{
	const struct ct_row_activity *rows;
	char label[128];
	size_t count;
	int err = ct_trace_rows(chart->calls->trace, stream->part, CT_TABLE_ACTIVITY,
				(const void **)&rows, &count);

	clear(chart);
	for (size_t i = 0; i < count && err == 0; i++) {
		if (rows[i].stream != stream->stream || rows[i].device != stream->device ||
		    rows[i].flags & CT_ACTIVITY_OURS)
			continue;
		take(chart, rows[i].kind == CT_ACTIVITY_KERNEL ? KERNELS : COPIES, rows[i].begin_ns,
		     rows[i].duration_ns, 1);
	}
	snprintf(label, sizeof(label), "device %" PRIu32 " stream %" PRIu64, stream->device,
		 stream->stream);
	write_row(chart, label);
	return err;
}

/* Threads, then streams, of each the first ones. */
static int write_rows(struct chart *chart)
{
	const struct ct_calls *calls = chart->calls;
	size_t threads = 0, streams = 0, most = chart->rows, left;
	int err = 0;

	for (size_t i = 0; i < calls->threads && err == 0; i++)
		if (calls->thread[i].part == chart->part->part && threads++ < most)
			err = write_thread(chart, &calls->thread[i]);
	for (size_t i = 0; i < calls->streams && err == 0; i++)
		if (calls->stream[i].part == chart->part->part && streams++ < most)
			err = write_stream(chart, &calls->stream[i]);
	left = (threads > most ? threads - most : 0) + (streams > most ? streams - most : 0);
	if (left)
		fprintf(chart->out, "%zu more (--rows=all)\n", left);
	return err;
}

static int write_part(struct chart *chart)
{
	const struct ct_calls_part *part = chart->part;
	uint64_t run_ns = part->end_ns - part->begin_ns;
	const struct ct_row_activity *rows;
	char time[2][CT_AMOUNT_BYTES];
	size_t count;
	int err = ct_trace_rows(chart->calls->trace, part->part, CT_TABLE_ACTIVITY,
				(const void **)&rows, &count);

	if (err == 0)
		err = ct_waits_init(&chart->waits, chart->calls->trace, part->part, rows, count);
	if (err < 0)
		return err;
	chart->has_waits = count > 0;
	chart->bin_ns = run_ns / chart->bins + 1;
	fprintf(chart->out, "part %" PRIu32 ": %s, a character is %s\n", part->part,
		ct_amount_text(&(struct ct_amount){(double)run_ns / 1e9, "s"}, time[0]),
		ct_amount_text(&(struct ct_amount){(double)chart->bin_ns / 1e9, "s"}, time[1]));
	err = write_rows(chart);
	ct_waits_fini(&chart->waits);
	return err;
}

int ct_calls_write_timeline(FILE *out, const struct ct_calls *calls,
			    const struct ct_calls_view *view)
{
	unsigned width = view->style.width ? view->style.width : WIDTH_ANY;
	struct chart chart = {
	    .out = out,
	    .calls = calls,
	    .rows = view->rows,
	    .bins = width > LABEL + 3 + BINS_MIN ? width - LABEL - 3 : BINS_MIN,
	};
	int err = 0;

	chart.taken = calloc((size_t)SHADES * chart.bins, sizeof(*chart.taken));
	if (!chart.taken)
		return -ENOMEM;
	for (size_t i = 0; i < calls->parts && err == 0; i++) {
		chart.part = &calls->part[i];
		if (chart.part->end_ns)
			err = write_part(&chart);
	}
	fputs("- in calls  w waiting for a device  k kernels  c copies and memsets; = W K C: at "
	      "least "
	      "half of the time\n",
	      out);
	free(chart.taken);
	return err < 0 ? err : ferror(out) ? -EIO : 0;
}
