/* SPDX-License-Identifier: Apache-2.0 */
/* Tests by hand what is allocated again and again. */
#include "postproc/analysis/ffm/pairs.h"
#include <criterion/criterion.h>
#include <stdlib.h>

#define TIMES 4u

/* Object i: allocated by step 2 i in (i + 1) ns, freed by step 2 i + 1 in 10 ns. */
struct story {
	struct ct_ffm_object object[TIMES];
	struct ct_ffm_step step[2 * TIMES];
	uint32_t site[2 * TIMES];
	struct ct_ffm_program program;
	struct ct_ffm_memory memory;
	struct ct_ffm_pairs pairs;
	const struct ct_ffm_pair *pair; /* of these */
};

/* Each is freed before the next one is allocated, or all in the end. */
static struct story *begin(bool is_loop)
{
	static struct story story;

	story = (struct story){.pair = NULL};
	for (uint32_t i = 0; i < TIMES; i++) {
		story.object[i] =
		    (struct ct_ffm_object){.begin = 0x1000,
					   .end = 0x1000 + 100 * (i + 1),
					   .allocated_at = is_loop ? 2 * i : i,
					   .freed_at = is_loop ? 2 * i + 1 : TIMES + i,
					   .allocated = 2 * i,
					   .freed = 2 * i + 1};
		story.step[2 * i].launch_ns = i + 1;
		story.step[2 * i + 1] = (struct ct_ffm_step){.launch_ns = 10, .wait_ns = 500};
		story.site[2 * i + 1] = 1;
	}
	story.program.graph = (struct ct_ffm_graph){.step = story.step, .steps = 2 * TIMES};
	story.memory = (struct ct_ffm_memory){.object = story.object, .objects = TIMES};
	return &story;
}

static size_t find(struct story *story)
{
	ct_ffm_pairs_fini(&story->pairs);
	cr_assert_eq(ct_ffm_pairs_init(&story->pairs, &story->memory, &story->program, story->site),
		     0);
	story->pair = story->pairs.pair;
	return story->pairs.count;
}

Test(ffm_pairs, in_a_loop_serve_themselves)
{
	struct story *story = begin(true);

	cr_assert_eq(find(story), 1);
	cr_expect_eq(story->pair->count, 4);
	cr_expect_eq(story->pair->again, 3);
	cr_expect_eq(story->pair->allocate_ns, 2 + 3 + 4);
	cr_expect_eq(story->pair->free_ns, 30, "waits are not among it");
	cr_expect_eq(story->pair->wait_ns, 2000);
	cr_expect_eq(story->pair->least_bytes, 100);
	cr_expect_eq(story->pair->most_bytes, 400);
	cr_expect_eq(story->pair->bytes, 1000);
	cr_expect_eq(story->pair->alive, 1);
	cr_expect_eq(story->pair->allocated, 0);
	cr_expect_eq(story->pair->freed, 1);
	for (uint32_t i = 0; i + 1 < TIMES; i++)
		cr_expect_eq(story->pairs.next[i], i + 1);
	cr_expect_eq(story->pairs.next[TIMES - 1], CT_FFM_NONE);
	ct_ffm_pairs_fini(&story->pairs);
}

Test(ffm_pairs, freed_in_the_end_serve_none)
{
	struct story *story = begin(false);

	cr_assert_eq(find(story), 1);
	cr_expect_eq(story->pair->again, 0);
	cr_expect_eq(story->pair->alive, 4);
	ct_ffm_pairs_fini(&story->pairs);
}

Test(ffm_pairs, of_other_sites_are_others)
{
	struct story *story = begin(true);

	story->site[2 * 3] = 2;
	cr_assert_eq(find(story), 2);
	cr_expect_eq(story->pair[0].again, 2);
	cr_expect_eq(story->pair[1].again, 0);
	story->object[1].is_ordered = true;
	story->object[2].freed = CT_FFM_NONE;
	cr_assert_eq(find(story), 2);
	cr_expect_eq(story->pair[0].count, 1);
	ct_ffm_pairs_fini(&story->pairs);
}
