/* SPDX-License-Identifier: Apache-2.0 */
/* Studies of one to three runs, against what is worked out by hand in trace_ffm.c and here. */
#include "postproc/analysis/ffm/kinds.h"
#include "tests/unit/trace/trace_ffm.h"
#include "tests/unit/trace/trace_fixture.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define US 1000u
#define RUNS 3u

static char *directory[RUNS];
static struct ct_trace *trace[RUNS];
static struct ct_ffm_study study;

static void open_run(unsigned number, enum ffm_run run, uint32_t processes)
{
	char why[512];

	directory[number] = fixture_directory();
	cr_assert_eq(ffm_make(directory[number], run, processes), 0);
	cr_assert_eq(ct_trace_open(&trace[number], directory[number], why, sizeof(why)), 0, "%s",
		     why);
}

static void open_study(void)
{
	const struct ct_ffm_options options = {.far_ns = CT_FFM_FAR_NS};

	cr_assert_eq(ct_ffm_study_init(&study, trace[0], trace[1], trace[2], &options), 0);
}

static void end(void)
{
	ct_ffm_study_fini(&study);
	for (unsigned i = 0; i < RUNS; i++) {
		if (!directory[i])
			continue;
		ct_trace_close(trace[i]);
		fixture_remove(directory[i]);
	}
}

/* In microseconds. */
struct expected {
	enum ct_ffm_kind kind;
	const char *call, *frame;
	uint64_t count, occurrences;
	uint64_t call_us, wait_us, benefit_us;
	int64_t replay_us;
	uint64_t first_use_us;
};

/* Figure 5.1: cudaFree waits 58, of which the 50 until the next wait are saved, and its other 2;
 * the synchronisation waits 92, of which the 26 until cudaFree waits; the misplaced one all 38; the
 * copies the 4 of their calls beside waiting.
 *
 * Replayed: without cudaFree the third kernel begins behind the second, 48 sooner; without the
 * synchronisation the second one does, 22 sooner, and all behind it; copies and their waits take
 * 10. */
static const struct expected problems[] = {
    {CT_FFM_UNNECESSARY_WAIT, "cudaFree", "solver+0x2030", 3, 3, 180, 174, 156, 144, 0},
    {CT_FFM_UNNECESSARY_WAIT, "cudaDeviceSynchronize", "solver+0x2020", 3, 3, 276, 276, 78, 66, 0},
    {CT_FFM_MISPLACED_WAIT, "cudaDeviceSynchronize", "solver+0x1050", 1, 1, 40, 38, 38, 38, 80},
    {CT_FFM_REPEATED_COPY, "cudaMemcpy", "solver+0x1010", 2, 3, 20, 12, 8, 20, 0},
};

static void expect_entry(const struct ct_ffm_entry *entry, const struct expected *expected)
{
	const struct ct_code_frame *frame = ct_ffm_study_frame(&study, entry->site.stack);

	cr_expect_eq(entry->kind, expected->kind);
	cr_expect_str_eq(entry->site.call, expected->call);
	cr_assert_not_null(frame);
	cr_expect_str_eq(frame->function, expected->frame);
	cr_expect_eq(entry->site.count, expected->count);
	cr_expect_eq(entry->occurrences, expected->occurrences);
	cr_expect_eq(entry->call_ns, expected->call_us * US, "%s: in calls %lu", expected->frame,
		     (unsigned long)entry->call_ns);
	cr_expect_eq(entry->wait_ns, expected->wait_us * US, "%s: waits %lu", expected->frame,
		     (unsigned long)entry->wait_ns);
	cr_expect_eq(entry->expected_ns, expected->benefit_us * US, "%s: benefit %lu",
		     expected->frame, (unsigned long)entry->expected_ns);
	cr_expect(entry->is_replayed);
	cr_expect_eq(entry->replayed_ns, expected->replay_us * US, "%s: replayed %ld",
		     expected->frame, (long)entry->replayed_ns);
	cr_expect_eq(entry->first_use_ns, expected->first_use_us * US);
}

static void expect_problems(const struct expected *expected, size_t count)
{
	cr_assert_eq(study.entries, count, "%zu problems", study.entries);
	for (size_t i = 0; i < count; i++)
		expect_entry(&study.entry[i], &expected[i]);
}

Test(ffm_study, three_runs_of_different_speed, .fini = end)
{
	struct ct_ffm_stage stage[CT_FFM_STAGES];

	open_run(0, FFM_CALLS, 1);
	open_run(1, FFM_USES, 1);
	open_run(2, FFM_FIRST_USES, 1);
	open_study();
	/* Until the first use of what the last call waited for. */
	cr_expect_eq(study.run_ns, (800 + 354 + 80) * US);
	expect_problems(problems, 4);
	cr_expect_eq(study.expected_ns, (156 + 78 + 38 + 8) * US);
	cr_expect_eq(study.verdicts.unnecessary, 6);
	cr_expect_eq(study.verdicts.needed, 3);
	cr_expect_eq(study.verdicts.misplaced, 1);
	cr_expect_eq(study.verdicts.repeated, 2);
	ct_ffm_study_stages(&study, stage);
	for (unsigned i = 0; i < CT_FFM_STAGES; i++) {
		cr_expect_eq(stage[i].calls, 23);
		cr_expect_eq(stage[i].matched, 23);
	}
	/* The call more is the other run's. */
	cr_expect_eq(study.process[0].matched_uses.other_alone, 1);
	cr_expect_str_eq(stage[CT_FFM_STAGE_USES].differs.call, "cudaLaunchKernel");
	cr_expect_null(stage[CT_FFM_STAGE_FIRST_USES].differs.call);
}

