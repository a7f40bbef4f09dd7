/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of pinning is taken from what it brings. */
#include "tests/unit/postproc/ffm_story.h"

#define X 0x7f0000000000ull
#define HOST 0x550000000000ull
#define BYTES 65536u

/* Call sites. */
enum { MALLOC = 1, LAUNCH, FREE, COPY, USE };

/* A copy to pageable memory waits 800 us for a kernel, and is used so long after it; pinned_us: how
 * long the run has taken to pin as many bytes, 0: it pins none. */
static const struct ct_ffm_entry *late_copy(struct story *story, uint64_t pinned_us,
					    uint64_t used_us)
{
	story_begin(story);
	story_call(story, "cudaMalloc", MALLOC, 0, 1, (struct ct_row_call){.bytes = BYTES});
	BUILD_EVENT(story->b, alloc, STORY_AT(1), .address = X, .bytes = BYTES, .object = 1,
		    .kind = CT_OBJECT_DEVICE);
	if (pinned_us) {
		story_call(story, "cudaHostAlloc", MALLOC, 2, 2 + pinned_us,
			   (struct ct_row_call){.bytes = BYTES});
		BUILD_EVENT(story->b, alloc, STORY_AT(2 + pinned_us), .address = HOST + 16 * BYTES,
			    .bytes = BYTES, .object = 2, .kind = CT_OBJECT_HOST);
	}
	story_call(story, "cudaLaunchKernel", LAUNCH, 200, 202,
		   (struct ct_row_call){.correlation = 1, .launch = 1});
	BUILD_LAUNCH(story->b, STORY_AT(202), .thread = STORY_THREAD,
		     .kernel_name = build_string(story->b, "k"),
		     .reason = build_string(story->b, "calls only"));
	story_work(story, CT_ACTIVITY_KERNEL, 1, 0, 202, 1000);
	story_call(story, "cudaMemcpy", COPY, 200, 1000,
		   (struct ct_row_call){
		       .correlation = 101, .bytes = BYTES, .id = 1, .copy = CT_COPY_TO_HOST});
	story_work(story, CT_ACTIVITY_COPY, 101, 0, 999, 1000);
	story_wait(story, 1, 1000, 1000 + used_us, USE);
	BUILD_EVENT(story->b, transfer, STORY_AT(1000), .transfer = 1, .target = HOST, .source = X,
		    .width = BYTES, .height = 1, .depth = 1, .kind = CT_TRANSFER_COPY,
		    .thread = STORY_THREAD);
	story_call(story, "cudaFree", FREE, 2000, 2001, (struct ct_row_call){.id = 2});
	story_study(story);
	return story_entry(story, CT_FFM_MISPLACED_WAIT);
}

Test(ffm_pinning, its_time_is_taken_from_what_it_brings)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	entry = late_copy(&story, 0, 500);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->expected_ns, 500000 - 20000 - BYTES, "by 1 GB/s: %llu",
		     (unsigned long long)entry->expected_ns);
	cr_expect(story_says(entry->remedy.condition, "takes about 0.0855 ms"), "%s",
		  entry->remedy.condition);
	cr_expect_eq(ct_ffm_study_large(&story.study), 1);
	story_end(&story);

	entry = late_copy(&story, 10, 500);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->expected_ns, 500000 - 20000 - 10000, "as fast as the run did: %llu",
		     (unsigned long long)entry->expected_ns);
	story_end(&story);

	entry = late_copy(&story, 0, 80);
	cr_assert_not_null(entry);
	cr_expect_eq(ct_ffm_entry_worth(entry), 0, "it does not pay");
	cr_expect_eq(ct_ffm_study_large(&story.study), 0, "so it is not reported");
	story_end(&story);
}
