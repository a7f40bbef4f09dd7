/* SPDX-License-Identifier: Apache-2.0 */
/* Time that the device idles because of the thread that launches, in runs made by hand, each beside
 * one that looks like it and is innocent. */
#include "tests/unit/postproc/ffm_story.h"

/* Call sites. */
enum { LAUNCH = 2, SYNC = 4, OTHER_LAUNCH = 7 };

/* Ten rounds of two kernels of 2 us, each asked for by a call of 5 us (that the thread computes for
 * so long before), of which the second begins with the first of the next round; waits: for each
 * round, behind it. The device idles 5 us before each of them. */
static void launch_rounds_on(struct story *story, const char *device, uint64_t host_us, bool waits,
			     bool is_cpu)
{
	uint64_t at = 10;

	story_begin(story);
	BUILD_EVENT(story->b, device, .name = build_string(story->b, device), .arch = 90,
		    .is_cpu_target = is_cpu);
	for (uint32_t i = 0; i < 20; i++) {
		at += host_us;
		story_call(story, "cudaLaunchKernel", i % 2 ? OTHER_LAUNCH : LAUNCH, at, at + 5,
			   (struct ct_row_call){.correlation = i + 1});
		story_work(story, CT_ACTIVITY_KERNEL, i + 1, 0, at + 5, at + 7);
		at += 7;
		if (waits)
			story_call(story, "cudaDeviceSynchronize", SYNC, at - 2, at,
				   (struct ct_row_call){.id = i + 1});
	}
	story_study(story);
}

static void launch_rounds(struct story *story, uint64_t host_us, bool waits, bool is_cpu)
{
	launch_rounds_on(story, "Demo device", host_us, waits, is_cpu);
}

/* Ten rounds: a kernel is asked for, the thread computes for 200 us, and copies what it has made,
 * which takes the device 1 us. */
static void compute_between(struct story *story)
{
	uint64_t at = 10;

	story_begin(story);
	BUILD_EVENT(story->b, device, .arch = 90);
	for (uint32_t i = 0; i < 20; i += 2) {
		story_call(story, "cudaLaunchKernel", LAUNCH, at, at + 5,
			   (struct ct_row_call){.correlation = i + 1});
		story_work(story, CT_ACTIVITY_KERNEL, i + 1, 0, at + 2, at + 5);
		at += 205;
		story_call(story, "cudaMemcpy", SYNC, at, at + 5,
			   (struct ct_row_call){.id = i + 1, .correlation = i + 2});
		story_work(story, CT_ACTIVITY_COPY, i + 2, 0, at + 2, at + 3);
		at += 5;
	}
	story_study(story);
}

/* Before all but the first the device idles as long as the call takes: 3 us of it would stay. */
Test(ffm_idle, launches_longer_than_their_work_become_a_graph)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	launch_rounds(&story, 0, false, false);
	entry = story_entry(&story, CT_FFM_LAUNCH_BOUND);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->site.count, 19);
	cr_expect_eq(entry->expected_ns, 19 * 2000);
	cr_expect(entry->is_replayed && entry->replayed_ns == 19 * 2000);
	cr_expect_eq(entry->site.stack,
		     ct_ffm_study_node(&story.study, story.trace, 0, OTHER_LAUNCH),
		     "ten of them are there");
	cr_expect_eq(story_related(&story, entry, CT_FFM_LAUNCHED, "cudaLaunchKernel", LAUNCH), 9);
	cr_expect(story_says(entry->remedy.fix, "launches at app+0x70, with cudaLaunchKernel at "
						"app+0x20, as a CUDA graph"),
		  "%s", entry->remedy.fix);
	cr_expect(story_says(entry->remedy.condition, "19 times the device idled 5 us in the mean "
						      "before work that took 2 us"),
		  "%s", entry->remedy.condition);
	cr_expect_null(story_entry(&story, CT_FFM_HOST_BOUND));
	story_end(&story);

	/* A launch takes 3.3389 us there (shipped.def): 1661 ns of each call are recording, and 900
	 * stay. */
	launch_rounds_on(&story, "NVIDIA H200", 0, false, false);
	entry = story_entry(&story, CT_FFM_LAUNCH_BOUND);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->expected_ns, 19 * (5000 - 1661 - 900));
	story_end(&story);

	launch_rounds(&story, 0, true, false);
	cr_expect_null(story_entry(&story, CT_FFM_LAUNCH_BOUND), "each is waited for");
	story_end(&story);
	launch_rounds(&story, 0, false, true);
	cr_expect_null(story_entry(&story, CT_FFM_LAUNCH_BOUND), "its times are those of a CPU");
	story_end(&story);
}

/* It waits for each work and then computes for 20 us: what the device does, 2 us, could be done
 * meanwhile. Where it does not wait, or waits behind the computation, that is so already. */
Test(ffm_idle, a_thread_that_computes_keeps_the_device_waiting)
{
	const struct ct_ffm_entry *entry;
	struct story story;
	uint64_t expected_ns = 0;
	uint32_t sites = 0;

	launch_rounds(&story, 20, false, false);
	cr_expect_null(story_entry(&story, CT_FFM_HOST_BOUND),
		       "the device works while it computes");
	story_end(&story);
	compute_between(&story);
	cr_expect_null(story_entry(&story, CT_FFM_HOST_BOUND),
		       "it computes between launch and wait");
	story_end(&story);

	launch_rounds(&story, 20, true, false);
	cr_expect_null(story_entry(&story, CT_FFM_LAUNCH_BOUND));
	for (size_t i = 0; i < story.study.entries; i++) {
		entry = &story.study.entry[i];
		if (entry->kind != CT_FFM_HOST_BOUND)
			continue;
		sites++;
		cr_expect(!entry->is_replayed);
		cr_expect_eq(entry->facts.host_ns, entry->site.count * 20000);
		expected_ns += entry->expected_ns;
		cr_expect(story_says(entry->remedy.fix, "Let the device work while the host"));
	}
	cr_expect_eq(sites, 2, "of each of both sites");
	cr_expect_eq(expected_ns, 19 * 2000);
	story_end(&story);
}
