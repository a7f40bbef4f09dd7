/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what detectors find in runs made by hand, what it is worth, and what is to be done; each
 * beside a run that looks like it and is innocent. */
#include "tests/unit/postproc/ffm_story.h"

#define X 0x7f0000000000ull
#define Y 0x7f0000100000ull
#define HOST 0x550000000000ull
#define BYTES 65536u

/* Call sites. */
enum { MALLOC = 1, LAUNCH, FREE, SYNC, COPY, OTHER_COPY, OTHER_LAUNCH, USE };

static void allocate(struct story *story, const char *call, uint64_t from, uint64_t to,
		     uint32_t object, uint64_t address)
{
	story_call(story, call, MALLOC, from, to, (struct ct_row_call){.bytes = BYTES});
	BUILD_EVENT(story->b, alloc, STORY_AT(to), .address = address, .bytes = BYTES,
		    .object = object, .kind = CT_OBJECT_DEVICE,
		    .site = build_descriptor(story->b, "A|a.cu|3|2|main|tmp|n * 4"));
}

static void release(struct story *story, const char *call, uint64_t from, uint64_t to, uint32_t id,
		    uint32_t object, uint64_t address)
{
	BUILD_EVENT(story->b, free, STORY_AT(from), .address = address, .object = object);
	story_call(story, call, FREE, from, to, (struct ct_row_call){.id = id});
}

/* Four times 100 us: allocate in 10, launch a kernel that ends at 80, free until 80 or (then in
 * 10 us) behind it. */
static void loop(struct story *story, const char *malloc, const char *free, bool waits)
{
	for (uint32_t i = 0; i < 4; i++) {
		uint64_t at = i * 100;

		allocate(story, malloc, at, at + 10, i + 1, X);
		story_call(story, "cudaLaunchKernel", LAUNCH, at + 20, at + 22,
			   (struct ct_row_call){.correlation = i + 1});
		story_work(story, CT_ACTIVITY_KERNEL, i + 1, 0, at + 22, at + 80);
		release(story, free, at + (waits ? 30 : 81), at + (waits ? 82 : 91), i + 1, i + 1,
			X);
		story_wait(story, i + 1, at + (waits ? 82 : 91), 0, 0);
	}
}

/* Its wait is 50 of 52 us. */
Test(ffm_detect, allocations_belong_to_the_wait_of_their_free)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	story_begin(&story);
	loop(&story, "cudaMalloc", "cudaFree", true);
	story_study(&story);
	entry = story_entry(&story, CT_FFM_UNNECESSARY_WAIT);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->site.count, 4);
	cr_expect_eq(entry->wait_ns, 200000);
	cr_expect_eq(story_related(&story, entry, CT_FFM_ALLOCATED, "cudaMalloc", MALLOC), 4);
	cr_expect_eq(story_related(&story, entry, CT_FFM_PRODUCED, "cudaLaunchKernel", LAUNCH), 4);
	cr_expect_eq(entry->facts.again, 3);
	cr_expect_eq(entry->facts.dropped_ns, 30000, "three of four allocations of 10 us");
	cr_expect_eq(entry->replayed_ns, 4 * 52000, "the frees alone");
	cr_expect_eq(story.study.replayed_ns, 4 * 52000 + 30000, "what is fixed together");
	cr_expect_eq(entry->facts.alive, 1);
	cr_expect_null(story_entry(&story, CT_FFM_ALLOCATION_IN_LOOP));
	cr_expect(story_says(entry->remedy.fix, "cudaMalloc at app+0x10"), "%s", entry->remedy.fix);
	cr_expect(story_says(entry->remedy.condition, "always 65 536 bytes"), "%s",
		  entry->remedy.condition);
	cr_expect(story_says(entry->remedy.condition, "0.03 ms of allocating"));
	cr_expect(story_says(entry->remedy.skeleton, "cudaMallocAsync(&tmp, n * 4, stream)"), "%s",
		  entry->remedy.skeleton);
	story_end(&story);
}

