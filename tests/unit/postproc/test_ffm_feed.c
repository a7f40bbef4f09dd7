/* SPDX-License-Identifier: Apache-2.0 */
/* Which call sites a stage feeds the next ones, in a run of 100 ms: a thousandth is 100 us. */
#include "base/site.h"
#include "postproc/analysis/ffm/feed.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_fixture.h"
#include <criterion/criterion.h>

#define START_NS 1750000000000000000ull
#define US 1000u
#define THREAD 100u
#define SITES 6u

/* Rows of STACK, which are the sites below. */
enum { DEVICE = 1, STREAM, FREE, LATE, UNUSED, BEHIND };

static char *directories[2];
static struct ct_trace *traces[2];

static uint64_t site(uint32_t stack)
{
	return ct_site_of(0, "/another/place/app", 16 * stack);
}

static struct ct_row_call call(struct build *b, const char *name, uint32_t stack, uint64_t from,
			       uint64_t to, uint32_t number)
{
	return (struct ct_row_call){.begin_ns = START_NS + from * US,
				    .duration_ns = (to - from) * US,
				    .name = build_string(b, name),
				    .thread = THREAD,
				    .stack = stack,
				    .kind = CT_SPAN_RUNTIME,
				    .correlation = number,
				    .id = number};
}

static struct ct_row_activity kernel(uint64_t from, uint64_t to)
{
	return (struct ct_row_activity){.begin_ns = START_NS + from * US,
					.duration_ns = (to - from) * US,
					.kind = CT_ACTIVITY_KERNEL};
}

/* pause: us behind the call at LATE. */
static void add_calls(struct build *b, uint64_t pause)
{
	const struct ct_row_call calls[] = {
	    call(b, "cudaMalloc", 0, 0, 1, 0),
	    call(b, "cudaDeviceSynchronize", DEVICE, 1000, 1070, 1), /* waits 60 */
	    call(b, "cudaDeviceSynchronize", DEVICE, 2000, 2070, 2), /* waits 60 */
	    call(b, "cudaStreamSynchronize", STREAM, 3000, 3090, 3), /* waits 90 */
	    call(b, "cudaFree", FREE, 4000, 4110, 4),                /* waits 60, frees for 50 */
	    call(b, "cudaDeviceSynchronize", LATE, 5000, 5500, 5),   /* waits all of the time */
	    call(b, "cudaMalloc", 0, 5500 + pause, 5501 + pause, 0),
	    call(b, "cudaDeviceSynchronize", UNUSED, 8000, 8500, 6), /* likewise */
	    call(b, "cudaDeviceSynchronize", BEHIND, 8600, 8601, 7), /* it would, without that */
	    call(b, "cudaMalloc", 0, 99999, 100000, 0),
	};
	const struct ct_row_activity kernels[] = {
	    kernel(900, 1060),  kernel(1900, 2060), kernel(2900, 3090),
	    kernel(3900, 4060), kernel(4900, 5500), kernel(7900, 8500),
	};

	ct_writer_rows(b->writer, CT_TABLE_CALL, calls, sizeof(calls) / sizeof(*calls), NULL);
	ct_writer_rows(b->writer, CT_TABLE_ACTIVITY, kernels, sizeof(kernels) / sizeof(*kernels),
		       NULL);
}

/* Those at DEVICE are used 10 us later, at LATE 300 us later. */
static void add_uses(struct build *b)
{
	const struct ct_row_wait waits[] = {
	    {.call = 1, .end_ns = START_NS + 1070 * US, .ranges = 1, .used = 1},
	    {.call = 2, .end_ns = START_NS + 2070 * US, .ranges = 1, .used = 1},
	    {.call = 5, .end_ns = START_NS + 5500 * US, .ranges = 1, .used = 1},
	    {.call = 6, .end_ns = START_NS + 8500 * US, .ranges = 1, .unused = 1},
	};
	const struct ct_row_use uses[] = {
	    {.wait = 1, .kind = CT_USE_LOAD, .time_ns = START_NS + 1080 * US},
	    {.wait = 2, .kind = CT_USE_LOAD, .time_ns = START_NS + 2080 * US},
	    {.wait = 5, .kind = CT_USE_LOAD, .time_ns = START_NS + 5800 * US},
	    {.wait = 6, .kind = CT_USE_NONE, .time_ns = START_NS + 100000 * US},
	};

	ct_writer_rows(b->writer, CT_TABLE_WAIT, waits, sizeof(waits) / sizeof(*waits), NULL);
	ct_writer_rows(b->writer, CT_TABLE_USE, uses, sizeof(uses) / sizeof(*uses), NULL);
}

