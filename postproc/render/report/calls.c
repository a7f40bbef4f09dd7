/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report's time line of calls and activities. Spans are columns, by row, level and begin; of
 * columns in which most are 0 only the others are there, as [index, value, index, value, ...].
 */
#include "base/intern.h"
#include "postproc/analysis/calls/tracks/tracks.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/report/calls_stacks.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The kinds of spans as the page knows them. */
enum kind { RUNTIME, DRIVER, RANGE, MARK, REGION, KERNEL, TRACED, COPY, SET };

struct writer {
	const struct ct_report_writer *w;
	struct ct_tracks tracks;
	struct ct_report_stacks stacks;
	struct ct_intern names; /* of kernels after a byte 1 */
	uint32_t *name;         /* by span, its number from 0 */
	uint32_t *stack;        /* by span */
	int err;
};

static enum kind kind_of(const struct ct_tracks_span *span)
{
	if (span->call)
		return span->call->kind >= CT_SPAN_RUNTIME && span->call->kind <= CT_SPAN_REGION
			   ? (enum kind)(span->call->kind - CT_SPAN_RUNTIME)
			   : RUNTIME;
	if (span->activity->kind == CT_ACTIVITY_KERNEL)
		return span->activity->flags & CT_ACTIVITY_TRACED ? TRACED : KERNEL;
	return span->activity->kind == CT_ACTIVITY_COPY ? COPY : SET;
}

/* Index in figures->kernel, or -1. */
static double kernel_index(const struct ct_report_writer *w, const char *symbol)
{
	const struct ct_comm_figures *f = w->report->figures;

	for (size_t k = 0; k < f->kernels; k++)
		if (f->kernel[k].symbol && !strcmp(f->kernel[k].symbol, symbol))
			return (double)k;
	return -1;
}

static void put_kernel_name(const struct ct_report_writer *w, const char *symbol)
{
	char *name = ct_source_name(symbol), brief[CT_BRIEF_NAME_BYTES];

	if (!name) {
		ct_json_fail(&w->out->json, -ENOMEM);
		return;
	}
	ct_out_array(w->out, NULL);
	ct_out_text(w->out, NULL, ct_source_name_brief(name, brief));
	ct_out_real(w->out, NULL, kernel_index(w, symbol));
	ct_out_end(w->out);
	free(name);
}

/* The number of a name, which is written when it is new: as text, or of a kernel as [text, index
 * in "kernels" or -1]. "names" must be the array that is open. */
static uint32_t name_of(struct writer *writer, const struct ct_tracks_span *span)
{
	const char *name = ct_tracks_name(&writer->tracks, span);
	bool is_kernel = span->activity && span->activity->kind == CT_ACTIVITY_KERNEL;
	size_t length = strlen(name);
	bool is_new = false;
	char *key = malloc(length + 2);
	uint32_t number = 0;

	if (key) {
		key[0] = (char)is_kernel;
		memcpy(key + 1, name, length + 1);
		number = ct_intern_add(&writer->names, key, length + 1, &is_new);
		free(key);
	}
	if (!number) {
		writer->err = -ENOMEM;
		return 0;
	}
	if (is_new && is_kernel)
		put_kernel_name(writer->w, name);
	else if (is_new)
		ct_out_text(writer->w->out, NULL, name);
	return number - 1;
}

static void put_names(struct writer *writer)
{
	const struct ct_tracks *tracks = &writer->tracks;

	ct_out_array(writer->w->out, "names");
	for (size_t s = 0; s < tracks->spans; s++)
		writer->name[s] = name_of(writer, &tracks->span[s]);
	for (size_t b = 0; b < tracks->bins; b++)
		if (tracks->bin[b].count)
			name_of(writer, &tracks->bin[b].longest);
	for (size_t i = 0; i < tracks->waits; i++)
		if (tracks->wait[i].activity)
			name_of(writer, &(struct ct_tracks_span){
					    .row = tracks->span[tracks->wait[i].span].row,
					    .activity = tracks->wait[i].activity});
	ct_out_end(writer->w->out);
}

