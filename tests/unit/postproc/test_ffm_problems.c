/* SPDX-License-Identifier: Apache-2.0 */
/* Tests by hand what uses and contents say of calls. */
#include "postproc/analysis/ffm/problems.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_fixture.h"
#include <criterion/criterion.h>

#define START_NS 1750000000000000000ull
#define US 1000u
#define THREAD 100u
#define FAR (20 * US)
#define COPIES 3u
#define TARGET 0x7f0000000000ull

static struct ct_row_call call(struct build *b, uint32_t id, const char *name, uint64_t from,
			       uint64_t to, uint32_t correlation)
{
	return (struct ct_row_call){.begin_ns = START_NS + from * US,
				    .duration_ns = (to - from) * US,
				    .name = build_string(b, name),
				    .thread = THREAD,
				    .kind = CT_SPAN_RUNTIME,
				    .correlation = correlation,
				    .id = id};
}

/* A kernel behind each launch, until 10 us before the end of the wait that follows it. */
static void add_calls(struct build *b)
{
	const struct ct_row_call calls[] = {
	    call(b, 0, "cudaLaunchKernel", 0, 1, 1),
	    call(b, 1, "cudaDeviceSynchronize", 2, 50, 0), /* nothing accesses what it protects */
	    call(b, 0, "cudaLaunchKernel", 60, 61, 2),
	    call(b, 2, "cudaDeviceSynchronize", 62, 100, 0), /* accessed 5 us later */
	    call(b, 0, "cudaLaunchKernel", 110, 111, 3),
	    call(b, 3, "cudaDeviceSynchronize", 112, 150, 0), /* 100 us later, then 300 */
	    call(b, 0, "cudaLaunchKernel", 260, 261, 4),
	    call(b, 4, "cudaFree", 262, 300, 0), /* protects nothing */
	    call(b, 0, "cudaLaunchKernel", 310, 311, 5),
	    call(b, 5, "cudaDeviceSynchronize", 312, 350, 0), /* of some of it nothing is known */
	    call(b, 6, "cudaDeviceSynchronize", 400, 401, 0), /* it did not wait */
	    call(b, 0, "cudaLaunchKernel", 410, 411, 6),
	    call(b, 7, "cudaDeviceSynchronize", 412, 450, 0), /* watching was not requested */
	    call(b, 8, "cudaMemcpy", 500, 510, 0),
	    call(b, 9, "cudaMemcpy", 520, 530, 0),
	    /* A library copies to the host; what becomes of that is not seen. */
	    call(b, 0, "cudaMemcpyAsync", 540, 541, 7),
	    call(b, 10, "cudaDeviceSynchronize", 542, 580, 0),
	    call(b, 11, "cudaMemcpyAsync", 590, 591, 8), /* this one is watched, and not used */
	    call(b, 12, "cudaDeviceSynchronize", 592, 630, 0),
	};
	struct ct_row_activity kernels[8];
	const uint64_t begins[] = {0, 60, 110, 260, 310, 410, 540, 590};
	const uint64_t ends[] = {40, 90, 140, 290, 340, 440, 570, 620};

	for (uint32_t i = 0; i < 8; i++)
		kernels[i] =
		    (struct ct_row_activity){.begin_ns = START_NS + (begins[i] + 1) * US,
					     .duration_ns = (ends[i] - begins[i] - 1) * US,
					     .kind = i < 6 ? CT_ACTIVITY_KERNEL : CT_ACTIVITY_COPY,
					     .copy = i < 6 ? CT_COPY_NONE : CT_COPY_TO_HOST,
					     .correlation = i + 1};
	ct_writer_rows(b->writer, CT_TABLE_CALL, calls, sizeof(calls) / sizeof(*calls), NULL);
	ct_writer_rows(b->writer, CT_TABLE_ACTIVITY, kernels, 8, NULL);
}

