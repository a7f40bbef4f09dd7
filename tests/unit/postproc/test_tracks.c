/* SPDX-License-Identifier: Apache-2.0 */
/* The time line of calls: rows, levels, causes and waits as trace_api.c has them by hand; and of
 * random ones, that whatever is left out is counted where it belongs. */
#include "postproc/analysis/calls/tracks/tracks.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_api.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define US 1000u
#define START_NS 1750000000000000000ull

static char *directory;
static struct ct_trace *trace;
static struct ct_calls calls;
static struct ct_tracks tracks;

static void open_trace(int err)
{
	char why[512];

	cr_assert_eq(err, 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_calls_init(&calls, trace, NULL), 0);
}

static void begin(void)
{
	directory = fixture_directory();
}

static void end(void)
{
	ct_tracks_fini(&tracks);
	ct_calls_fini(&calls);
	ct_trace_close(trace);
	fixture_remove(directory);
}

static void make(size_t spans, size_t rows, size_t bins)
{
	const struct ct_tracks_options options = {.spans = spans, .rows = rows, .bins = bins};

	cr_assert_eq(ct_tracks_init(&tracks, &calls, &options), 0);
}

static uint64_t begin_of(const struct ct_tracks_span *span)
{
	return span->call ? span->call->begin_ns : span->activity->begin_ns;
}

static uint64_t end_of(const struct ct_tracks_span *span)
{
	return begin_of(span) +
	       (span->call ? span->call->duration_ns : span->activity->duration_ns);
}

/* The span of this name that begins then. */
static uint32_t span_at(const char *name, uint64_t us)
{
	for (uint32_t s = 0; s < tracks.spans; s++)
		if (begin_of(&tracks.span[s]) == START_NS + us * US &&
		    !strcmp(ct_tracks_name(&tracks, &tracks.span[s]), name))
			return s;
	cr_assert_fail("no %s at %lu", name, (unsigned long)us);
	return 0;
}

Test(tracks, have_a_row_for_each_thread_and_stream, .init = begin, .fini = end)
{
	open_trace(api_make(directory, true, "/nowhere/solver"));
	make(100, 100, 1000);
	cr_assert_eq(tracks.rows, 4);
	cr_expect_str_eq(tracks.row[0].name, "solver");
	cr_expect_str_eq(tracks.row[1].name, "worker");
	cr_expect_eq(tracks.row[0].thread, 100);
	cr_expect_eq(tracks.row[0].range_levels, 2, "step is in solve");
	cr_expect_eq(tracks.row[0].call_levels, 2, "the driver's call is in the runtime's");
	cr_expect_eq(tracks.row[1].range_levels, 0);
	cr_expect_eq(tracks.row[2].stream, 0);
	cr_expect_eq(tracks.row[3].stream, 7);
	cr_expect_eq(tracks.row[2].spans, 4, "the tracer's own is left out");
	cr_expect_eq(tracks.spans, 15 + 6);
	cr_expect_eq(tracks.all_spans, 15 + 6);
	cr_expect_eq(tracks.bins, 0);
	cr_expect_eq(tracks.begin_ns, START_NS);
	cr_expect_eq(tracks.end_ns, START_NS + 800 * US);
	cr_expect_eq(tracks.span[span_at("solve", 0)].level, 0);
	cr_expect_eq(tracks.span[span_at("step", 390)].level, 1);
	cr_expect_eq(tracks.span[span_at("cuMemcpyHtoD_v2", 205)].level, 1);
	cr_expect_eq(tracks.span[span_at("cudaLaunchKernel", 400)].level, 0);
}

static void expect_cause(const char *name, uint64_t us, const char *call, uint64_t call_us)
{
	cr_expect_eq(tracks.span[span_at(name, us)].cause, span_at(call, call_us), "%s at %lu",
		     name, (unsigned long)us);
}