Test(ffm_detect, allocations_in_loops_cost_their_own_time)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	story_begin(&story);
	loop(&story, "cudaMalloc", "cudaFree", false);
	story_study(&story);
	cr_expect_null(story_entry(&story, CT_FFM_UNNECESSARY_WAIT));
	entry = story_entry(&story, CT_FFM_ALLOCATION_IN_LOOP);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->site.count, 3);
	cr_expect_eq(entry->expected_ns, 60000, "of three of both calls, 10 us each");
	cr_expect_eq(entry->wait_ns, 0);
	cr_expect(entry->is_replayed && entry->replayed_ns > 0);
	cr_expect_eq(story_related(&story, entry, CT_FFM_FREED, "cudaFree", FREE), 4);
	cr_expect(story_says(entry->remedy.fix, "cudaFree at app+0x30"), "%s", entry->remedy.fix);
	story_end(&story);
}

Test(ffm_detect, allocations_from_a_pool_or_kept_are_none)
{
	struct story story;

	story_begin(&story);
	loop(&story, "cudaMallocAsync", "cudaFreeAsync", false);
	story_study(&story);
	cr_expect_null(story_entry(&story, CT_FFM_ALLOCATION_IN_LOOP));
	story_end(&story);

	story_begin(&story);
	for (uint32_t i = 0; i < 4; i++)
		allocate(&story, "cudaMalloc", i * 20, i * 20 + 10, i + 1, X + i * BYTES);
	story_wait(&story, 9, 80, 0, 0);
	for (uint32_t i = 0; i < 4; i++)
		release(&story, "cudaFree", 100 + i * 20, 110 + i * 20, 0, i + 1, X + i * BYTES);
	story_study(&story);
	cr_expect_eq(story.study.entries, 0);
	story_end(&story);
}

/* Both launches are given this: nothing, one object, one that both only read, one object each. */
enum given { UNREPORTED, SHARED, READ, APART };

static void give(struct story *story, enum given given)
{
	BUILD_EVENT(story->b, alloc, .address = X, .bytes = BYTES, .object = 1,
		    .kind = CT_OBJECT_DEVICE);
	BUILD_EVENT(story->b, alloc, .address = X + BYTES, .bytes = BYTES, .object = 2,
		    .kind = CT_OBJECT_DEVICE);
	for (uint32_t launch = 1; launch <= 2 && given != UNREPORTED; launch++)
		BUILD_EVENT(story->b, given, .launch = launch,
			    .address = X + 8 + (given == APART && launch == 2 ? BYTES : 0),
			    .flags = given == READ ? CT_GIVEN_READS : 0);
}

/* A launch in stream 1, an unnecessary wait for it, a launch in another stream or the same. */
static const struct ct_ffm_entry *wait_between(struct story *story, uint64_t stream,
					       enum given given)
{
	story_begin(story);
	give(story, given);
	BUILD_EVENT(story->b, stream, .stream = 1, .flags = CT_STREAM_NON_BLOCKING);
	BUILD_EVENT(story->b, stream, .stream = 2, .flags = CT_STREAM_NON_BLOCKING);
	story_call(story, "cudaLaunchKernel", LAUNCH, 0, 2,
		   (struct ct_row_call){.correlation = 1, .stream = 1, .launch = 1});
	story_work(story, CT_ACTIVITY_KERNEL, 1, 1, 2, 60);
	story_call(story, "cudaDeviceSynchronize", SYNC, 10, 60, (struct ct_row_call){.id = 1});
	story_wait(story, 1, 60, 0, 0);
	story_call(story, "cudaLaunchKernel", OTHER_LAUNCH, 70, 72,
		   (struct ct_row_call){.correlation = 2, .stream = stream, .launch = 2});
	story_work(story, CT_ACTIVITY_KERNEL, 2, stream, 72, 80);
	story_study(story);
	return story_entry(story, CT_FFM_UNNECESSARY_WAIT);
}