static void add_uses(struct build *b)
{
	const struct ct_row_wait waits[] = {
	    {.call = 1, .end_ns = START_NS + 50 * US, .ranges = 1, .unused = 1},
	    {.call = 2, .end_ns = START_NS + 100 * US, .ranges = 1, .used = 1},
	    {.call = 3, .end_ns = START_NS + 150 * US, .ranges = 3, .used = 2, .again = 1},
	    {.call = 4, .end_ns = START_NS + 300 * US},
	    {.call = 5, .end_ns = START_NS + 350 * US, .ranges = 2, .unused = 1, .unknown = 1},
	    {.call = 6, .end_ns = START_NS + 401 * US},
	    {.call = 7, .end_ns = START_NS + 450 * US, .flags = CT_WAIT_NOT_ASKED},
	    {.call = 10, .end_ns = START_NS + 580 * US},
	    {.call = 12, .end_ns = START_NS + 630 * US, .ranges = 1, .unused = 1},
	};
	const struct ct_row_use uses[] = {
	    {.wait = 1, .kind = CT_USE_NONE, .time_ns = START_NS + 60 * US},
	    {.wait = 2, .kind = CT_USE_LOAD, .time_ns = START_NS + 105 * US},
	    {.wait = 3, .kind = CT_USE_STORE, .time_ns = START_NS + 450 * US},
	    {.wait = 3, .kind = CT_USE_SYSTEM, .time_ns = START_NS + 250 * US},
	    {.wait = 3, .kind = CT_USE_AGAIN, .time_ns = START_NS + 151 * US},
	    {.wait = 5, .kind = CT_USE_UNKNOWN, .time_ns = START_NS + 360 * US},
	};

	ct_writer_rows(b->writer, CT_TABLE_WAIT, waits, sizeof(waits) / sizeof(*waits), NULL);
	ct_writer_rows(b->writer, CT_TABLE_USE, uses, sizeof(uses) / sizeof(*uses), NULL);
}

/* Those of call 8 were there, of call 9 half of them. */
static void add_contents(struct build *b)
{
	const struct ct_row_content contents[] = {
	    {.transfer = 1, .bytes = 8192, .same_bytes = 8192},
	    {.transfer = 2, .bytes = 8192, .same_bytes = 4096},
	};

	/* A memset has written it. */
	BUILD_EVENT(b, transfer, .header.time_ns = START_NS + 402 * US, .transfer = 3,
		    .target = TARGET, .width = 8192, .height = 1, .depth = 1,
		    .kind = CT_TRANSFER_SET, .thread = THREAD);
	for (uint32_t i = 0; i < 2; i++)
		BUILD_EVENT(b, transfer, .target = TARGET,
			    .header.time_ns = START_NS + (510 + 20 * i) * US + 300,
			    .transfer = i + 1, .width = 8192, .height = 1, .depth = 1,
			    .kind = CT_TRANSFER_COPY, .thread = THREAD);
	ct_writer_rows(b->writer, CT_TABLE_CONTENT, contents, 2, NULL);
}

Test(ffm_problems, of_each_call)
{
	static const uint8_t problems[] = {[1] = CT_FFM_UNNECESSARY,
					   [5] = CT_FFM_MISPLACED,
					   [7] = CT_FFM_UNNECESSARY | CT_FFM_CALL,
					   [13] = CT_FFM_TRANSFER,
					   [18] = CT_FFM_UNNECESSARY};
	char *directory = fixture_directory(), why[512];
	struct build *b = build_part(directory, NULL);
	struct ct_ffm_judgement judgement[sizeof(problems)];
	struct ct_ffm_found found[COPIES];
	struct ct_ffm_verdicts verdicts;
	struct ct_ffm_program program;
	struct ct_ffm_memory memory;
	struct ct_trace *trace;

	add_calls(b);
	add_uses(b);
	add_contents(b);
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_ffm_program_init(&program, trace, 0), 0);
	cr_assert_eq(program.graph.steps, sizeof(problems));
	cr_assert_eq(ct_ffm_memory_init(&memory, &program, trace, 0), 0);
	cr_assert_leq(memory.copies, COPIES);
	cr_assert_eq(ct_ffm_find_copies(&memory, found), 0);
	cr_assert_eq(ct_ffm_judge(&program, &memory, found, trace, 0, judgement, &verdicts), 0);
	ct_ffm_charge(&program, trace, 0, judgement, FAR, &verdicts);
	for (size_t s = 0; s < sizeof(problems); s++)
		cr_expect_eq(program.graph.step[s].problem, problems[s], "step %zu: %u", s,
			     program.graph.step[s].problem);
	/* The problem of the call that did not wait. */
	for (size_t s = 0; s < sizeof(problems); s++)
		cr_expect_eq(program.graph.step[s].latent, s == 10 ? CT_FFM_UNNECESSARY : 0,
			     "step %zu", s);
	cr_expect_eq(program.graph.step[5].first_use_ns, 100 * US);
	cr_expect(verdicts.has_uses && verdicts.has_contents);
	cr_expect_eq(verdicts.unnecessary, 3);
	cr_expect_eq(verdicts.misplaced, 1);
	cr_expect_eq(verdicts.needed, 1);
	cr_expect_eq(verdicts.unknown, 2);
	cr_expect_eq(verdicts.copies, 2);
	cr_expect_eq(verdicts.repeated, 1);
	ct_ffm_memory_fini(&memory);
	ct_ffm_program_fini(&program);
	ct_trace_close(trace);
	fixture_remove(directory);
}

