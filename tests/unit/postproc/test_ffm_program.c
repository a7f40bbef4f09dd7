/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of traces, against what is worked out by hand in trace_api.c and here. */
#include "postproc/analysis/ffm/program.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_api.h"
#include "tests/unit/trace/trace_fixture.h"
#include <criterion/criterion.h>

#define START_NS 1750000000000000000ull
#define US 1000u
#define THREAD 100u

static char *directory;
static struct ct_trace *trace;
static struct ct_ffm_program program;

static void open_program(void)
{
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_ffm_program_init(&program, trace, 0), 0);
}

static void end(void)
{
	ct_ffm_program_fini(&program);
	ct_trace_close(trace);
	fixture_remove(directory);
}

/* In microseconds. */
struct expected_step {
	uint32_t thread;
	uint64_t work, launch, wait;
	enum ct_ffm_scope scope;
};

static void expect_steps(const struct expected_step *expected, size_t count)
{
	cr_assert_eq(program.graph.steps, count, "%zu steps", program.graph.steps);
	for (size_t i = 0; i < count; i++) {
		const struct ct_ffm_step *step = &program.graph.step[i];

		cr_expect_eq(step->thread, expected[i].thread, "step %zu", i);
		cr_expect_eq(step->work_ns, expected[i].work * US, "step %zu works %lu", i,
			     (unsigned long)step->work_ns);
		cr_expect_eq(step->launch_ns, expected[i].launch * US, "step %zu launches %lu", i,
			     (unsigned long)step->launch_ns);
		cr_expect_eq(step->wait_ns, expected[i].wait * US, "step %zu waits %lu", i,
			     (unsigned long)step->wait_ns);
		cr_expect_eq(step->scope, expected[i].scope, "step %zu", i);
	}
}

struct expected_work {
	uint64_t begin, duration;
	uint32_t step;
};

static void expect_works(const struct expected_work *expected, size_t count)
{
	cr_assert_eq(program.graph.works, count, "%zu works", program.graph.works);
	for (size_t i = 0; i < count; i++) {
		const struct ct_ffm_work *work = &program.graph.work[i];

		cr_expect_eq(work->begin_ns, START_NS + expected[i].begin * US, "work %zu", i);
		cr_expect_eq(work->duration_ns, expected[i].duration * US, "work %zu", i);
		cr_expect_eq(work->step, expected[i].step, "work %zu: step %u", i, work->step);
	}
}

/* The last call is open. Inner calls, ranges and the tracer's work are none. */
Test(ffm_program, calls_of_two_threads, .fini = end)
{
	static const struct expected_step steps[] = {
	    {0, 0, 100, 0, CT_FFM_NOTHING},  {0, 100, 30, 70, CT_FFM_LEGACY},
	    {0, 100, 10, 0, CT_FFM_NOTHING}, {0, 5, 5, 0, CT_FFM_NOTHING},
	    {0, 10, 10, 190, CT_FFM_DEVICE}, {0, 70, 4, 0, CT_FFM_NOTHING},
	    {0, 1, 10, 10, CT_FFM_STREAM},   {1, 0, 8, 0, CT_FFM_NOTHING},
	    {1, 2, 1, 0, CT_FFM_NOTHING},    {1, 129, 5, 25, CT_FFM_DEVICE},
	    {1, 10, 3, 0, CT_FFM_NOTHING},   {1, 47, 20, 0, CT_FFM_DEVICE},
	};
	static const struct expected_work works[] = {
	    {210, 70, 1}, {420, 200, 2}, {430, 100, 3}, {625, 40, 7}, {690, 1, 10}, {710, 10, 5},
	};
	const struct ct_ffm_graph *graph = &program.graph;

	directory = fixture_directory();
	cr_assert_eq(api_make(directory, true, "/nowhere/solver"), 0);
	open_program();
	expect_steps(steps, sizeof(steps) / sizeof(*steps));
	expect_works(works, sizeof(works) / sizeof(*works));
	cr_expect_eq(graph->end_ns, START_NS + 800 * US);
	cr_assert_eq(graph->streams, 2);
	cr_expect(graph->is_legacy[graph->work[0].stream]);
	cr_expect_not(graph->is_legacy[graph->work[2].stream]);
	cr_expect_eq(graph->step[6].of, graph->work[2].stream);
	cr_expect_eq(graph->first_before[graph->works], 0);
}

static struct ct_row_call call(struct build *b, const char *name, uint64_t from, uint64_t to,
			       uint32_t correlation, uint64_t stream)
{
	return (struct ct_row_call){.begin_ns = START_NS + from * US,
				    .duration_ns = (to - from) * US,
				    .name = build_string(b, name),
				    .thread = THREAD,
				    .kind = CT_SPAN_RUNTIME,
				    .correlation = correlation,
				    .stream = stream};
}

static struct ct_row_activity kernel(uint64_t from, uint64_t to, uint32_t correlation,
				     uint64_t stream)
{
	return (struct ct_row_activity){.begin_ns = START_NS + from * US,
					.duration_ns = (to - from) * US,
					.kind = CT_ACTIVITY_KERNEL,
					.correlation = correlation,
					.stream = stream};
}

/* Event 9 is recorded behind A in stream 1; stream 2 waits for it, and later the host. Stream 0
 * waits for both, and D in stream 1 for what is in it. */