Test(ffm_detect, waits_that_order_streams_become_events)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	entry = wait_between(&story, 2, SHARED);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->facts.crossed, 1);
	cr_expect_eq(entry->facts.perhaps, 0);
	cr_expect(story_says(entry->remedy.fix, "Replace cudaDeviceSynchronize at app+0x40"), "%s",
		  entry->remedy.fix);
	cr_expect(story_says(entry->remedy.skeleton, "cudaStreamWaitEvent"));
	story_end(&story);

	entry = wait_between(&story, 2, UNREPORTED);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->facts.crossed, 0);
	cr_expect_eq(entry->facts.perhaps, 1);
	cr_expect(story_says(entry->remedy.condition, "Not known: whether in 1 of them work"), "%s",
		  entry->remedy.condition);
	story_end(&story);

	for (enum given given = READ; given <= APART; given++) {
		entry = wait_between(&story, 2, given);
		cr_assert_not_null(entry);
		cr_expect_eq(entry->facts.crossed + entry->facts.perhaps, 0);
		cr_expect(story_says(entry->remedy.fix, "Delete cudaDeviceSynchronize"), "%s",
			  entry->remedy.fix);
		story_end(&story);
	}

	entry = wait_between(&story, 1, SHARED);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->facts.crossed, 0);
	cr_expect(story_says(entry->remedy.fix, "Delete cudaDeviceSynchronize at app+0x40"), "%s",
		  entry->remedy.fix);
	story_end(&story);
}

/* A kernel and a wait of which it is not known whether it is needed. */
static void wait_in_doubt(struct story *story, uint32_t number, const char *reason)
{
	uint64_t at = number * 100;
	struct ct_row_wait wait = {
	    .call = number, .end_ns = STORY_START_NS + (at + 60) * 1000, .ranges = 1, .unknown = 1};
	struct ct_row_use use = {.wait = number,
				 .kind = CT_USE_UNKNOWN,
				 .time_ns = wait.end_ns,
				 .reason = build_string(story->b, reason)};

	story_call(story, "cudaLaunchKernel", LAUNCH, at, at + 2,
		   (struct ct_row_call){.correlation = number});
	story_work(story, CT_ACTIVITY_KERNEL, number, 0, at + 2, at + 60);
	story_call(story, "cudaDeviceSynchronize", SYNC, at + 10, at + 60,
		   (struct ct_row_call){.id = number});
	ct_writer_rows(story->b->writer, CT_TABLE_WAIT, &wait, 1, NULL);
	ct_writer_rows(story->b->writer, CT_TABLE_USE, &use, 1, NULL);
}

/* So many waits for kernels that may print, then perhaps another one. Returns how many it is not
 * known of. */
static uint64_t doubts(struct story *story, uint32_t prints, const char *last)
{
	uint64_t count = 0;

	story_begin(story);
	for (uint32_t i = 1; i <= prints; i++)
		wait_in_doubt(story, i, "its kernel may print (printf)");
	if (last)
		wait_in_doubt(story, prints + 1, last);
	story_study(story);
	cr_expect_eq(story->study.entries, 0);
	for (size_t i = 0; i < story->study.unknowns; i++)
		count += story->study.unknown[i].site.count;
	story_end(story);
	return count;
}

Test(ffm_detect, the_last_wait_shows_what_kernels_print)
{
	struct story story;

	cr_expect_eq(doubts(&story, 1, NULL), 0, "without it nothing would be shown");
	cr_expect_eq(doubts(&story, 3, NULL), 2, "the others show it sooner");
	cr_expect_eq(doubts(&story, 2, "another process may use it"), 3);
}