static void find_stacks(struct writer *writer)
{
	const struct ct_tracks *tracks = &writer->tracks;

	for (size_t s = 0; s < tracks->spans && writer->err == 0; s++) {
		const struct ct_tracks_span *span = &tracks->span[s];

		if (span->call)
			writer->stack[s] =
			    ct_report_stack_of(&writer->stacks, tracks->row[span->row].part,
					       span->call->stack, &writer->err);
	}
}

static uint32_t rank_of(const struct ct_report *report, uint32_t part)
{
	const struct ct_processes *processes = &report->summary->processes;

	for (size_t i = 0; i < processes->count; i++)
		if (processes->list[i].info->part == part)
			return processes->list[i].info->rank;
	return CT_NO_RANK;
}

static void put_rows(const struct writer *writer)
{
	const struct ct_tracks *tracks = &writer->tracks;
	struct ct_out *out = writer->w->out;

	ct_out_array(out, "rows");
	for (size_t i = 0; i < tracks->rows; i++) {
		const struct ct_tracks_row *row = &tracks->row[i];
		uint32_t rank = rank_of(writer->w->report, row->part);

		ct_out_object(out, NULL);
		ct_out_integer(out, "part", row->part);
		if (rank != CT_NO_RANK)
			ct_out_integer(out, "rank", rank);
		if (row->is_stream) {
			ct_out_integer(out, "device", row->device);
			ct_out_integer(out, "stream", row->stream);
		} else {
			ct_out_integer(out, "thread", row->thread);
			ct_out_text(out, "name", row->name);
		}
		ct_out_integer(out, "range_levels", row->range_levels);
		ct_out_integer(out, "call_levels", row->call_levels);
		ct_out_integer(out, "spans", row->spans);
		ct_out_end(out);
	}
	ct_out_end(out);
}

static bool is_range(const struct ct_tracks_span *span)
{
	return span->call && ct_tracks_is_range(span->call);
}

static bool share_lane(const struct ct_tracks_span *a, const struct ct_tracks_span *b)
{
	return a->row == b->row && a->level == b->level && is_range(a) == is_range(b);
}

/* [row, 1 of ranges, level, spans] */
static void put_lanes(const struct writer *writer)
{
	const struct ct_tracks *tracks = &writer->tracks;
	struct ct_out *out = writer->w->out;

	ct_out_array(out, "lanes");
	for (size_t first = 0, end; first < tracks->spans; first = end) {
		const struct ct_tracks_span *span = &tracks->span[first];

		for (end = first + 1; end < tracks->spans; end++)
			if (!share_lane(span, &tracks->span[end]))
				break;
		ct_out_array(out, NULL);
		ct_out_integer(out, NULL, span->row);
		ct_out_integer(out, NULL, is_range(span));
		ct_out_integer(out, NULL, span->level);
		ct_out_integer(out, NULL, end - first);
		ct_out_end(out);
	}
	ct_out_end(out);
}

/* Begins are told from that before in the lane. */
static uint64_t begin_of(const struct writer *writer, size_t s)
{
	const struct ct_tracks *tracks = &writer->tracks;
	const struct ct_tracks_span *span = &tracks->span[s];
	uint64_t begin_ns = span->call ? span->call->begin_ns : span->activity->begin_ns;
	const struct ct_tracks_span *before = s ? span - 1 : NULL;

	if (!before || !share_lane(before, span))
		return begin_ns - tracks->begin_ns;
	return begin_ns - (before->call ? before->call->begin_ns : before->activity->begin_ns);
}

static uint64_t duration_of(const struct writer *writer, size_t s)
{
	const struct ct_tracks_span *span = &writer->tracks.span[s];

	return span->call ? span->call->duration_ns : span->activity->duration_ns;
}

static uint64_t name_at(const struct writer *writer, size_t s)
{
	return writer->name[s];
}

static uint64_t kind_at(const struct writer *writer, size_t s)
{
	return kind_of(&writer->tracks.span[s]);
}

static uint64_t stack_at(const struct writer *writer, size_t s)
{
	return writer->stack[s];
}

/* From 1. */
static uint64_t cause_at(const struct writer *writer, size_t s)
{
	uint32_t cause = writer->tracks.span[s].cause;

	return cause == CT_TRACKS_NONE ? 0 : cause + 1u;
}

static uint64_t waited_at(const struct writer *writer, size_t s)
{
	return writer->tracks.span[s].waited_ns;
}

