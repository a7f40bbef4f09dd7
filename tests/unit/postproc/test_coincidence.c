/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that wait though no table says so, on traces with times by hand: kernels of a millisecond,
 * one every 10 ms, each launched 20 us before a call that may wait for it. */
#include "postproc/analysis/calls/coincidence.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_fixture.h"
#include <criterion/criterion.h>

#define START_NS 1750000000000000000ull
#define US 1000u
#define APART 10000u /* us */
#define THREAD 100u

/* In microseconds from a round's begin, when the kernel has been launched. */
struct round {
	uint64_t call_end;    /* of the call, which begins at 20 */
	uint64_t kernel_end;  /* of the kernel, which begins at 5 */
	uint64_t other_end;   /* of a kernel in another stream that begins at 6; 0: there is none */
	uint64_t call_stream; /* 3: the kernel's, 4: the other's, 0: the legacy default stream */
	bool is_own;          /* the kernel is asked for by the call itself */
};

/* A call that ends, and the only kernel. */
#define ROUND(call_end, kernel_end)                                                                \
	{                                                                                          \
		call_end, kernel_end, 0, 0, false                                                  \
	}

static char *directory;
static struct ct_trace *trace;
static bool is_recorded; /* CUPTI reports each call as a wait for its stream */
static struct ct_waits waits;
static const struct ct_row_call *calls;
static size_t count;

static void end(void)
{
	is_recorded = false;
	ct_waits_fini(&waits);
	ct_trace_close(trace);
	fixture_remove(directory);
}

static void add_round(struct build *b, const char *name, uint32_t number, const struct round *round)
{
	uint64_t begin = START_NS + (uint64_t)number * APART * US;
	struct ct_row_call call = {.begin_ns = begin + 20 * US,
				   .duration_ns = (round->call_end - 20) * US,
				   .stream = round->call_stream,
				   .thread = THREAD,
				   .name = build_string(b, name),
				   .stack = 1,
				   .correlation = 100 + number,
				   .kind = CT_SPAN_RUNTIME};
	struct ct_row_activity kernel = {.begin_ns = begin + 5 * US,
					 .duration_ns = (round->kernel_end - 5) * US,
					 .stream = 3,
					 .correlation = round->is_own ? 100 + number : 1 + number,
					 .kind = CT_ACTIVITY_KERNEL};
	struct ct_row_activity other = {.begin_ns = begin + 6 * US,
					.duration_ns = (round->other_end - 6) * US,
					.stream = 4,
					.kind = CT_ACTIVITY_KERNEL};

	struct ct_row_sync sync = {.begin_ns = call.begin_ns,
				   .duration_ns = call.duration_ns,
				   .correlation = call.correlation,
				   .kind = CT_SYNC_FOR_STREAM};

	if (is_recorded)
		ct_writer_rows(b->writer, CT_TABLE_SYNC, &sync, 1, NULL);
	ct_writer_rows(b->writer, CT_TABLE_CALL, &call, 1, NULL);
	ct_writer_rows(b->writer, CT_TABLE_ACTIVITY, &kernel, 1, NULL);
	if (round->other_end)
		ct_writer_rows(b->writer, CT_TABLE_ACTIVITY, &other, 1, NULL);
}

/* Streams 3 and 4 have nothing to do with the legacy default stream. */
static void make(const char *name, const struct round *round, size_t rounds)
{
	const struct ct_row_stack stack = {.offset = 16};
	const void *rows;
	size_t activities;
	char why[512];
	struct build *b;

	directory = fixture_directory();
	b = build_part(directory, NULL);
	for (uint64_t stream = 3; stream <= 4; stream++)
		BUILD_EVENT(b, stream, .stream = stream, .flags = CT_STREAM_NON_BLOCKING);
	ct_writer_rows(b->writer, CT_TABLE_STACK, &stack, 1, NULL);
	for (size_t i = 0; i < rounds; i++)
		add_round(b, name, (uint32_t)i, &round[i]);
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_rows(trace, 0, CT_TABLE_CALL, &rows, &count), 0);
	calls = rows;
	cr_assert_eq(ct_trace_rows(trace, 0, CT_TABLE_ACTIVITY, &rows, &activities), 0);
	cr_assert_eq(ct_waits_init(&waits, trace, 0, rows, activities), 0);
}

static void expect(enum ct_wait what)
{
	struct ct_wait_kind kind = ct_waits_kind(&waits, &calls[0]);

	cr_expect_eq(kind.what, what, "%d", kind.what);
	cr_expect_eq(kind.evidence,
		     what == CT_WAIT_FOR_NONE ? CT_EVIDENCE_NONE : CT_EVIDENCE_COINCIDENCE);
}

Test(coincidence, ends_with_work_again_and_again_are_waits, .fini = end)
{
	static const struct round round[] = {ROUND(1005, 1000), ROUND(2004, 2000),
					     ROUND(1010, 1000), ROUND(30, 10), ROUND(1005, 1000)};
	int err;

	make("cudaDeviceSetLimit", round, 5);
	expect(CT_WAIT_FOR_DEVICE);
	cr_expect_eq(ct_waits_of(&waits, &calls[1], CT_WAIT_FOR_DEVICE, NULL, NULL, &err),
		     1980 * US);
}