Test(ffm_detect, misplaced_waits_know_their_first_use)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	story_begin(&story);
	story_call(&story, "cudaLaunchKernel", LAUNCH, 0, 2,
		   (struct ct_row_call){.correlation = 1});
	story_work(&story, CT_ACTIVITY_KERNEL, 1, 0, 2, 60);
	story_call(&story, "cudaDeviceSynchronize", SYNC, 10, 60, (struct ct_row_call){.id = 1});
	story_wait(&story, 1, 60, 100, USE);
	story_study(&story);
	entry = story_entry(&story, CT_FFM_MISPLACED_WAIT);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->first_use_ns, 40000);
	cr_expect_eq(story_related(&story, entry, CT_FFM_USED, "", USE), 1);
	cr_expect(story_says(entry->remedy.fix, "before app+0x80, 0.04 ms later"), "%s",
		  entry->remedy.fix);
	cr_expect(story_says(entry->remedy.skeleton, "cudaEventSynchronize(done)"));
	story_end(&story);
}

/* A copy to the device in 20 us, of which it waits 10; same: bytes that were there. */
static void copy(struct story *story, uint32_t number, uint32_t stack, uint64_t at, uint64_t target,
		 uint64_t hash, uint64_t same)
{
	struct ct_row_content content = {.transfer = number,
					 .bytes = BYTES,
					 .same_bytes = same,
					 .hash_low = hash,
					 .copy = CT_COPY_TO_DEVICE};

	story_call(story, "cudaMemcpy", stack, at, at + 20,
		   (struct ct_row_call){.correlation = 100 + number,
					.bytes = BYTES,
					.id = 100 + number,
					.copy = CT_COPY_TO_DEVICE});
	story_work(story, CT_ACTIVITY_COPY, 100 + number, 0, at + 10, at + 20);
	story_wait(story, 100 + number, at + 20, at + 21, USE);
	BUILD_EVENT(story->b, transfer, STORY_AT(at + 20), .transfer = number, .target = target,
		    .source = HOST, .width = BYTES, .height = 1, .depth = 1,
		    .kind = CT_TRANSFER_COPY, .thread = STORY_THREAD);
	ct_writer_rows(story->b->writer, CT_TABLE_CONTENT, &content, 1, NULL);
}

static void begin_with_objects(struct story *story)
{
	story_begin(story);
	allocate(story, "cudaMalloc", 0, 1, 1, X);
	allocate(story, "cudaMalloc", 2, 3, 2, Y);
}

Test(ffm_detect, copies_to_a_second_place_reuse_the_first)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	begin_with_objects(&story);
	copy(&story, 1, COPY, 10, X, 7, 0);
	copy(&story, 2, OTHER_COPY, 40, Y, 7, 0);
	story_study(&story);
	cr_expect_eq(story.study.entries, 1);
	entry = story_entry(&story, CT_FFM_REUSED_COPY);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->expected_ns, 10000, "the call but for its wait");
	cr_expect_eq(entry->call_ns, 20000);
	cr_expect_eq(entry->facts.held, 1);
	cr_expect_eq(story_related(&story, entry, CT_FFM_COPIED, "cudaMemcpy", COPY), 1);
	cr_expect(story_says(entry->remedy.fix, "Use what cudaMemcpy at app+0x50"), "%s",
		  entry->remedy.fix);
	story_end(&story);
}

Test(ffm_detect, copies_of_which_half_is_there_are_worth_half)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	begin_with_objects(&story);
	copy(&story, 1, COPY, 10, X, 7, 0);
	copy(&story, 2, OTHER_COPY, 40, X, 8, BYTES / 2);
	story_study(&story);
	cr_expect_eq(story.study.entries, 1);
	entry = story_entry(&story, CT_FFM_PARTLY_REPEATED_COPY);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->expected_ns, 5000);
	cr_expect(story_says(entry->remedy.fix, "50 % of its bytes"), "%s", entry->remedy.fix);
	story_end(&story);

	/* An eighth is not worth it. */
	begin_with_objects(&story);
	copy(&story, 1, COPY, 10, X, 7, 0);
	copy(&story, 2, OTHER_COPY, 40, X, 8, BYTES / 8);
	story_study(&story);
	cr_expect_eq(story.study.entries, 0);
	story_end(&story);
}

