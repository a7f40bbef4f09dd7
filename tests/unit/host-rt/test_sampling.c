/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of launches by kernel, site and host call path; which launches and CTAs are chosen. */
#include "host-rt/launch/sampling.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char site[] = "L\x1f"
			   "a.cu\x1f"
			   "7";
static const struct ct_kernel one = {.name = "_Z3onev", .unit_id = 7};
static const struct ct_kernel two = {.name = "_Z3twov", .unit_id = 7};

/* The function that the program launches through. */
static __attribute__((noinline)) struct ct_launch_context *launch(const struct ct_kernel *kernel)
{
	uintptr_t base = (uintptr_t)__builtin_frame_address(0);
	struct ct_launch_context *context = ct_sampling_context(kernel, site, base);

	__asm__ volatile("" ::: "memory"); /* no tail call */
	return context;
}

static __attribute__((noinline)) struct ct_launch_context *from_here(const struct ct_kernel *kernel)
{
	struct ct_launch_context *context = launch(kernel);

	__asm__ volatile("" ::: "memory");
	return context;
}

static __attribute__((noinline)) struct ct_launch_context *
from_there(const struct ct_kernel *kernel)
{
	struct ct_launch_context *context = launch(kernel);

	__asm__ volatile("" : "+r"(context)::"memory");
	return context;
}

static __attribute__((noinline)) struct ct_launch_context *recurse(int depth)
{
	struct ct_launch_context *context = depth ? recurse(depth - 1) : launch(&one);

	__asm__ volatile("" : "+r"(context)::"memory");
	return context;
}

Test(hostrt_sampling, a_context_is_a_kernel_from_a_call_path)
{
	struct ct_launch_context *here[3], *there[3], *other[3];

	for (int i = 0; i < 3; i++) {
		here[i] = from_here(&one);
		there[i] = from_there(&one);
		other[i] = from_here(&two);
	}
	for (int i = 1; i < 3; i++) {
		cr_assert_eq(here[i], here[0]);
		cr_assert_eq(there[i], there[0]);
		cr_assert_eq(other[i], other[0]);
	}
	cr_assert_neq(here[0], there[0]);
	cr_assert_neq(here[0], other[0]);
	cr_assert_neq(ct_sampling_id(here[0]), ct_sampling_id(there[0]));
	cr_assert_neq(ct_sampling_id(here[0]), ct_sampling_id(other[0]));
	cr_assert_neq(ct_sampling_id(here[0]), 0);
}

Test(hostrt_sampling, without_call_paths_a_context_is_a_kernel_at_a_site)
{
	struct ct_launch_context *context = ct_sampling_context(&one, site, 0);

	cr_assert_eq(ct_sampling_context(&one, site, 0), context);
	cr_assert_neq(ct_sampling_context(&two, site, 0), context);
	cr_assert_neq(ct_sampling_context(&one, NULL, 0), context);
	cr_assert_neq(from_here(&one), context);
	cr_assert_eq(ct_sampling_context(&one, site, 0), context);
}

Test(hostrt_sampling, recursion_is_told_apart_at_any_depth)
{
	struct ct_launch_context *depths[100], *again[100], **of[] = {depths, again};

	for (volatile int i = 0; i < 200; i++) /* one place that calls */
		of[i / 100][i % 100] = recurse(i % 100);
	for (int i = 0; i < 100; i++)
		cr_assert_eq(again[i], depths[i], "depth %d", i);
	for (int i = 0; i < 99; i++) {
		cr_assert_neq(depths[i], depths[i + 1]);
		cr_assert_neq(ct_sampling_id(depths[i]), ct_sampling_id(depths[i + 1]));
	}
}

static void *launch_in_thread(void *result)
{
	struct ct_launch_context **contexts = result;

	for (volatile int i = 0; i < 3; i++)
		contexts[i] = from_here(&one);
	return NULL;
}

Test(hostrt_sampling, threads_on_one_path_share_a_context)
{
	struct ct_launch_context *contexts[2][3];
	pthread_t thread;

	for (int i = 0; i < 2; i++) {
		cr_assert_eq(pthread_create(&thread, NULL, launch_in_thread, contexts[i]), 0);
		pthread_join(thread, NULL);
	}
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(contexts[0][i], contexts[0][0]);
		cr_assert_eq(contexts[1][i], contexts[0][0]);
	}
}

Test(hostrt_sampling, ids_tell_many_contexts_apart)
{
	static char sites[3000][8];
	static uint32_t ids[3000];

	for (int i = 0; i < 3000; i++) {
		snprintf(sites[i], sizeof(sites[i]), "L%d", i);
		ids[i] = ct_sampling_id(ct_sampling_context(&one, sites[i], 0));
		for (int j = 0; j < i; j++)
			cr_assert_neq(ids[i], ids[j]);
	}
	for (int i = 0; i < 3000; i++)
		cr_assert_eq(ct_sampling_id(ct_sampling_context(&one, sites[i], 0)), ids[i]);
}

Test(hostrt_sampling, the_first_launch_of_each_context_and_then_every_third)
{
	struct ct_launch_context *a = from_here(&one), *b = from_here(&two);

	for (int i = 0; i < 10; i++)
		cr_assert_eq(ct_sampling_takes(a, 3), i % 3 == 0);
	cr_assert(ct_sampling_takes(b, 3), "of another context, it is the first");
}

static uint32_t offset_of(uint64_t period, uint64_t seed, uint64_t number)
{
	struct ct_options options = {.sample_blocks = period, .seed = seed};
	struct ct_sample sample = {0};

	ct_sampling_blocks(&sample, &options, 1000, number);
	cr_assert_eq(sample.block_period, period <= 1 ? 0 : period);
	return sample.block_offset;
}

Test(hostrt_sampling, offsets_of_blocks_are_uniform_and_repeat)
{
	int counts[7] = {0}, same = 0;

	for (uint64_t number = 1; number <= 70000; number++) {
		uint32_t offset = offset_of(7, 1, number);

		cr_assert_lt(offset, 7);
		cr_assert_eq(offset_of(7, 1, number), offset);
		same += offset_of(7, 2, number) == offset;
		counts[offset]++;
	}
	for (int i = 0; i < 7; i++) /* +-5 standard deviations */
		cr_assert(counts[i] > 9530 && counts[i] < 10470, "r = %d: %d times", i, counts[i]);
	cr_assert(same > 9530 && same < 10470, "seeds agree in %d of 70000", same);
	cr_assert_eq(offset_of(1, 1, 5), 0);
}

static uint32_t period_of(uint64_t ctas)
{
	struct ct_options options = {.sample_blocks = 50, .sample_blocks_least = 64, .seed = 1};
	struct ct_sample sample = {0};

	ct_sampling_blocks(&sample, &options, ctas, 1);
	return sample.block_period;
}

Test(hostrt_sampling, small_grids_keep_so_many_blocks)
{
	cr_assert_eq(period_of(16), 0, "all of them");
	cr_assert_eq(period_of(127), 0);
	cr_assert_eq(period_of(128), 2);
	cr_assert_eq(period_of(3199), 49);
	cr_assert_eq(period_of(3200), 50);
	cr_assert_eq(period_of(1u << 20), 50);
}