Test(tracks, know_who_caused_what, .init = begin, .fini = end)
{
	open_trace(api_make(directory, true, "/nowhere/solver"));
	make(100, 100, 1000);
	expect_cause("", 210, "cudaMemcpy", 200); /* not the driver's call within it */
	expect_cause("_Z6expandPKi", 420, "cudaLaunchKernel", 400);
	expect_cause("_Z5countv", 430, "cudaLaunchKernel", 415);
	expect_cause("_Z6expandPKi", 625, "cudaLaunchKernel", 500); /* by its launch alone */
	expect_cause("", 690, "cudaMemset", 680);
	expect_cause("", 710, "cudaMemcpyAsync", 700);
}

/* The stretch that a call waited, in microseconds from its begin. */
static void expect_wait(const char *name, uint64_t us, uint64_t from_us, uint64_t until_us,
			uint64_t activities, uint32_t for_span)
{
	uint32_t span = span_at(name, us);
	size_t found = 0;

	cr_expect_eq(tracks.span[span].waited_ns, (until_us - from_us) * US, "%s", name);
	for (size_t i = 0; i < tracks.waits; i++) {
		const struct ct_tracks_wait *wait = &tracks.wait[i];

		if (wait->span != span)
			continue;
		found++;
		cr_expect_eq(wait->from_ns, START_NS + from_us * US, "%s", name);
		cr_expect_eq(wait->until_ns, START_NS + until_us * US, "%s", name);
		cr_expect_eq(wait->waited_ns, (until_us - from_us) * US, "%s", name);
		cr_expect_eq(wait->activities, activities, "%s", name);
		cr_expect_eq(wait->for_span, for_span, "%s", name);
	}
	cr_expect_eq(found, 1, "%s waited %zu times", name, found);
}

Test(tracks, show_when_calls_waited_and_for_what, .init = begin, .fini = end)
{
	open_trace(api_make(directory, true, "/nowhere/solver"));
	make(100, 100, 1000);
	cr_expect_eq(tracks.waits, 4);
	expect_wait("cudaMemcpy", 200, 210, 280, 1, span_at("", 210));
	expect_wait("cudaDeviceSynchronize", 430, 430, 620, 1, span_at("_Z6expandPKi", 420));
	expect_wait("cudaStreamSynchronize", 705, 710, 720, 1, span_at("", 710));
	expect_wait("cudaFree", 640, 640, 665, 1, span_at("_Z6expandPKi", 625));
}

Test(tracks, without_activities_synchronising_is_waiting, .init = begin, .fini = end)
{
	open_trace(api_make(directory, false, "/nowhere/solver"));
	make(100, 100, 1000);
	cr_expect_eq(tracks.rows, 2);
	expect_wait("cudaDeviceSynchronize", 430, 430, 630, 1, CT_TRACKS_NONE);
	cr_expect_eq(tracks.span[span_at("cudaMemcpy", 200)].waited_ns, 0);
}

Test(tracks, rows_beyond_the_limit_are_reported, .init = begin, .fini = end)
{
	open_trace(api_make(directory, true, "/nowhere/solver"));
	make(100, 2, 1000);
	cr_assert_eq(tracks.rows, 2, "main with 439 us of calls, stream 0 with 311 of activities");
	cr_expect_str_eq(tracks.row[0].name, "solver");
	cr_expect(tracks.row[1].is_stream && tracks.row[1].stream == 0);
	cr_expect_eq(tracks.left_rows, 2);
	cr_expect_eq(tracks.left_spans, 5 + 2);
	cr_expect_eq(tracks.all_spans, 10 + 4);
}

/* Sums of a row by shade: what is shown and what is not must be all there is. */
struct sums {
	uint64_t count, ns[CT_SHADES];
};

static enum ct_tracks_shade shade_of(const struct ct_row_call *call,
				     const struct ct_row_activity *activity)
{
	if (call)
		return call->kind > CT_SPAN_DRIVER   ? CT_SHADE_RANGES
		       : call->flags & CT_SPAN_INNER ? CT_SHADE_INNER
						     : CT_SHADE_CALLS;
	if (activity->kind != CT_ACTIVITY_KERNEL)
		return CT_SHADE_COPIES;
	return activity->flags & CT_ACTIVITY_TRACED ? CT_SHADE_TRACED : CT_SHADE_KERNELS;
}

