/* SPDX-License-Identifier: Apache-2.0 */
/* Names of patterns, from hand-made evidence. */
#include "postproc/analysis/comm/figures/pattern.h"
#include <criterion/criterion.h>
#include <string.h>

#define CTAS_MAX 512u

/* A grid of CTAs, and 8 bytes for each pair that reads says so. */
static struct ct_comm_kernel_pair pair_of(uint32_t sources, uint32_t targets,
					  bool (*reads)(uint32_t target, uint32_t source))
{
	struct ct_comm_kernel_pair pair = {.source_ctas = sources, .target_ctas = targets};
	uint64_t out[CTAS_MAX] = {0}, in[CTAS_MAX] = {0};

	for (uint32_t t = 0; t < targets; t++) {
		for (uint32_t s = 0; s < sources; s++) {
			if (!reads(t, s))
				continue;
			pair.transfers++;
			pair.bytes += 8;
			if (s == t)
				pair.self_bytes += 8;
			else
				pair.partners++, out[s]++, in[t]++;
		}
	}
	pair.distinct_bytes = pair.bytes;
	for (uint32_t i = 0; i < CTAS_MAX; i++) {
		pair.sources += out[i] > 0;
		pair.targets += in[i] > 0;
		pair.out_degree_max = out[i] > pair.out_degree_max ? out[i] : pair.out_degree_max;
		pair.in_degree_max = in[i] > pair.in_degree_max ? in[i] : pair.in_degree_max;
	}
	return pair;
}

static void check(struct ct_comm_kernel_pair pair, enum ct_comm_pattern expected)
{
	enum ct_comm_pattern found = ct_pattern_of(&pair);
	char why[256] = "";

	cr_expect_eq(found, expected, "%s, not %s: %s", ct_pattern_text(found),
		     ct_pattern_text(expected), ct_pattern_why(&pair, why, sizeof(why)));
	cr_expect_gt(strlen(ct_pattern_why(&pair, why, sizeof(why))), 0);
}

static bool itself(uint32_t target, uint32_t source)
{
	return target == source;
}

static bool shifted(uint32_t target, uint32_t source)
{
	return target == source + 1;
}

static bool halo(uint32_t target, uint32_t source)
{
	return target <= source + 1 && source <= target + 1;
}

static bool everything(uint32_t target, uint32_t source)
{
	(void)target, (void)source;
	return true;
}

static bool stencil(uint32_t target, uint32_t source, uint32_t extent, uint32_t dimensions)
{
	for (uint32_t d = 0; d < dimensions; d++) {
		if (!halo(target % extent, source % extent))
			return false;
		target /= extent;
		source /= extent;
	}
	return true;
}

static bool corners_3x3(uint32_t target, uint32_t source)
{
	return stencil(target, source, 3, 2);
}

static bool corners_16x16(uint32_t target, uint32_t source)
{
	return stencil(target, source, 16, 2);
}

static bool corners_4x4x4(uint32_t target, uint32_t source)
{
	return stencil(target, source, 4, 3);
}

static bool corners_8x8x8(uint32_t target, uint32_t source)
{
	return stencil(target, source, 8, 3);
}

static bool cross_2x2(uint32_t target, uint32_t source)
{
	return stencil(target, source, 2, 2) && (target ^ source) != 3;
}

static bool halves(uint32_t target, uint32_t source)
{
	return source / 2 == target;
}

static bool doubles(uint32_t target, uint32_t source)
{
	return source == target / 2;
}

static bool random_tenth(uint32_t target, uint32_t source)
{
	return (target * 2654435761u ^ source * 40503u * 65537u) >> 7 & 1 &&
	       (target * 31u + source * 17u * source) % 5 == 0;
}

static bool hub(uint32_t target, uint32_t source)
{
	return halo(target, source) || source == 0 || target == 0;
}

Test(comm_pattern, local)
{
	check(pair_of(1, 1, everything), CT_PATTERN_LOCAL);
	check(pair_of(2, 2, itself), CT_PATTERN_LOCAL);
	check(pair_of(256, 256, itself), CT_PATTERN_LOCAL);
}

Test(comm_pattern, point_to_point)
{
	check(pair_of(2, 2, shifted), CT_PATTERN_POINT_TO_POINT);
	check(pair_of(3, 3, shifted), CT_PATTERN_POINT_TO_POINT);
	check(pair_of(256, 256, shifted), CT_PATTERN_POINT_TO_POINT);
	check(pair_of(2, 2, everything), CT_PATTERN_POINT_TO_POINT);
}

Test(comm_pattern, gather)
{
	check(pair_of(2, 1, everything), CT_PATTERN_GATHER);
	check(pair_of(3, 1, everything), CT_PATTERN_GATHER);
	check(pair_of(256, 1, everything), CT_PATTERN_GATHER);
	check(pair_of(256, 2, everything), CT_PATTERN_GATHER);
	check(pair_of(256, 16, everything), CT_PATTERN_GATHER);
	/* A step of a reduction tree. */
	check(pair_of(256, 128, halves), CT_PATTERN_GATHER);
	check(pair_of(4, 2, halves), CT_PATTERN_GATHER);
}