static struct ct_trace *make(size_t number, uint64_t pause)
{
	struct ct_row_stack stacks[SITES];
	struct build *b;
	char why[512];

	directories[number] = fixture_directory();
	b = build_part(directories[number], NULL);
	BUILD_EVENT(b, module, .module = 1, .path = build_string(b, "/home/app"));
	for (uint32_t i = 0; i < SITES; i++)
		stacks[i] = (struct ct_row_stack){.offset = 16 * (i + 1), .module = 1};
	ct_writer_rows(b->writer, CT_TABLE_STACK, stacks, SITES, NULL);
	add_calls(b, pause);
	add_uses(b);
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&traces[number], directories[number], why, sizeof(why)), 0, "%s",
		     why);
	return traces[number];
}

static void end(void)
{
	for (size_t i = 0; i < 2 && directories[i]; i++) {
		ct_trace_close(traces[i]);
		fixture_remove(directories[i]);
	}
}

static void expect(const struct ct_ffm_feed *feed, size_t at, uint32_t stack, uint64_t count,
		   uint64_t worth)
{
	cr_assert_lt(at, feed->count, "%zu are fed", feed->count);
	cr_expect_eq(feed->fed[at].site, site(stack), "site %zu", at);
	cr_expect_eq(feed->fed[at].count, count, "site %zu: %lu calls", at,
		     (unsigned long)feed->fed[at].count);
	cr_expect_eq(feed->fed[at].worth_ns, worth * US, "site %zu: %lu", at,
		     (unsigned long)feed->fed[at].worth_ns);
}

Test(ffm_feed, stage_3_gets_what_waits_for_long, .fini = end)
{
	struct ct_ffm_feed feed;

	cr_assert_eq(ct_ffm_feed_uses(&feed, make(0, 100)), 0);
	cr_expect_eq(feed.count, 5);
	for (size_t i = 0; i < 3; i++) {
		static const uint32_t stacks[] = {LATE, UNUSED, BEHIND};
		size_t at = 0;

		for (size_t k = 0; k < 3; k++)
			at += site(stacks[k]) < site(stacks[i]);
		expect(&feed, at, stacks[i], 1, 500);
	}
	expect(&feed, 3, DEVICE, 2, 120);
	expect(&feed, 4, FREE, 1, 110);
	ct_ffm_feed_fini(&feed);
}

Test(ffm_feed, stage_4_gets_what_is_needed_late, .fini = end)
{
	struct ct_ffm_feed feed;

	cr_assert_eq(ct_ffm_feed_first_uses(&feed, make(0, 100), NULL), 0);
	cr_expect_eq(feed.count, 1);
	expect(&feed, 0, LATE, 1, 300);
	ct_ffm_feed_fini(&feed);
}

/* 120 us are a fifth more than 100, and a microsecond is for nothing. */
Test(ffm_feed, stage_4_gets_what_stage_3_has_disturbed, .fini = end)
{
	struct ct_trace *calls = make(0, 100), *uses = make(1, 121);
	struct ct_ffm_feed feed;

	cr_assert_eq(ct_ffm_feed_first_uses(&feed, uses, calls), 0);
	cr_expect_eq(feed.count, 0);
	ct_ffm_feed_fini(&feed);
	end();
	calls = make(0, 100);
	uses = make(1, 122);
	cr_assert_eq(ct_ffm_feed_first_uses(&feed, uses, calls), 0);
	cr_expect_eq(feed.count, 1);
	ct_ffm_feed_fini(&feed);
}