static void make_ordered(struct build *b)
{
	const struct ct_row_call calls[] = {
	    call(b, "cudaLaunchKernel", 0, 1, 1, 1),
	    call(b, "cudaEventRecord", 2, 3, 0, 1),
	    call(b, "cudaStreamWaitEvent", 4, 5, 0, 2),
	    call(b, "cudaLaunchKernel", 6, 7, 2, 2),
	    call(b, "cudaLaunchKernel", 8, 9, 3, 0),
	    call(b, "cudaLaunchKernel", 10, 11, 4, 1),
	    call(b, "cudaEventSynchronize", 12, 52, 0, 0),
	    call(b, "cudaDeviceSynchronize", 60, 101, 0, 0),
	};
	const struct ct_row_activity activities[] = {
	    kernel(5, 50, 1, 1),
	    kernel(50, 80, 2, 2),
	    kernel(80, 90, 3, 0),
	    kernel(90, 100, 4, 1),
	};
	struct {
		uint64_t at, stream;
		uint32_t kind;
	} order[] = {{3, 1, CT_ORDER_RECORD}, {5, 2, CT_ORDER_WAIT}, {52, 0, CT_ORDER_EVENT}};

	for (size_t i = 0; i < 3; i++)
		BUILD_EVENT(b, order, .header.time_ns = START_NS + order[i].at * US,
			    .stream = order[i].stream, .event = 9, .kind = order[i].kind,
			    .thread = THREAD);
	ct_writer_rows(b->writer, CT_TABLE_CALL, calls, sizeof(calls) / sizeof(*calls), NULL);
	ct_writer_rows(b->writer, CT_TABLE_ACTIVITY, activities,
		       sizeof(activities) / sizeof(*activities), NULL);
}

static void expect_before(uint32_t work, uint32_t count, uint32_t first, uint32_t second)
{
	const struct ct_ffm_graph *graph = &program.graph;
	const uint32_t *before = graph->before + graph->first_before[work];
	bool is_found[2] = {false, false};

	cr_assert_eq(graph->first_before[work + 1] - graph->first_before[work], count, "work %u",
		     work);
	for (uint32_t i = 0; i < count; i++) {
		is_found[0] |= before[i] == first;
		is_found[1] |= before[i] == second;
	}
	cr_expect(count < 1 || is_found[0], "work %u", work);
	cr_expect(count < 2 || is_found[1], "work %u", work);
}

Test(ffm_program, events_and_the_legacy_stream, .fini = end)
{
	static const struct expected_step steps[] = {
	    {0, 0, 1, 0, CT_FFM_NOTHING},   {0, 1, 1, 0, CT_FFM_NOTHING},
	    {0, 1, 1, 0, CT_FFM_NOTHING},   {0, 1, 1, 0, CT_FFM_NOTHING},
	    {0, 1, 1, 0, CT_FFM_NOTHING},   {0, 1, 1, 0, CT_FFM_NOTHING},
	    {0, 1, 2, 38, CT_FFM_ONE_WORK}, {0, 8, 1, 40, CT_FFM_DEVICE},
	};
	/* A, the wait of stream 2, B, C, D */
	static const struct expected_work works[] = {
	    {5, 45, 0}, {50, 0, 2}, {50, 30, 3}, {80, 10, 4}, {90, 10, 5}};
	struct ct_ffm_gap gap[8];
	const uint32_t chosen = 6;
	uint64_t expected;
	int64_t replayed;
	struct build *b;

	directory = fixture_directory();
	b = build_part(directory, NULL);
	make_ordered(b);
	cr_assert_eq(build_close(b, "{}"), 0);
	open_program();
	expect_steps(steps, sizeof(steps) / sizeof(*steps));
	expect_works(works, sizeof(works) / sizeof(*works));
	cr_expect_eq(program.graph.step[6].of, 0);
	expect_before(0, 0, 0, 0);
	expect_before(1, 1, 0, 0);
	expect_before(2, 0, 0, 0);
	expect_before(3, 2, 0, 2);
	expect_before(4, 1, 3, 0);

	/* Without the wait for the event the device is as late as before; the seed's estimate takes
	 * the 9 us until the next wait for idle. */
	program.graph.step[6].problem = CT_FFM_UNNECESSARY;
	cr_assert_eq(ct_ffm_gaps(&program.graph, &program.streams, gap), 0);
	cr_assert_eq(ct_ffm_expect(&program.graph, gap, &chosen, 1, &expected), 0);
	cr_assert_eq(ct_ffm_replay(&program.graph, &program.streams, &chosen, 1, &replayed), 0);
	cr_expect_eq(gap[6].next, 7);
	cr_expect_eq(expected, 9 * US);
	cr_expect_eq(replayed, 0);
	cr_assert_eq(ct_ffm_replay(&program.graph, &program.streams, NULL, 0, &replayed), 0);
	cr_expect_eq(replayed, 0);
}

/* From the process's load to its exit; without that event from the first call to the last end: the
 * steps above are 101 us long. */
Test(ffm_program, runs_as_long_as_the_process)
{
	for (int is_cut = 0; is_cut < 2; is_cut++) {
		struct build *b;

		directory = fixture_directory();
		b = build_part(directory, NULL);
		make_ordered(b);
		if (!is_cut)
			BUILD_EVENT(b, ran, .begin_ns = START_NS - 500 * US,
				    .end_ns = START_NS + 2000 * US);
		cr_assert_eq(build_close(b, "{}"), 0);
		open_program();
		cr_expect_eq(ct_ffm_program_run_ns(&program), (is_cut ? 101 : 2500) * US, "%lu",
			     (unsigned long)ct_ffm_program_run_ns(&program));
		end();
	}
}
