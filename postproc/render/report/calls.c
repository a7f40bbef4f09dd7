/* SPDX-License-Identifier: Apache-2.0 */
/* The page's time line of calls and activities. */
#include "postproc/render/report/calls.h"
#include "base/array.h"
#include "base/intern.h"
#include "postproc/analysis/calls/tracks/tracks.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/report/calls_stacks.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_report_calls {
	const struct ct_report *report;
	struct ct_tracks tracks;
	struct ct_report_stacks stacks;
	uint32_t *stack; /* by span */
	/* Numbers kernels, as in the source: by number, from 1, of the mangled one. */
	struct ct_intern kernels;
	char **kernel;
	size_t kernel_count;
};

struct row_page_calls {
	const struct ct_tracks *tracks;
	const struct ct_calls *calls;
	const struct ct_report_stacks *stacks;
};

struct row_page_tracks {
	const struct ct_tracks_row *row;
	uint64_t rank;
};

struct row_page_lanes {
	const struct ct_tracks_span *span; /* the first */
	uint64_t spans;
};

struct row_page_spans {
	const struct ct_tracks_span *span;
	const char *name;
	uint64_t begin_ns, duration_ns;
	uint32_t stack, problem;
};

struct row_page_waits {
	const struct ct_tracks_wait *wait;
	const char *name;
	uint64_t begin_ns;
};

struct row_page_call_bins {
	const struct ct_tracks_bin *bin;
	const char *name;
	uint64_t longest_ns;
};

static bool is_range(const struct ct_tracks_span *span)
{
	return span->call && ct_tracks_is_range(span->call);
}

static const char *kind_of(const struct ct_tracks_span *span)
{
	if (span->call)
		return ct_span_kind_name(span->call->kind);
	if (span->activity->kind == CT_ACTIVITY_KERNEL)
		return span->activity->flags & CT_ACTIVITY_TRACED ? "traced" : "kernel";
	return span->activity->kind == CT_ACTIVITY_COPY ? "copy" : "set";
}

static const char *direction_of(const struct ct_tracks_span *span)
{
	uint32_t copy = span->call ? span->call->copy : span->activity->copy;

	return copy > CT_COPY_NONE && copy < CT_COPY_KINDS ? ct_copy_kind_name(copy) : NULL;
}

#define CT_DESCRIBED "postproc/render/report/calls.def"
#include "postproc/tables/described.h"

/* As communication names it, which may be by its symbol; NULL: it is not among its kernels. */
static const char *known_name(const struct ct_report_calls *calls, const char *symbol)
{
	const struct ct_comm_figures *f = calls->report->shown->figures;

	for (size_t k = 0; k < f->kernels; k++)
		if (f->kernel[k].symbol && !strcmp(f->kernel[k].symbol, symbol))
			return f->kernel[k].name;
	return NULL;
}

/* Names of kernels are made once. NULL: memory is short. */
static const char *kernel_name(struct ct_report_calls *calls, const char *symbol)
{
	bool is_new = false;
	uint32_t number = ct_intern_add(&calls->kernels, symbol, strlen(symbol), &is_new);
	const char *known;
	char *name;

	if (!number)
		return NULL;
	if (!is_new)
		return calls->kernel[number - 1];
	known = known_name(calls, symbol);
	name = ct_source_name(known ? known : symbol);
	if (!name || ct_array_grow(&calls->kernel, calls->kernel_count, sizeof(char *)) < 0) {
		free(name);
		return NULL;
	}
	return calls->kernel[calls->kernel_count++] = name;
}

/* "": it is a copy or memset. The page has the same short names of kernels elsewhere; buffer holds
 * one. NULL: memory is short. */
static const char *name_of(const struct ct_report_calls *calls, const struct ct_tracks_span *span,
			   char buffer[CT_BRIEF_NAME_BYTES])
{
	const char *name = ct_tracks_name(&calls->tracks, span);

	if (!span->activity || span->activity->kind != CT_ACTIVITY_KERNEL)
		return name;
	name = kernel_name((struct ct_report_calls *)calls, name);
	return name ? ct_source_name_brief(name, buffer) : NULL;
}

static int rows_page_calls(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_calls *calls = from;

	return ct_table_put_row(
	    sink, &(struct row_page_calls){&calls->tracks, calls->report->calls, &calls->stacks});
}

static uint64_t rank_of(const struct ct_report *report, uint32_t part)
{
	const struct ct_processes *processes = &report->summary->processes;

	for (size_t i = 0; i < processes->count; i++)
		if (processes->list[i].info->part == part &&
		    processes->list[i].info->rank != CT_NO_RANK)
			return processes->list[i].info->rank;
	return CT_MISSING;
}

static int rows_page_tracks(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_calls *calls = from;
	int err = 0;

	for (size_t i = 0; i < calls->tracks.rows && err == 0; i++) {
		const struct ct_tracks_row *row = &calls->tracks.row[i];

		err = ct_table_put_row(
		    sink, &(struct row_page_tracks){row, rank_of(calls->report, row->part)});
	}
	return err;
}

static bool share_lane(const struct ct_tracks_span *a, const struct ct_tracks_span *b)
{
	return a->row == b->row && a->level == b->level && is_range(a) == is_range(b);
}

static int rows_page_lanes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_tracks *tracks = &((const struct ct_report_calls *)from)->tracks;
	int err = 0;

	for (size_t first = 0, end; first < tracks->spans && err == 0; first = end) {
		for (end = first + 1; end < tracks->spans; end++)
			if (!share_lane(&tracks->span[first], &tracks->span[end]))
				break;
		err = ct_table_put_row(sink,
				       &(struct row_page_lanes){&tracks->span[first], end - first});
	}
	return err;
}