Test(ffm_study, a_profile_beside_it, .fini = end)
{
	static const struct {
		const char *call;
		uint64_t count, call_us, wait_us, benefit_us;
	} expected[] = {
	    {"cudaDeviceSynchronize", 4, 316, 314, 116}, {"cudaFree", 3, 180, 174, 156},
	    {"cudaStreamSynchronize", 3, 150, 144, 0},   {"cudaMemcpy", 3, 30, 18, 8},
	    {"cudaLaunchKernel", 10, 20, 0, 0},
	};

	open_run(0, FFM_ALL, 1);
	trace[1] = trace[2] = trace[0];
	open_study();
	cr_assert_eq(study.profiled, 5);
	for (size_t i = 0; i < 5; i++) {
		cr_expect_str_eq(study.profile[i].call, expected[i].call);
		cr_expect_eq(study.profile[i].count, expected[i].count);
		cr_expect_eq(study.profile[i].call_ns, expected[i].call_us * US);
		cr_expect_eq(study.profile[i].wait_ns, expected[i].wait_us * US);
		cr_expect_eq(study.profile[i].expected_ns, expected[i].benefit_us * US, "%s",
			     expected[i].call);
	}
}

/* The same figures; the first use is that of the run itself. */
Test(ffm_study, one_run_with_everything_on, .fini = end)
{
	struct expected expected[4];

	for (size_t i = 0; i < 4; i++)
		expected[i] = problems[i];
	expected[2].first_use_us = 60;
	open_run(0, FFM_ALL, 1);
	trace[1] = trace[2] = trace[0];
	open_study();
	cr_expect_eq(study.run_ns, (800 + 354 + 60) * US);
	expect_problems(expected, 4);
}

/* Nothing is known of what the other run did not do. */
Test(ffm_study, a_run_that_branched, .fini = end)
{
	struct ct_ffm_stage stage[CT_FFM_STAGES];

	open_run(0, FFM_CALLS, 1);
	open_run(1, FFM_BRANCHED, 1);
	open_study();
	cr_assert_eq(study.entries, 3);
	for (size_t i = 0; i < 3; i++)
		cr_expect_neq(study.entry[i].kind, CT_FFM_MISPLACED_WAIT);
	ct_ffm_study_stages(&study, stage);
	cr_expect_eq(stage[CT_FFM_STAGE_USES].calls, 23);
	cr_expect_eq(stage[CT_FFM_STAGE_USES].matched, 21);
	cr_expect_null(stage[CT_FFM_STAGE_FIRST_USES].trace);
}

/* Counts are sums, times those of rank 0; ranks find each other whatever their parts. */
Test(ffm_study, ranks, .fini = end)
{
	struct expected expected[4];
	const uint64_t counts[4][2] = {{5, 5}, {5, 5}, {1, 1}, {3, 5}};

	for (size_t i = 0; i < 4; i++) {
		expected[i] = problems[i];
		expected[i].count = counts[i][0];
		expected[i].occurrences = counts[i][1];
	}
	open_run(0, FFM_CALLS, 2);
	open_run(1, FFM_USES, 2);
	open_run(2, FFM_FIRST_USES, 2);
	open_study();
	cr_assert_eq(study.processes, 2);
	cr_expect_eq(study.run_ns, (800 + 354 + 80) * US);
	expect_problems(expected, 4);
	cr_expect_eq(study.entry[0].processes, 2);
	cr_expect_eq(study.entry[2].processes, 1);
	cr_expect_eq(study.process[1].matched_uses.both, 14);
}

/* Frames from the call to main, and entries of steps. */
Test(ffm_study, stacks_and_steps, .fini = end)
{
	const struct ct_code_frame *frame[4];
	uint64_t steps[4] = {0};

	open_run(0, FFM_CALLS, 1);
	open_run(1, FFM_USES, 1);
	open_study();
	cr_assert_eq(ct_ffm_study_frames(&study, study.entry[0].site.stack, frame, 4), 2);
	cr_expect_str_eq(frame[0]->function, "solver+0x2030");
	cr_expect_str_eq(frame[1]->function, "solver+0x1020");
	cr_expect_eq(ct_ffm_study_offset(&study, study.entry[0].site.stack), 0x2030);
	for (uint32_t s = 0; s < study.process[0].program.graph.steps; s++) {
		const struct ct_ffm_entry *entry =
		    ct_ffm_study_entry_of(&study, &study.process[0], s);

		if (entry)
			steps[entry - study.entry]++;
	}
	for (size_t i = 0; i < 4; i++)
		cr_expect_eq(steps[i], study.entry[i].site.count);
}