Test(coincidence, two_are_chance, .fini = end)
{
	static const struct round round[] = {ROUND(1005, 1000), ROUND(1005, 1000)};

	make("cudaDeviceSetLimit", round, 2);
	expect(CT_WAIT_FOR_NONE);
}

Test(coincidence, an_end_while_work_goes_on_is_no_wait, .fini = end)
{
	static const struct round round[] = {ROUND(1005, 1000), ROUND(1005, 1000),
					     ROUND(1005, 1000), ROUND(1005, 1000), ROUND(30, 1000)};

	make("cudaMalloc", round, 5);
	expect(CT_WAIT_FOR_NONE);
}

Test(coincidence, work_of_other_streams_may_go_on, .fini = end)
{
	static const struct round round[] = {{1005, 1000, 3000, 3, false},
					     {1005, 1000, 3000, 3, false},
					     {1005, 1000, 3000, 3, false}};

	make("cudaStreamAttachMemAsync", round, 3);
	expect(CT_WAIT_FOR_STREAM);
}

Test(coincidence, work_of_the_own_stream_may_not, .fini = end)
{
	static const struct round round[] = {{1005, 1000, 3000, 4, false},
					     {1005, 1000, 3000, 4, false},
					     {1005, 1000, 3000, 4, false}};

	make("cudaStreamAttachMemAsync", round, 3);
	expect(CT_WAIT_FOR_NONE);
}

Test(coincidence, calls_that_go_on_for_long_do_something_else, .fini = end)
{
	static const struct round round[] = {ROUND(1005, 1000), ROUND(1300, 1000),
					     ROUND(1005, 1000), ROUND(1400, 1000),
					     ROUND(1005, 1000)};

	make("cudaGraphInstantiate", round, 5);
	expect(CT_WAIT_FOR_NONE);
}

Test(coincidence, short_calls_end_with_work_by_chance, .fini = end)
{
	static const struct round round[] = {ROUND(105, 100), ROUND(110, 100), ROUND(105, 100),
					     ROUND(115, 100)};

	make("cudaMalloc", round, 4);
	expect(CT_WAIT_FOR_NONE);
}

Test(coincidence, what_a_call_asks_for_itself_is_not_looked_at, .fini = end)
{
	static const struct round round[] = {
	    {1005, 1000, 0, 0, true}, {1005, 1000, 0, 0, true}, {1005, 1000, 0, 0, true}};

	make("cudaGraphUpload", round, 3);
	expect(CT_WAIT_FOR_NONE);
}

Test(coincidence, tables_come_first, .fini = end)
{
	static const struct round round[] = {ROUND(1005, 1000), ROUND(1005, 1000),
					     ROUND(1005, 1000)};
	struct ct_wait_kind kind;

	make("cudaStreamSynchronize", round, 3);
	kind = ct_waits_kind(&waits, &calls[0]);
	cr_expect_eq(kind.what, CT_WAIT_FOR_STREAM);
	cr_expect_eq(kind.evidence, CT_EVIDENCE_EXPLICIT);
	cr_expect_eq(ct_wait_kind("cudaFree").evidence, CT_EVIDENCE_DOCUMENTED);
	cr_expect_str_eq(ct_wait_evidence_name(kind.evidence), "explicit");
}

Test(coincidence, what_is_recorded_comes_first, .fini = end)
{
	static const struct round round[] = {{1005, 1000, 3000, 3, false}};
	struct ct_wait_kind kind;
	int err;

	is_recorded = true;
	make("cusparseSettle", round, 1);
	kind = ct_waits_kind(&waits, &calls[0]);
	cr_expect_eq(kind.what, CT_WAIT_FOR_STREAM);
	cr_expect_eq(kind.evidence, CT_EVIDENCE_RECORDED);
	cr_expect_str_eq(ct_wait_evidence_name(kind.evidence), "recorded");
	cr_expect_eq(ct_waits_of(&waits, &calls[0], kind.what, NULL, NULL, &err), 980 * US);
}

Test(coincidence, what_is_there_to_wait_keeps_its_scope, .fini = end)
{
	static const struct round round[] = {{1005, 1000, 3000, 3, false}};
	struct ct_wait_kind kind;

	is_recorded = true;
	make("cudaDeviceSynchronize", round, 1);
	kind = ct_waits_kind(&waits, &calls[0]);
	cr_expect_eq(kind.what, CT_WAIT_FOR_DEVICE);
	cr_expect_eq(kind.evidence, CT_EVIDENCE_RECORDED);
	cr_expect(kind.is_synchronize);
}

Test(coincidence, a_question_that_is_recorded_is_no_wait, .fini = end)
{
	static const struct round round[] = {{1005, 1000, 3000, 3, false}};

	is_recorded = true;
	make("cudaEventQuery", round, 1);
	expect(CT_WAIT_FOR_NONE);
}