/* A kernel of the same function is given `tmp`, another one is not. */
Test(ffm_detect, repeated_copies_know_the_first_and_who_else_writes)
{
	static const char *const site[] = {"L|a.cu|9|2|main|k|tmp|n", "L|a.cu|10|2|main|k|other|n"};
	const struct ct_ffm_entry *entry;
	struct story story;

	begin_with_objects(&story);
	copy(&story, 1, COPY, 10, X, 7, 0);
	for (uint32_t i = 0; i < 2; i++) {
		story_call(&story, "cudaLaunchKernel", i ? OTHER_LAUNCH : LAUNCH, 32 + 4 * i,
			   33 + 4 * i, (struct ct_row_call){.launch = i + 1});
		BUILD_LAUNCH(story.b, STORY_AT(33 + 4 * i), .thread = STORY_THREAD,
			     .site = build_descriptor(story.b, site[i]),
			     .kernel_name = build_string(story.b, "k"),
			     .reason = build_string(story.b, "calls only"));
	}
	copy(&story, 2, OTHER_COPY, 50, X, 7, BYTES);
	story_study(&story);
	entry = story_entry(&story, CT_FFM_REPEATED_COPY);
	cr_assert_not_null(entry);
	cr_expect_eq(story_related(&story, entry, CT_FFM_COPIED, "cudaMemcpy", COPY), 1);
	cr_expect_eq(story_related(&story, entry, CT_FFM_WRITTEN, "cudaMemcpy", COPY), 1);
	cr_expect_eq(story_related(&story, entry, CT_FFM_WRITTEN, "cudaLaunchKernel", LAUNCH), 1);
	cr_expect_eq(story_related(&story, entry, CT_FFM_WRITTEN, "cudaLaunchKernel", OTHER_LAUNCH),
		     0);
	cr_expect_eq(entry->facts.pageable, 1);
	cr_expect(story_says(entry->remedy.fix, "Drop cudaMemcpy at app+0x60"), "%s",
		  entry->remedy.fix);
	cr_expect(story_says(entry->remedy.condition, "cudaLaunchKernel at app+0x20"), "%s",
		  entry->remedy.condition);
	story_end(&story);
}

/* Within the second launch, 30 us of 40; before, the driver took something from its cache. */
Test(ffm_detect, compilations_are_reported_at_their_call)
{
	static const uint32_t operations[] = {CT_COMPILE_LOAD, CT_COMPILE_COMPILE};
	const struct ct_ffm_entry *entry;
	struct story story;

	story_begin(&story);
	BUILD_EVENT(story.b, device, .arch = 90);
	for (uint32_t i = 0; i < 2; i++) {
		struct ct_row_compile row = {.begin_ns = STORY_START_NS + (100 * i + 5) * 1000,
					     .duration_ns = 30000,
					     .kind = CT_COMPILE_PTX,
					     .operation = operations[i]};

		story_call(&story, "cudaLaunchKernel", i ? OTHER_LAUNCH : LAUNCH, 100 * i,
			   100 * i + 40, (struct ct_row_call){.id = 0});
		ct_writer_rows(story.b->writer, CT_TABLE_COMPILE, &row, 1, NULL);
	}
	story_study(&story);
	cr_assert_eq(story.study.entries, 1);
	entry = story_entry(&story, CT_FFM_JIT);
	cr_assert_not_null(entry);
	cr_expect_str_eq(entry->site.call, "cudaLaunchKernel");
	cr_expect_eq(entry->site.stack,
		     ct_ffm_study_node(&story.study, story.trace, 0, OTHER_LAUNCH));
	cr_expect_eq(entry->site.count, 1);
	cr_expect_eq(entry->expected_ns, 30000);
	cr_expect(story_says(entry->remedy.fix, "sm_90"), "%s", entry->remedy.fix);
	cr_expect(story_says(entry->remedy.skeleton, "arch=compute_90,code=sm_90"));
	story_end(&story);
}

