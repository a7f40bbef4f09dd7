/* SPDX-License-Identifier: Apache-2.0 */
/* Tests by hand which copies move what is there: each case beside the one that looks like it and
 * is none. */
#include "postproc/analysis/ffm/copies.h"
#include <criterion/criterion.h>

#define BYTES 65536u
#define X 0x7f0000000000ull /* objects of the device */
#define Y 0x7f0000100000ull
#define HOST 0x550000000000ull
#define OTHER_HOST 0x550000100000ull
#define COPIES_MAX 8u

/* The events in the making: objects 0 and 1 are X and Y. */
struct story {
	struct ct_ffm_object object[2];
	struct ct_ffm_copy copy[COPIES_MAX];
	struct ct_ffm_launch launch[4];
	struct ct_ffm_memory memory;
	struct ct_ffm_found found[COPIES_MAX];
	uint64_t index;
};

static struct story *begin(void)
{
	static struct story story;

	story = (struct story){.index = 10};
	for (uint32_t i = 0; i < 2; i++)
		story.object[i] = (struct ct_ffm_object){.begin = i ? Y : X,
							 .end = (i ? Y : X) + BYTES,
							 .allocated_at = i,
							 .freed_at = UINT64_MAX,
							 .kind = CT_OBJECT_DEVICE};
	story.memory = (struct ct_ffm_memory){
	    .object = story.object, .objects = 2, .copy = story.copy, .launch = story.launch};
	return &story;
}

static uint32_t object_of(uint64_t address)
{
	if (address == X)
		return 0;
	return address == Y ? 1 : CT_FFM_NONE;
}

/* same: bytes that were at the target. */
static void copy(struct story *story, uint64_t target, uint64_t source, uint64_t hash,
		 uint64_t same)
{
	story->copy[story->memory.copies++] = (struct ct_ffm_copy){
	    .target = target,
	    .target_end = target + BYTES,
	    .source = source,
	    .source_end = source + BYTES,
	    .bytes = BYTES,
	    .same_bytes = same,
	    .hash = {hash, ~hash},
	    .index = story->index++,
	    .target_object = object_of(target),
	    .source_object = object_of(source),
	    .way = object_of(target) == CT_FFM_NONE ? CT_COPY_TO_HOST : CT_COPY_TO_DEVICE,
	    .is_known = true};
}

static void launch(struct story *story)
{
	story->launch[story->memory.launches++] = (struct ct_ffm_launch){.index = story->index++};
}

static void expect(struct story *story, uint32_t c, enum ct_ffm_copy_kind kind, uint32_t first,
		   bool is_held)
{
	cr_assert_eq(ct_ffm_find_copies(&story->memory, story->found), 0);
	cr_expect_eq(story->found[c].kind, kind, "copy %u: kind %u", c, story->found[c].kind);
	cr_expect_eq(story->found[c].first, first, "copy %u: first %u", c, story->found[c].first);
	cr_expect_eq(story->found[c].is_held, is_held);
}

Test(ffm_copies, of_what_is_there_are_repeated)
{
	struct story *story = begin();

	copy(story, X, HOST, 1, 0);
	launch(story);
	copy(story, X, HOST, 1, BYTES);
	copy(story, X, OTHER_HOST, 1, BYTES);
	expect(story, 0, CT_FFM_COPY_NEW, CT_FFM_NONE, false);
	expect(story, 1, CT_FFM_COPY_REPEATED, 0, true);
	expect(story, 2, CT_FFM_COPY_REPEATED, 0, true);
}

Test(ffm_copies, to_what_has_changed_are_new)
{
	struct story *story = begin();

	copy(story, X, HOST, 1, 0);
	launch(story);
	copy(story, X, HOST, 1, 0);
	expect(story, 1, CT_FFM_COPY_NEW, CT_FFM_NONE, false);
}

/* Zeros to memory that was allocated just now, and is zero by accident. */
Test(ffm_copies, to_new_memory_are_new)
{
	struct story *story = begin();

	copy(story, X, HOST, 1, BYTES);
	copy(story, Y, OTHER_HOST, 2, BYTES / 2);
	expect(story, 0, CT_FFM_COPY_NEW, CT_FFM_NONE, false);
	expect(story, 1, CT_FFM_COPY_NEW, CT_FFM_NONE, false);
}

