/* SPDX-License-Identifier: Apache-2.0 */
/* Runs before and after their problems were fixed, by hand. */
#include "postproc/analysis/ffm/compare.h"
#include "tests/unit/postproc/ffm_story.h"

enum { LAUNCH = 1, SYNC, OTHER_SYNC, COPY };

/* How a run goes: a kernel of so many us, waited for or not, then 100 us of work; the same again
 * with a wait of another site; launches more at the end. */
struct plan {
	bool waits_first, waits_then;
	uint64_t kernel_us;
	uint32_t launches, copies;
	const char *command;
};

static uint64_t launch(struct story *story, uint32_t number, uint64_t at, uint64_t us)
{
	story_call(story, "cudaLaunchKernel", LAUNCH, at, at + 2,
		   (struct ct_row_call){.correlation = number});
	story_work(story, CT_ACTIVITY_KERNEL, number, 0, at + 2, at + 2 + us);
	return at + 2;
}

/* Its kernel ends at `until`. Returns when the thread goes on. */
static uint64_t wait_for(struct story *story, uint32_t id, uint32_t stack, uint64_t at,
			 uint64_t until)
{
	story_call(story, "cudaDeviceSynchronize", stack, at, until,
		   (struct ct_row_call){.id = id});
	story_wait(story, id, until, 0, 0);
	return until;
}

static void begin(struct story *story, const struct plan *plan)
{
	uint64_t at = 0, kernel = plan->kernel_us;

	story_begin(story);
	BUILD_EVENT(story->b, process, .pid = 1, .program = build_string(story->b, plan->command));
	at = launch(story, 1, at, kernel);
	if (plan->waits_first)
		at = wait_for(story, 1, SYNC, at, at + kernel);
	at += 100;
	at = launch(story, 2, at, kernel);
	if (plan->waits_then)
		at = wait_for(story, 2, OTHER_SYNC, at, at + kernel);
	at += 100;
	for (uint32_t i = 0; i < plan->copies; i++, at += 2)
		story_call(story, "cudaMemcpyAsync", COPY, at, at + 1,
			   (struct ct_row_call){.id = 0});
	for (uint32_t i = 0; i < plan->launches; i++)
		at = launch(story, 3 + i, at, 1) + 10;
	story_call(story, "cudaLaunchKernel", LAUNCH, at, at + 1, (struct ct_row_call){.id = 0});
	story_study(story);
}

struct pair {
	struct story before, after;
	struct ct_ffm_comparison comparison;
};

static void compare(struct pair *pair, const struct plan *before, const struct plan *after)
{
	begin(&pair->before, before);
	begin(&pair->after, after);
	cr_assert_eq(ct_ffm_compare(&pair->comparison, &pair->before.study, &pair->after.study), 0);
}

static void end(struct pair *pair)
{
	ct_ffm_comparison_fini(&pair->comparison);
	story_end(&pair->before);
	story_end(&pair->after);
}

static const struct plan original = {true, true, 50, 0, 0, "/before/app -n 3"};

/* Without the first wait of 50 us: 100 us of work behind it take it all up. */
Test(ffm_compare, what_is_gone_has_saved_what_was_predicted)
{
	const struct plan repaired = {false, true, 50, 0, 0, "/after/app2 -n 3"};
	const struct ct_ffm_comparison *comparison;
	struct pair pair;

	compare(&pair, &original, &repaired);
	comparison = &pair.comparison;
	cr_assert_eq(comparison->entries, 2);
	cr_expect_eq(comparison->gone, 1);
	cr_expect_eq(comparison->remaining, 1);
	cr_assert_not_null(comparison->entry[0].before);
	cr_expect_null(comparison->entry[0].after);
	cr_expect_eq(comparison->entry[1].after->site.count, 1);
	cr_expect_eq(comparison->predicted_ns, 50000);
	cr_expect_eq(comparison->replayed_ns, 50000);
	cr_expect_eq(comparison->saved_ns, 50000);
	cr_expect_eq(comparison->doubts, 0, "%u", comparison->doubts);
	cr_expect_str_eq(comparison->call[0].call, "cudaDeviceSynchronize");
	cr_expect_eq(comparison->call[0].count[0], 2);
	cr_expect_eq(comparison->call[0].count[1], 1);
	cr_expect_eq(comparison->call[0].predicted_ns, 50000);
	end(&pair);
}