static bool is_of(const struct ct_tracks_row *row, const struct ct_row_call *call,
		  const struct ct_row_activity *activity)
{
	if (call)
		return !row->is_stream && row->thread == call->thread;
	return row->is_stream && row->stream == activity->stream && row->device == activity->device;
}

/* From the tables, as slowly as it likes. */
static struct sums all_of(const struct ct_tracks_row *row)
{
	const struct ct_row_activity *activity;
	const struct ct_row_call *call;
	struct sums sums = {0};
	size_t count;

	cr_assert_eq(ct_trace_rows(trace, row->part, CT_TABLE_CALL, (const void **)&call, &count),
		     0);
	for (size_t i = 0; i < count; i++)
		if (is_of(row, &call[i], NULL)) {
			sums.count++;
			sums.ns[shade_of(&call[i], NULL)] += call[i].duration_ns;
		}
	cr_assert_eq(
	    ct_trace_rows(trace, row->part, CT_TABLE_ACTIVITY, (const void **)&activity, &count),
	    0);
	for (size_t i = 0; i < count; i++)
		if (is_of(row, NULL, &activity[i]) && !(activity[i].flags & CT_ACTIVITY_OURS)) {
			sums.count++;
			sums.ns[shade_of(NULL, &activity[i])] += activity[i].duration_ns;
		}
	return sums;
}

static struct sums reported_of(uint32_t row)
{
	struct sums sums = {0};

	for (size_t s = 0; s < tracks.spans; s++)
		if (tracks.span[s].row == row) {
			sums.count++;
			sums.ns[shade_of(tracks.span[s].call, tracks.span[s].activity)] +=
			    end_of(&tracks.span[s]) - begin_of(&tracks.span[s]);
		}
	for (size_t b = 0; b < tracks.bins; b++)
		if (tracks.bin[b].row == row) {
			sums.count += tracks.bin[b].count;
			for (unsigned shade = 0; shade < CT_SHADES; shade++)
				sums.ns[shade] += tracks.bin[b].ns[shade];
		}
	/* Waiting is part of calls. */
	sums.ns[CT_SHADE_CALLS] += sums.ns[CT_SHADE_WAITING];
	sums.ns[CT_SHADE_WAITING] = 0;
	return sums;
}

static void expect_all_reported(void)
{
	for (uint32_t r = 0; r < tracks.rows; r++) {
		struct sums all = all_of(&tracks.row[r]), reported = reported_of(r);

		cr_expect_eq(all.count, reported.count, "row %u: %lu of %lu", r,
			     (unsigned long)reported.count, (unsigned long)all.count);
		cr_expect_eq(tracks.row[r].spans, all.count);
		for (unsigned shade = 0; shade < CT_SHADES; shade++)
			cr_expect_eq(
			    all.ns[shade], reported.ns[shade], "row %u shade %u: %lu of %lu", r,
			    shade, (unsigned long)reported.ns[shade], (unsigned long)all.ns[shade]);
	}
}

/* Spans of a lane are apart, and come by begin. */
static void expect_lanes(void)
{
	for (size_t s = 1; s < tracks.spans; s++) {
		const struct ct_tracks_span *a = &tracks.span[s - 1], *b = &tracks.span[s];

		if (a->row == b->row && a->level == b->level && a->level + 1 < CT_TRACKS_LEVELS)
			cr_expect(end_of(a) <= begin_of(b), "%zu and %zu share a level", s - 1, s);
	}
}

Test(tracks, what_is_not_shown_is_counted, .init = begin, .fini = end)
{
	static const struct {
		size_t spans, bins;
	} limits[] = {{100000, 1000}, {3000, 100000}, {1000, 2000}, {100, 16}, {0, 1}};

	open_trace(api_make_random(directory, 3, 20000));
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		make(limits[i].spans, 100, limits[i].bins);
		cr_assert_eq(tracks.rows, 16, "two parts of four threads and four streams");
		cr_expect(tracks.spans <= limits[i].spans, "%zu shown", tracks.spans);
		cr_expect(2 * tracks.spans >= limits[i].spans || tracks.bins == 0,
			  "%zu of %zu are shown", tracks.spans, limits[i].spans);
		expect_all_reported();
		expect_lanes();
		ct_tracks_fini(&tracks);
	}
}