/* Allocated anew where the same bytes were copied to before: it is no copy's doing. */
Test(ffm_copies, to_memory_that_was_allocated_anew_are_new)
{
	struct story *story = begin();

	copy(story, X, HOST, 1, 0);
	story->object[1] = story->object[0];
	story->object[0].freed_at = story->index++;
	story->object[1].allocated_at = story->index++;
	copy(story, X, HOST, 1, BYTES);
	story->copy[1].target_object = 1;
	expect(story, 1, CT_FFM_COPY_NEW, CT_FFM_NONE, false);
}

/* A kernel wrote it, the CPU read it, and gives it back as it was. */
Test(ffm_copies, back_to_the_same_place_are_repeated)
{
	struct story *story = begin();

	launch(story);
	copy(story, HOST, X, 1, 0);
	copy(story, X, HOST, 1, BYTES);
	expect(story, 1, CT_FFM_COPY_REPEATED, CT_FFM_NONE, true);
}

Test(ffm_copies, of_which_blocks_are_there_are_partly_repeated)
{
	struct story *story = begin();

	copy(story, X, HOST, 1, 0);
	copy(story, X, HOST, 2, BYTES / 4 * 3);
	expect(story, 1, CT_FFM_COPY_PARTLY, CT_FFM_NONE, false);
}

Test(ffm_copies, to_two_places_reuse_the_first)
{
	struct story *story = begin();

	copy(story, X, HOST, 1, 0);
	copy(story, Y, HOST, 1, 0);
	expect(story, 1, CT_FFM_COPY_REUSED, 0, true);
	story->copy[1].index += 2;
	story->launch[0] = (struct ct_ffm_launch){.index = story->copy[0].index + 1};
	story->memory.launches = 1;
	expect(story, 1, CT_FFM_COPY_REUSED, 0, false);
}

Test(ffm_copies, to_two_places_of_which_one_is_gone_are_new)
{
	struct story *story = begin();

	copy(story, X, HOST, 1, 0);
	copy(story, X + BYTES / 2, HOST, 2, 0); /* half of it is other data now */
	copy(story, Y, HOST, 1, 0);
	expect(story, 2, CT_FFM_COPY_NEW, CT_FFM_NONE, false);

	story = begin();
	copy(story, X, HOST, 1, 0);
	copy(story, X, HOST, 2, 0);
	copy(story, Y, HOST, 1, 0);
	expect(story, 2, CT_FFM_COPY_NEW, CT_FFM_NONE, false);

	story = begin();
	copy(story, X, HOST, 1, 0);
	story->object[0].freed_at = story->index++;
	copy(story, Y, HOST, 1, 0);
	expect(story, 1, CT_FFM_COPY_NEW, CT_FFM_NONE, false);

	story = begin();
	copy(story, X, HOST, 1, 0);
	copy(story, Y, HOST, 1, 0);
	story->copy[1].device = 1; /* X is not there */
	expect(story, 1, CT_FFM_COPY_NEW, CT_FFM_NONE, false);
}

Test(ffm_copies, back_from_where_they_came_are_round_trips)
{
	struct story *story = begin();

	copy(story, HOST, X, 1, 0);
	copy(story, Y, HOST, 1, 0);
	expect(story, 1, CT_FFM_COPY_ROUND_TRIP, 0, true);
}

/* The CPU has changed them; they are others that happen to be equal; X is something else now. */
Test(ffm_copies, of_other_bytes_are_no_round_trips)
{
	struct story *story = begin();

	copy(story, HOST, X, 1, 0);
	copy(story, Y, HOST, 2, 0);
	expect(story, 1, CT_FFM_COPY_NEW, CT_FFM_NONE, false);

	story = begin();
	copy(story, HOST, X, 1, 0);
	copy(story, Y, OTHER_HOST, 1, 0);
	expect(story, 1, CT_FFM_COPY_NEW, CT_FFM_NONE, false);

	story = begin();
	copy(story, HOST, X, 1, 0);
	copy(story, X, OTHER_HOST, 3, 0);
	copy(story, Y, HOST, 1, 0);
	expect(story, 2, CT_FFM_COPY_NEW, CT_FFM_NONE, false);
}