static uint64_t bytes_at(const struct writer *writer, size_t s)
{
	const struct ct_tracks_span *span = &writer->tracks.span[s];

	return span->call ? span->call->bytes : span->activity->bytes;
}

static uint64_t stream_at(const struct writer *writer, size_t s)
{
	const struct ct_tracks_span *span = &writer->tracks.span[s];

	return span->call ? span->call->stream : 0;
}

/* As its bits: results are seldom negative. */
static uint64_t result_at(const struct writer *writer, size_t s)
{
	const struct ct_tracks_span *span = &writer->tracks.span[s];

	return span->call ? (uint32_t)span->call->result : 0;
}

static uint64_t launch_at(const struct writer *writer, size_t s)
{
	const struct ct_tracks_span *span = &writer->tracks.span[s];

	return span->call ? span->call->launch : span->activity->launch;
}

/* 1 open, 2 inner, 4 pageable */
static uint64_t flags_at(const struct writer *writer, size_t s)
{
	const struct ct_tracks_span *span = &writer->tracks.span[s];

	if (span->call)
		return span->call->flags & (CT_SPAN_OPEN | CT_SPAN_INNER);
	return span->activity->flags & CT_ACTIVITY_PAGEABLE;
}

static uint64_t copy_at(const struct writer *writer, size_t s)
{
	const struct ct_tracks_span *span = &writer->tracks.span[s];
	uint32_t copy = span->call ? span->call->copy : span->activity->copy;

	return copy < CT_COPY_KINDS ? copy : CT_COPY_NONE;
}

static uint64_t problem_at(const struct writer *writer, size_t s)
{
	const struct ct_tracks *tracks = &writer->tracks;
	const struct ct_tracks_span *span = &tracks->span[s];

	return span->call ? ct_report_problem_of(writer->w, tracks->row[span->row].part, span->call)
			  : 0;
}

static void put_spans(const struct writer *writer)
{
	static const struct {
		const char *name;
		uint64_t (*at)(const struct writer *writer, size_t s);
		bool is_sparse;
	} column[] = {
	    {"begin", begin_of, false},   {"duration", duration_of, false},
	    {"name", name_at, false},     {"kind", kind_at, false},
	    {"stack", stack_at, false},   {"cause", cause_at, true},
	    {"waited", waited_at, true},  {"bytes", bytes_at, true},
	    {"stream", stream_at, true},  {"result", result_at, true},
	    {"launch", launch_at, false}, {"flags", flags_at, true},
	    {"copy", copy_at, true},      {"problem", problem_at, true},
	};
	struct ct_out *out = writer->w->out;

	ct_out_object(out, "spans");
	for (size_t c = 0; c < sizeof(column) / sizeof(*column); c++) {
		ct_out_array(out, column[c].name);
		for (size_t s = 0; s < writer->tracks.spans; s++) {
			uint64_t value = column[c].at(writer, s);

			if (column[c].is_sparse && !value)
				continue;
			if (column[c].is_sparse)
				ct_out_integer(out, NULL, s);
			ct_out_integer(out, NULL, value);
		}
		ct_out_end(out);
	}
	ct_out_end(out);
}

/* [span, begin within it, duration, name of what it waited for longest or -1, its span + 1, waited,
 * activities, for the longest] */
static void put_waits(struct writer *writer)
{
	const struct ct_tracks *tracks = &writer->tracks;
	struct ct_out *out = writer->w->out;

	ct_out_array(out, "waits");
	for (size_t i = 0; i < tracks->waits; i++) {
		const struct ct_tracks_wait *wait = &tracks->wait[i];
		const struct ct_tracks_span *span = &tracks->span[wait->span];
		const struct ct_tracks_span what = {.row = span->row, .activity = wait->activity};

		ct_out_array(out, NULL);
		ct_out_integer(out, NULL, wait->span);
		ct_out_integer(out, NULL, wait->from_ns - span->call->begin_ns);
		ct_out_integer(out, NULL, wait->until_ns - wait->from_ns);
		ct_out_real(out, NULL, wait->activity ? (double)name_of(writer, &what) : -1);
		ct_out_integer(out, NULL,
			       wait->for_span == CT_TRACKS_NONE ? 0 : wait->for_span + 1u);
		ct_out_integer(out, NULL, wait->waited_ns);
		ct_out_integer(out, NULL, wait->activities);
		ct_out_integer(out, NULL, wait->longest_ns);
		ct_out_end(out);
	}
	ct_out_end(out);
}