/* An asynchronous copy of 20 us at the device, from `at` on. */
static void copy_async(struct story *story, uint32_t number, uint32_t stack, uint64_t call_us,
		       uint64_t at, uint64_t target, uint64_t source)
{
	uint32_t way = source == HOST ? CT_COPY_TO_DEVICE : CT_COPY_TO_HOST;

	story_call(story, "cudaMemcpyAsync", stack, call_us, call_us + 1,
		   (struct ct_row_call){
		       .correlation = 100 + number, .stream = 1, .bytes = BYTES, .copy = way});
	story_work(story, CT_ACTIVITY_COPY, 100 + number, 1, at, at + 20);
	BUILD_EVENT(story->b, transfer, STORY_AT(call_us + 1), .transfer = number, .target = target,
		    .source = source, .width = BYTES, .height = 1, .depth = 1, .stream = 1,
		    .kind = CT_TRANSFER_COPY, .thread = STORY_THREAD);
}

/* To X, then from Y or X, in one stream. */
static const struct ct_ffm_entry *copies_both_ways(struct story *story, uint64_t from,
						   uint64_t second_us)
{
	begin_with_objects(story);
	copy_async(story, 1, COPY, 10, 12, X, HOST);
	copy_async(story, 2, OTHER_COPY, second_us, second_us > 32 ? second_us + 1 : 32,
		   HOST + BYTES, from);
	story_study(story);
	return story_entry(story, CT_FFM_MISSED_PARALLELISM);
}

Test(ffm_detect, copies_both_ways_could_overlap)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	entry = copies_both_ways(&story, Y, 14);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->expected_ns, 20000);
	cr_expect_eq(story_related(&story, entry, CT_FFM_PRODUCED, "cudaMemcpyAsync", COPY), 1);
	cr_expect(story_says(entry->remedy.fix, "cudaMemcpyAsync at app+0x60 in a stream of its"),
		  "%s", entry->remedy.fix);
	story_end(&story);

	cr_expect_null(copies_both_ways(&story, X, 14), "it takes what the first one brings");
	story_end(&story);
	cr_expect_null(copies_both_ways(&story, Y, 40), "it was not asked for before");
	story_end(&story);
}

/* Behind a kernel, to memory that is there before it or not. */
static const struct ct_ffm_entry *copy_behind_kernel(struct story *story, bool is_new)
{
	story_begin(story);
	if (!is_new)
		allocate(story, "cudaMalloc", 0, 1, 1, X);
	story_call(story, "cudaLaunchKernel", LAUNCH, 2, 3,
		   (struct ct_row_call){.correlation = 1, .stream = 1, .launch = 1});
	BUILD_LAUNCH(story->b, STORY_AT(3), .thread = STORY_THREAD, .stream = 1,
		     .kernel_name = build_string(story->b, "k"),
		     .reason = build_string(story->b, "calls only"));
	story_work(story, CT_ACTIVITY_KERNEL, 1, 1, 4, 40);
	if (is_new)
		allocate(story, "cudaMalloc", 5, 6, 1, X);
	copy_async(story, 1, COPY, 10, 40, X, HOST);
	story_study(story);
	return story_entry(story, CT_FFM_MISSED_PARALLELISM);
}

Test(ffm_detect, copies_to_memory_that_a_kernel_cannot_know_could_overlap)
{
	const struct ct_ffm_entry *entry;
	struct story story;

	entry = copy_behind_kernel(&story, true);
	cr_assert_not_null(entry);
	cr_expect_eq(entry->expected_ns, 20000);
	story_end(&story);
	cr_expect_null(copy_behind_kernel(&story, false));
	story_end(&story);
}