/* Waits of stack 1, each followed by a call 3 us later; the run that watched took 300. */
Test(ffm_problems, a_use_is_no_farther_than_an_undisturbed_run_allows)
{
	enum { STEPS = 8 };
	struct ct_row_call calls[STEPS];
	uint32_t numbers[STEPS];
	struct ct_ffm_step steps[STEPS];
	struct ct_ffm_gap gap[STEPS];
	struct ct_ffm_judgement judgement[STEPS] = {{.need = CT_FFM_NOT_WATCHED}};
	struct ct_ffm_program program = {
	    .graph = {.step = steps, .steps = STEPS}, .call = numbers, .calls = calls};

	for (uint32_t s = 0; s < STEPS; s++) {
		calls[s] = (struct ct_row_call){.stack = 1 + s % 2};
		numbers[s] = s;
		gap[s] = (struct ct_ffm_gap){.next = CT_FFM_NONE};
		steps[s] = (struct ct_ffm_step){.begin_ns = s * 500 * US,
						.work_ns = s % 2 ? 3 * US : 0,
						.wait_ns = s % 2 ? 0 : 400 * US};
		if (s % 2 == 0)
			judgement[s] = (struct ct_ffm_judgement){.need = CT_FFM_NEEDED,
								 .first_use_ns = 300 * US,
								 .use = 7,
								 .is_soon = true};
	}
	judgement[2].is_soon = false; /* the same use, once behind the next call */
	judgement[4].use = 8;         /* another one, always */
	judgement[4].is_soon = false;
	cr_assert_eq(ct_ffm_finish_distances(&program, NULL, 0, gap, FAR, judgement), 0);
	cr_expect_eq(judgement[0].first_use_ns, 3 * US);
	cr_expect_eq(judgement[2].first_use_ns, 3 * US, "what is usual of the pair");
	cr_expect_eq(judgement[4].first_use_ns, 300 * US);
	cr_expect_eq(judgement[6].first_use_ns, 3 * US);
	cr_expect(ct_ffm_is_far(&judgement[4], FAR));
	judgement[4].is_others = true;
	cr_expect_not(ct_ffm_is_far(&judgement[4], FAR), "waking a thread takes as long");
}

/* Eight waits of one place for one use, `soon` of them followed by it after 5 us, the others after
 * 300. Returns how far the last one's is. */