/* [row, bin, count, name of the longest, its duration, shade, ns, shade, ns, ...] */
static void put_bins(struct writer *writer)
{
	const struct ct_tracks *tracks = &writer->tracks;
	struct ct_out *out = writer->w->out;

	ct_out_integer(out, "bin_ns", tracks->bin_ns);
	ct_out_array(out, "bins");
	for (size_t b = 0; b < tracks->bins; b++) {
		const struct ct_tracks_bin *bin = &tracks->bin[b];
		const struct ct_tracks_span *longest = &bin->longest;

		ct_out_array(out, NULL);
		ct_out_integer(out, NULL, bin->row);
		ct_out_integer(out, NULL, bin->bin);
		ct_out_integer(out, NULL, bin->count);
		ct_out_real(out, NULL, bin->count ? (double)name_of(writer, longest) : -1);
		ct_out_integer(out, NULL,
			       !bin->count     ? 0
			       : longest->call ? longest->call->duration_ns
					       : longest->activity->duration_ns);
		for (unsigned shade = 0; shade < CT_SHADES; shade++) {
			if (!bin->ns[shade])
				continue;
			ct_out_integer(out, NULL, shade);
			ct_out_integer(out, NULL, bin->ns[shade]);
		}
		ct_out_end(out);
	}
	ct_out_end(out);
}

/* Who recorded, and what could not be. */
static void put_parts(const struct ct_report_writer *w)
{
	const struct ct_calls *calls = w->report->calls;

	ct_out_array(w->out, "parts");
	for (size_t i = 0; i < calls->parts && i < CT_REPORT_ROWS; i++) {
		ct_out_object(w->out, NULL);
		ct_out_integer(w->out, "part", calls->part[i].part);
		ct_out_text(w->out, "source", calls->part[i].source);
		ct_out_text(w->out, "missing", calls->part[i].missing);
		ct_out_integer(w->out, "activities", calls->part[i].activities);
		ct_out_integer(w->out, "clock_error_ns", calls->part[i].clock_error_ns);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

static int put_tracks(struct writer *writer)
{
	const struct ct_tracks *tracks = &writer->tracks;
	struct ct_out *out = writer->w->out;

	writer->name = malloc((tracks->spans + 1) * sizeof(*writer->name));
	writer->stack = calloc(tracks->spans + 1, sizeof(*writer->stack));
	if (!writer->name || !writer->stack)
		return -ENOMEM;
	find_stacks(writer);
	ct_out_integer(out, "run_ns", tracks->end_ns - tracks->begin_ns);
	ct_out_integer(out, "all_spans", tracks->all_spans);
	ct_out_integer(out, "left_rows", tracks->left_rows);
	ct_out_integer(out, "left_spans", tracks->left_spans);
	put_rows(writer);
	put_names(writer);
	put_lanes(writer);
	put_spans(writer);
	put_waits(writer);
	ct_report_put_problems(writer->w);
	put_bins(writer);
	ct_report_stacks_put(&writer->stacks, writer->w);
	return writer->err;
}

int ct_report_put_calls(const struct ct_report_writer *w)
{
	static const struct ct_tracks_options options = {
	    .spans = CT_REPORT_SPANS,
	    .rows = CT_REPORT_TRACKS,
	    .bins = CT_REPORT_TIME_BINS,
	};
	struct writer writer = {.w = w, .stacks = {.paths = w->report->paths}};
	int err = 0;

	if (!w->report->calls)
		return 0;
	err = ct_tracks_init(&writer.tracks, w->report->calls, &options);
	if (err < 0)
		return err;
	ct_out_object(w->out, "calls");
	ct_out_bool(w->out, "waits_are_bounds", w->report->calls->waits_are_bounds);
	put_parts(w);
	err = put_tracks(&writer);
	ct_out_end(w->out);
	ct_tracks_fini(&writer.tracks);
	ct_report_stacks_fini(&writer.stacks);
	ct_intern_fini(&writer.names);
	free(writer.name);
	free(writer.stack);
	return err;
}