Test(comm_pattern, scatter)
{
	check(pair_of(1, 2, everything), CT_PATTERN_SCATTER);
	check(pair_of(1, 256, everything), CT_PATTERN_SCATTER);
	check(pair_of(2, 256, everything), CT_PATTERN_SCATTER);
	check(pair_of(128, 256, doubles), CT_PATTERN_SCATTER);
}

Test(comm_pattern, multicast_sends_the_same_bytes)
{
	struct ct_comm_kernel_pair pair = pair_of(1, 256, everything);

	pair.distinct_bytes = 8;
	check(pair, CT_PATTERN_MULTICAST);
	pair.distinct_bytes = pair.bytes / 2;
	check(pair, CT_PATTERN_MULTICAST);
	pair.distinct_bytes = pair.bytes / 2 + 1;
	check(pair, CT_PATTERN_SCATTER);
	pair = pair_of(1, 2, everything);
	pair.distinct_bytes = 8;
	check(pair, CT_PATTERN_MULTICAST);
	pair = pair_of(128, 256, doubles);
	pair.distinct_bytes = pair.bytes / 2;
	check(pair, CT_PATTERN_MULTICAST);
}

Test(comm_pattern, all_to_all)
{
	struct ct_comm_kernel_pair pair = pair_of(20, 20, everything);

	check(pair, CT_PATTERN_ALL_TO_ALL);
	check(pair_of(3, 3, everything), CT_PATTERN_ALL_TO_ALL);
	check(pair_of(256, 256, everything), CT_PATTERN_ALL_TO_ALL);
	check(pair_of(256, 17, everything), CT_PATTERN_ALL_TO_ALL);
	cr_assert_eq(pair.partners, 380);
	pair.partners = 342;
	check(pair, CT_PATTERN_ALL_TO_ALL);
	pair.partners = 341;
	check(pair, CT_PATTERN_IRREGULAR);
}

Test(comm_pattern, neighbours)
{
	check(pair_of(3, 3, halo), CT_PATTERN_NEIGHBOURS);
	check(pair_of(4, 4, halo), CT_PATTERN_NEIGHBOURS);
	check(pair_of(256, 256, halo), CT_PATTERN_NEIGHBOURS);
	check(pair_of(4, 4, cross_2x2), CT_PATTERN_NEIGHBOURS);
	check(pair_of(9, 9, corners_3x3), CT_PATTERN_NEIGHBOURS);
	check(pair_of(256, 256, corners_16x16), CT_PATTERN_NEIGHBOURS);
	check(pair_of(64, 64, corners_4x4x4), CT_PATTERN_NEIGHBOURS);
	check(pair_of(512, 512, corners_8x8x8), CT_PATTERN_NEIGHBOURS);
}

Test(comm_pattern, neighbours_end_where_partners_are_many_or_uneven)
{
	struct ct_comm_kernel_pair pair = {.sources = 100,
					   .targets = 100,
					   .source_ctas = 100,
					   .target_ctas = 100,
					   .bytes = 1,
					   .distinct_bytes = 1,
					   .transfers = 1,
					   .partners = 2000,
					   .out_degree_max = 26,
					   .in_degree_max = 26};

	check(pair, CT_PATTERN_NEIGHBOURS);
	pair.in_degree_max = 27;
	check(pair, CT_PATTERN_IRREGULAR);
	pair.in_degree_max = 26;
	pair.partners = 1040;
	check(pair, CT_PATTERN_NEIGHBOURS);
	pair.partners = 1039;
	check(pair, CT_PATTERN_IRREGULAR);
}

Test(comm_pattern, irregular)
{
	check(pair_of(256, 256, random_tenth), CT_PATTERN_IRREGULAR);
	check(pair_of(256, 256, hub), CT_PATTERN_IRREGULAR);
}

Test(comm_pattern, reasons_name_the_evidence)
{
	struct ct_comm_kernel_pair pair = pair_of(256, 1, everything);
	char why[256];

	cr_expect_str_eq(ct_pattern_why(&pair, why, sizeof(why)),
			 "255 thread blocks send to 1; one receives from up to 255");
	pair = pair_of(1, 3, everything);
	pair.distinct_bytes = 8;
	cr_expect_str_eq(ct_pattern_why(&pair, why, sizeof(why)),
			 "1 thread block sends the same bytes to 2; a byte goes to 3.0 on average");
	cr_expect_str_eq(ct_pattern_why(&pair, why, 6), "1 thr");
	cr_expect_str_eq(ct_pattern_text(CT_PATTERN_GATHER), "gather");
}

/* 11 CTAs that send to 13 of 17 others are no neighbours. */
Test(comm_pattern, many_partners_in_a_small_grid_are_irregular)
{
	struct ct_comm_kernel_pair pair = {.sources = 11,
					   .targets = 17,
					   .source_ctas = 18,
					   .target_ctas = 18,
					   .bytes = 1,
					   .distinct_bytes = 1,
					   .transfers = 1,
					   .partners = 78,
					   .out_degree_max = 13,
					   .in_degree_max = 7};

	check(pair, CT_PATTERN_IRREGULAR);
	pair.partners = 60;
	pair.out_degree_max = 8;
	check(pair, CT_PATTERN_NEIGHBOURS);
}