static uint64_t begin_of(const struct ct_tracks_span *span)
{
	return span->call ? span->call->begin_ns : span->activity->begin_ns;
}

static uint64_t duration_of(const struct ct_tracks_span *span)
{
	return span->call ? span->call->duration_ns : span->activity->duration_ns;
}

/* The number of what of it is not needed, from 1; 0: it is needed, or that is not known. */
static uint32_t problem_of(const struct ct_report_calls *calls, const struct ct_tracks_span *span)
{
	const struct ct_ffm_study *study = calls->report->ffm;
	const struct ct_ffm_entry *entry =
	    study && span->call
		? ct_ffm_study_entry_at(study, calls->tracks.row[span->row].part, span->call)
		: NULL;

	return entry ? (uint32_t)(entry - study->entry) + 1 : 0;
}

static int rows_page_spans(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_calls *calls = from;
	const struct ct_tracks *tracks = &calls->tracks;
	char buffer[CT_BRIEF_NAME_BYTES];
	int err = 0;

	for (size_t s = 0; s < tracks->spans && err == 0; s++) {
		const struct ct_tracks_span *span = &tracks->span[s];
		bool is_first = !s || !share_lane(span - 1, span);
		struct row_page_spans row = {
		    .span = span,
		    .name = name_of(calls, span, buffer),
		    .begin_ns = begin_of(span) - (is_first ? tracks->begin_ns : begin_of(span - 1)),
		    .duration_ns = duration_of(span),
		    .stack = calls->stack[s],
		    .problem = problem_of(calls, span),
		};

		err = row.name ? ct_table_put_row(sink, &row) : -ENOMEM;
	}
	return err;
}

static int rows_page_waits(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_calls *calls = from;
	const struct ct_tracks *tracks = &calls->tracks;
	char buffer[CT_BRIEF_NAME_BYTES];
	int err = 0;

	for (size_t i = 0; i < tracks->waits && err == 0; i++) {
		const struct ct_tracks_wait *wait = &tracks->wait[i];
		const struct ct_tracks_span *span = &tracks->span[wait->span];
		const struct ct_tracks_span what = {.row = span->row, .activity = wait->activity};
		struct row_page_waits row = {wait, NULL, wait->from_ns - span->call->begin_ns};

		if (wait->activity)
			row.name = name_of(calls, &what, buffer);
		if (wait->activity && !row.name)
			return -ENOMEM;
		if (row.name && !*row.name)
			row.name = "a copy or memset";
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_page_call_bins(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_calls *calls = from;
	char buffer[CT_BRIEF_NAME_BYTES];
	int err = 0;

	for (size_t b = 0; b < calls->tracks.bins && err == 0; b++) {
		const struct ct_tracks_bin *bin = &calls->tracks.bin[b];
		struct row_page_call_bins row = {.bin = bin};

		if (bin->count) {
			row.name = name_of(calls, &bin->longest, buffer);
			row.longest_ns = duration_of(&bin->longest);
		}
		err = bin->count && !row.name ? -ENOMEM : ct_table_put_row(sink, &row);
	}
	return err;
}

static int find_stacks(struct ct_report_calls *calls)
{
	const struct ct_tracks *tracks = &calls->tracks;
	int err = 0;

	calls->stack = calloc(tracks->spans + 1, sizeof(*calls->stack));
	if (!calls->stack)
		return -ENOMEM;
	for (size_t s = 0; s < tracks->spans && err == 0; s++) {
		const struct ct_tracks_span *span = &tracks->span[s];

		if (span->call)
			calls->stack[s] = ct_report_stack_of(
			    &calls->stacks, tracks->row[span->row].part, span->call->stack, &err);
	}
	return err < 0 ? err : ct_report_stacks_number(&calls->stacks);
}

int ct_report_calls_open(struct ct_report_calls **out, const struct ct_report *report)
{
	static const struct ct_tracks_options options = {
	    .spans = CT_REPORT_SPANS,
	    .rows = CT_REPORT_TRACKS,
	    .bins = CT_REPORT_TIME_BINS,
	};
	struct ct_report_calls *calls = calloc(1, sizeof(*calls));
	int err;

	*out = calls;
	if (!calls)
		return -ENOMEM;
	calls->report = report;
	calls->stacks.paths = report->call_paths;
	err = ct_tracks_init(&calls->tracks, report->calls, &options);
	return err < 0 ? err : find_stacks(calls);
}

void ct_report_calls_close(struct ct_report_calls *calls)
{
	if (!calls)
		return;
	ct_tracks_fini(&calls->tracks);
	ct_report_stacks_fini(&calls->stacks);
	ct_intern_fini(&calls->kernels);
	for (size_t i = 0; i < calls->kernel_count; i++)
		free(calls->kernel[i]);
	free(calls->kernel);
	free(calls->stack);
	free(calls);
}

const struct ct_report_stacks *ct_report_calls_stacks(const struct ct_report_calls *calls)
{
	return &calls->stacks;
}

const struct ct_table_def ct_page_calls_table = {CT_TABLE_PARTS(page_calls, NULL)};
const struct ct_table_def ct_page_tracks_table = {CT_TABLE_PARTS(page_tracks, NULL)};
const struct ct_table_def ct_page_lanes_table = {CT_TABLE_PARTS(page_lanes, NULL)};
const struct ct_table_def ct_page_spans_table = {CT_TABLE_PARTS(page_spans, NULL)};
const struct ct_table_def ct_page_waits_table = {CT_TABLE_PARTS(page_waits, NULL)};
const struct ct_table_def ct_page_call_bins_table = {CT_TABLE_PARTS(page_call_bins, NULL)};