/* Whatever the limit, one would look for these. */
Test(tracks, what_stands_out_is_shown, .init = begin, .fini = end)
{
	uint64_t longest = 0;

	open_trace(api_make_random(directory, 5, 20000));
	make(800, 100, 1000);
	for (size_t b = 0; b < tracks.bins; b++)
		if (tracks.bin[b].count &&
		    end_of(&tracks.bin[b].longest) - begin_of(&tracks.bin[b].longest) > longest)
			longest = end_of(&tracks.bin[b].longest) - begin_of(&tracks.bin[b].longest);
	/* Durations in the random trace are even up to 8000. */
	cr_expect(longest < 7900, "one of %lu ns is not shown", (unsigned long)longest);
	for (uint32_t row = 0; row < tracks.rows; row++) {
		size_t shown = 0;

		for (size_t s = 0; s < tracks.spans; s++)
			shown += tracks.span[s].row == row;
		cr_expect(shown >= 10, "row %u has only %zu", row, shown);
	}
	for (size_t f = 0; f < calls.functions; f++) {
		bool is_there = false;

		for (size_t s = 0; s < tracks.spans && !is_there; s++)
			is_there =
			    tracks.span[s].call && !strcmp(ct_tracks_name(&tracks, &tracks.span[s]),
							   calls.function[f].name);
		cr_expect(is_there, "%s is not shown once", calls.function[f].name);
	}
}

Test(tracks, rows_without_sense_do_no_harm, .init = begin, .fini = end)
{
	open_trace(api_make_senseless(directory, 7, 2000));
	make(100, 20, 1000);
	cr_expect(tracks.spans <= 100);
	cr_expect_leq(tracks.rows, 20);
	ct_tracks_fini(&tracks);
	make(100000, 200, 1000);
	cr_expect_eq(tracks.spans, tracks.all_spans);
}

/* Ranges that overlap come in any order, and have levels of their own. */
Test(tracks, ranges_that_overlap_are_apart, .init = begin, .fini = end)
{
	/* In microseconds: 0-100 pushed, within it 10-90 pushed; started and stopped: 5-50, 40-120,
	 * 60-70, as they ended. */
	static const uint64_t range[][3] = {
	    {10, 90, 0},
	    {0, 100, 0},
	    {40, 120, CT_SPAN_OVERLAPS},
	    {5, 50, CT_SPAN_OVERLAPS},
	    {60, 70, CT_SPAN_OVERLAPS},
	};
	struct build *b = build_part(directory, NULL);

	BUILD_EVENT(b, calls, .source = build_string(b, "made up"));
	for (size_t i = 0; i < sizeof(range) / sizeof(*range); i++) {
		const struct ct_row_call row = {
		    .begin_ns = START_NS + range[i][0] * US,
		    .duration_ns = (range[i][1] - range[i][0]) * US,
		    .thread = 1,
		    .kind = CT_SPAN_RANGE,
		    .flags = (uint32_t)range[i][2],
		    .name = build_string(b, "range"),
		};

		ct_writer_rows(b->writer, CT_TABLE_CALL, &row, 1, NULL);
	}
	open_trace(build_close(b, NULL));
	make(100, 100, 1000);
	cr_assert_eq(tracks.rows, 1);
	cr_expect_eq(tracks.row[0].range_levels, 4);
	cr_expect_eq(tracks.span[span_at("range", 0)].level, 0);
	cr_expect_eq(tracks.span[span_at("range", 10)].level, 1);
	cr_expect_eq(tracks.span[span_at("range", 40)].level, 2, "the last to end");
	cr_expect_eq(tracks.span[span_at("range", 60)].level, 3, "begins within it");
	cr_expect_eq(tracks.span[span_at("range", 5)].level, 3, "ends within it, before 60");
	expect_lanes();
}