static uint64_t far_of(uint32_t soon)
{
	enum { WAITS = 8 };
	struct ct_row_call calls[WAITS];
	uint32_t numbers[WAITS];
	struct ct_ffm_step steps[WAITS];
	struct ct_ffm_gap gap[WAITS];
	struct ct_ffm_judgement judgement[WAITS];
	struct ct_ffm_program program = {
	    .graph = {.step = steps, .steps = WAITS}, .call = numbers, .calls = calls};

	for (uint32_t s = 0; s < WAITS; s++) {
		calls[s] = (struct ct_row_call){.stack = 1};
		numbers[s] = s;
		gap[s] = (struct ct_ffm_gap){.next = CT_FFM_NONE};
		steps[s] = (struct ct_ffm_step){.begin_ns = s * 500 * US, .wait_ns = 100 * US};
		judgement[s] = (struct ct_ffm_judgement){
		    .need = CT_FFM_NEEDED, .first_use_ns = (s < soon ? 5 : 300) * US, .use = 7};
	}
	cr_assert_eq(ct_ffm_finish_distances(&program, NULL, 0, gap, FAR, judgement), 0);
	return judgement[WAITS - 1].first_use_ns;
}

/* Whatever else the machine does makes distances longer, and never shorter. */
Test(ffm_problems, a_use_is_as_far_as_the_least_disturbed_quarter)
{
	cr_expect_eq(far_of(0), 300 * US);
	cr_expect_eq(far_of(2), 300 * US, "less than a quarter may be by chance");
	cr_expect_eq(far_of(3), 5 * US, "most are disturbed");
	cr_expect_eq(far_of(7), 5 * US);
}

/* A copy that waits by itself 100 us, and `work` later the wait that is needed, which waits `more`;
 * its use is `late`. */
static void join(struct ct_trace *trace, struct ct_row_call *calls, uint64_t work, uint64_t more,
		 uint64_t late, struct ct_ffm_step *steps, struct ct_ffm_judgement *judgement)
{
	uint32_t numbers[2] = {0, 1};
	struct ct_ffm_gap gap[2] = {{.next = 1}, {.next = CT_FFM_NONE}};
	struct ct_ffm_program program = {
	    .graph = {.step = steps, .steps = 2}, .call = numbers, .calls = calls};

	steps[0] = (struct ct_ffm_step){.wait_ns = 100 * US};
	steps[1] = (struct ct_ffm_step){
	    .begin_ns = 100 * US, .work_ns = work, .launch_ns = US, .wait_ns = more};
	judgement[0] = (struct ct_ffm_judgement){.need = CT_FFM_NOT_NEEDED};
	judgement[1] =
	    (struct ct_ffm_judgement){.need = CT_FFM_NEEDED, .first_use_ns = late, .use = 7};
	cr_assert_eq(ct_ffm_finish_distances(&program, trace, 0, gap, FAR, judgement), 0);
}

Test(ffm_problems, a_copy_before_its_wait_is_as_far_as_that)
{
	static const uint64_t lates[] = {0, FAR - 1, 300 * US};
	char *directory = fixture_directory(), why[512];
	struct build *b = build_part(directory, NULL);
	struct ct_row_call calls[2] = {call(b, 1, "cudaMemcpyAsync", 0, 100, 0),
				       call(b, 2, "cudaStreamSynchronize", 101, 102, 0)};
	struct ct_ffm_judgement judgement[2];
	struct ct_ffm_step steps[2];
	struct ct_trace *trace;

	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	for (unsigned i = 0; i < 6; i++) {
		uint64_t late = lates[i / 2], more = i % 2 * 10 * US;

		join(trace, calls, 40 * US, more, late, steps, judgement);
		cr_expect_eq(judgement[0].need, CT_FFM_NEEDED, "%lu: together they wait", late);
		cr_expect_eq(judgement[0].first_use_ns, late + 41 * US);
		cr_expect_eq(steps[0].taker, 2, "the wait goes along");
	}
	join(trace, calls, 200 * US, 0, 0, steps, judgement);
	cr_expect_eq(judgement[0].need, CT_FFM_NOT_NEEDED, "the second alone would do");
	join(trace, calls, 200 * US, 10 * US, 300 * US, steps, judgement);
	cr_expect_eq(judgement[0].need, CT_FFM_NOT_NEEDED, "the second has a wait of its own");
	join(trace, calls, 200 * US, 0, 300 * US, steps, judgement);
	cr_expect_eq(judgement[0].need, CT_FFM_NEEDED);
	ct_trace_close(trace);
	fixture_remove(directory);
}