Test(ffm_compare, the_other_way_round_it_is_new)
{
	const struct plan repaired = {true, false, 50, 0, 0, "/after/app2 -n 3"};
	struct pair pair;

	compare(&pair, &repaired, &original);
	cr_assert_eq(pair.comparison.entries, 2);
	cr_expect_eq(pair.comparison.gone, 0);
	cr_expect_null(pair.comparison.entry[1].before);
	cr_expect_eq(pair.comparison.saved_ns, -50000);
	end(&pair);
}

static unsigned doubts_of(const struct plan *after)
{
	struct pair pair;
	unsigned doubts;

	compare(&pair, &original, after);
	doubts = pair.comparison.doubts;
	end(&pair);
	return doubts;
}

Test(ffm_compare, other_runs_are_doubtful)
{
	const struct plan same = original;
	const struct plan command = {false, true, 50, 0, 0, "/before/app -n 4"};
	const struct plan launches = {false, true, 50, 1, 0, "app -n 3"};
	const struct plan kernels = {false, true, 20, 0, 0, "app -n 3"};
	const struct plan copies = {false, true, 50, 0, 1, "app -n 3"};

	cr_expect_eq(doubts_of(&same), CT_FFM_SMALL);
	cr_expect_eq(doubts_of(&command), CT_FFM_OTHER_COMMAND);
	cr_expect(doubts_of(&launches) & CT_FFM_OTHER_LAUNCHES);
	cr_expect_eq(doubts_of(&kernels), CT_FFM_OTHER_KERNELS);
	cr_expect_eq(doubts_of(&copies), CT_FFM_OTHER_CALLS);
}

/* A wait that was needed is gone, too: nothing that is fixed explains that. */
Test(ffm_compare, calls_that_nothing_explains_are_doubtful)
{
	struct story before, after;
	struct ct_ffm_comparison comparison;

	story_begin(&before);
	launch(&before, 1, 0, 50);
	story_call(&before, "cudaDeviceSynchronize", SYNC, 2, 52, (struct ct_row_call){.id = 1});
	story_wait(&before, 1, 52, 53, LAUNCH);
	story_study(&before);
	story_begin(&after);
	launch(&after, 1, 0, 50);
	story_wait(&after, 1, 52, 53, LAUNCH);
	story_study(&after);
	cr_assert_eq(ct_ffm_compare(&comparison, &before.study, &after.study), 0);
	cr_expect_eq(comparison.doubts, CT_FFM_OTHER_CALLS);
	ct_ffm_comparison_fini(&comparison);
	story_end(&before);
	story_end(&after);
}

/* The same copies, asynchronous now, are no other ones. */
Test(ffm_compare, calls_that_need_not_wait_stand_for_others)
{
	struct ct_ffm_comparison comparison;
	struct story story[2];

	for (uint32_t i = 0; i < 2; i++) {
		story_begin(&story[i]);
		launch(&story[i], 1, 0, 50);
		story_wait(&story[i], 9, 52, 0, 0);
		story_call(&story[i], i ? "cudaMemcpyAsync" : "cudaMemcpy", COPY, 60, 70,
			   (struct ct_row_call){.id = 0});
		story_call(&story[i], "cudaLaunchKernel", LAUNCH, i ? 80 : 100, i ? 81 : 101,
			   (struct ct_row_call){.id = 0});
		story_study(&story[i]);
	}
	cr_assert_eq(ct_ffm_compare(&comparison, &story[0].study, &story[1].study), 0);
	cr_expect_eq(comparison.doubts, 0, "%u", comparison.doubts);
	ct_ffm_comparison_fini(&comparison);
	for (uint32_t i = 0; i < 2; i++)
		story_end(&story[i]);
}
