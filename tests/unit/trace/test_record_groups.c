/* SPDX-License-Identifier: Apache-2.0 */
/* Records of groups and loops against the accesses that they stand for. */
#include "tests/unit/trace/record_list.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <cudatrace/error.h>
#include <string.h>

TestSuite(groups, .init = make_lists, .fini = free_lists);
TestSuite(loops, .init = make_lists, .fini = free_lists);

/* In one of the shapes that kinds of records have. */
static void draw_addresses(uint64_t address[CT_WARP_LANES], uint64_t site)
{
	uint64_t base = 0x7f0000000000u + draw(1u << 24), stride = draw(300), shape = draw(6);

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++) {
		const uint64_t value[] = {base,
					  base + lane * bytes_of(site),
					  base - lane * stride,
					  base + lane % 16 * bytes_of(site) + lane / 16 * stride,
					  base + draw(5000),
					  draw(CT_ADDRESS_MASK)};

		address[lane] = value[shape];
	}
}

struct definition {
	uint32_t count;
	uint64_t distance[CT_GROUP_MEMBERS - 1];
};

static uint32_t put_definition(uint64_t *words, uint32_t site, struct definition *definition)
{
	definition->count = 1 + (uint32_t)draw(CT_GROUP_MEMBERS - 1);
	for (uint32_t k = 0; k < definition->count; k++)
		definition->distance[k] = draw(2) ? draw(4096) : 0 - draw(1u << 20);
	return ct_encode_group(words, site, definition->count, definition->distance);
}

static void expect_group(const struct definition *definition, uint64_t site, uint32_t mask,
			 uint64_t cta, const uint64_t address[CT_WARP_LANES])
{
	uint64_t moved[CT_WARP_LANES];

	append(&expected, site, mask, cta, address);
	for (uint32_t k = 0; k < definition->count; k++) {
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			moved[lane] = address[lane] + definition->distance[k];
		if (site + k + 1 != UNKNOWN_SITE)
			append(&expected, site + k + 1, mask, cta, moved);
	}
}

#define LEADERS 12u
#define SPACING 8u /* from one leader to the next */

/* A stream of segments, definitions and accesses; what is not wanted defines groups, too. */
static uint32_t put_stream(uint64_t *words, uint32_t room)
{
	struct definition known[LEADERS] = {0};
	uint64_t address[CT_WARP_LANES], cta = 0;
	uint32_t n = 0, launch = 1;

	while (n + 2 * CT_RECORD_BYTES_MAX / 8 < room) {
		uint32_t leader = (uint32_t)draw(LEADERS), site = leader * SPACING;
		uint32_t mask = draw(2) ? CT_FULL_MASK : (uint32_t)draw(UINT32_MAX) | 1;
		uint64_t what = n ? draw(16) : 0;

		if (what == 0) {
			memset(known, 0, sizeof(known));
			launch = draw(4) ? 1 : UNWANTED_LAUNCH;
			words[n++] = CT_SEGMENT_WORD0(3, 5, launch);
			words[n++] = CT_SEGMENT_WORD1(1, cta = draw(1000));
		} else if (what < 3) {
			words[n++] = CT_SEGMENT_SHORT_WORD(draw(32), cta = draw(1000));
		} else if (what < 6) {
			n += put_definition(words + n, site, &known[leader]);
		} else if (what == 6) {
			words[n++] = 0;
		} else {
			site += draw(3) == 0; /* a member by itself */
			draw_addresses(address, site);
			n += ct_encode_access(words + n, site, bytes_of(site), mask, address);
			if (launch == 1 && site % SPACING == 0)
				expect_group(&known[leader], site, mask, cta, address);
			else if (launch == 1)
				append(&expected, site, mask, cta, address);
		}
	}
	return n;
}

Test(groups, stand_for_their_members_in_streams_of_all_kinds)
{
	for (unsigned i = 0; i < 400; i++) {
		uint64_t words[600];
		uint32_t n;

		expected.count = decoded.count = 0;
		n = put_stream(words, 600);
		cr_assert_eq(decode(words, n, NULL), 0);
		compare();
	}
}

static const uint64_t example_distance[] = {16, (uint64_t)-4};

Test(groups, members_keep_the_shape_of_the_leader)
{
	uint64_t words[32] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 0)};
	uint64_t address[CT_WARP_LANES];
	uint32_t n = 2;

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = 0x1000 + 4 * lane;
	n += ct_encode_group(words + n, 2, 2, example_distance);
	n += ct_encode_access(words + n, 2, bytes_of(2), CT_FULL_MASK, address);
	cr_assert_eq(n, 6);
	cr_assert_eq(decode(words, n, NULL), 0);
	cr_assert_eq(decoded.count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		cr_assert(decoded.item[i].is_linear);
		cr_assert_eq(decoded.item[i].stride, 4);
		cr_assert_eq(decoded.item[i].site, 2 + i);
	}
	cr_assert_eq(decoded.item[1].address[0], 0x1010);
	cr_assert_eq(decoded.item[2].address[0], 0xffc);
}

Test(groups, members_that_are_not_known_are_left_out)
{
	uint64_t words[32] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 0)};
	uint64_t address[CT_WARP_LANES] = {0x1000};
	uint32_t n = 2;

	n += ct_encode_group(words + n, UNKNOWN_SITE - 1, 2, example_distance);
	n += ct_encode_access(words + n, UNKNOWN_SITE - 1, 4, 1, address);
	cr_assert_eq(decode(words, n, NULL), 0);
	cr_assert_eq(decoded.count, 2);
	cr_assert_eq(decoded.item[1].site, UNKNOWN_SITE + 1);
	cr_assert_eq(decoded.item[1].address[0], 0xffc);
}

Test(groups, stop_with_the_callback)
{
	uint64_t words[32] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 0)};
	uint64_t address[CT_WARP_LANES] = {0x1000};
	uint32_t n = 2;

	n += ct_encode_group(words + n, 3, 2, example_distance);
	n += ct_encode_access(words + n, 3, 4, 1, address);
	for (uint32_t i = 1; i <= 3; i++) {
		decoded.count = 0;
		decoded.stop_at = i;
		cr_assert_eq(decode(words, n, NULL), 17);
		cr_assert_eq(decoded.count, i);
	}
}

Test(groups, more_than_a_kernel_has_are_not_valid)
{
	uint64_t words[64] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 0)};
	size_t position;
	uint32_t n = 2;

	for (uint32_t i = 0; i < CT_GROUPS_MAX; i++)
		n += ct_encode_group(words + n, 10 * i, 1, example_distance);
	n += ct_encode_group(words + n, 0, 2, example_distance); /* anew */
	cr_assert_eq(decode(words, n, NULL), 0);
	position = n;
	n += ct_encode_group(words + n, 1000, 1, example_distance);
	cr_assert_eq(decode(words, n, &position), -CT_ERECORD);
	cr_assert_eq(position, 8 * (n - 2));
}

static void draw_loop_site(struct ct_loop_site *site)
{
	static const int32_t steps[] = {0, 4, -4, 1 << 20, INT32_MIN};

	site->base = draw(4) ? 0x7f0000000000u + draw(1u << 24) : draw(2) * CT_ADDRESS_MASK;
	site->log2_width = (uint32_t)draw(6);
	site->inner = steps[draw(5)];
	site->outer = draw(2) ? (int32_t)((uint32_t)site->inner << site->log2_width)
			      : (int32_t)draw(UINT32_MAX);
	site->step = draw(2) ? (int64_t)draw(4096) - 2048 : (int64_t)draw(UINT64_MAX);
}

static void expect_loop(const struct ct_loop_site *sites, uint32_t site, uint32_t count,
			uint64_t iterations)
{
	uint64_t address[CT_WARP_LANES];

	for (uint64_t i = 0; i < iterations; i++)
		for (uint32_t k = 0; k < count; k++) {
			const struct ct_loop_site *at = &sites[k];
			uint64_t width = 1u << at->log2_width;

			if (site + k == UNKNOWN_SITE)
				continue;
			for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
				address[lane] =
				    (at->base + lane % width * (uint64_t)at->inner +
				     lane / width * (uint64_t)at->outer + i * (uint64_t)at->step) %
				    (1ull << 48);
			append(&expected, site + k, CT_FULL_MASK, 7, address);
		}
}

Test(loops, stand_for_their_iterations)
{
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t words[80] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 7)};
		struct ct_loop_site sites[CT_LOOP_SITES];
		uint32_t count = 1 + (uint32_t)draw(CT_LOOP_SITES), site, n = 2;
		uint64_t iterations = 1 + draw(60);

		site = draw(8) ? 60 + (uint32_t)draw(20) : CT_SITE_EXTENDED - count;
		for (uint32_t k = 0; k < count; k++)
			draw_loop_site(&sites[k]);
		/* A group of one of its sites does not apply. */
		n += ct_encode_group(words + n, 62, 2, example_distance);
		n += ct_encode_loop(words + n, site, count, iterations, sites);
		expected.count = decoded.count = 0;
		expect_loop(sites, site, count, iterations);
		cr_assert_eq(decode(words, n, NULL), 0);
		compare();
	}
}

Test(loops, tell_lines)
{
	const struct {
		struct ct_loop_site site;
		bool is_linear;
		int64_t stride;
	} known[] = {
	    {{0x1000, 5, 4, 0, 128}, true, 4},    {{0x1000, 5, 0, 99, 128}, true, 0},
	    {{0x1000, 0, 99, -8, 128}, false, 0}, /* below 0 */
	    {{0x2000, 0, 99, -8, 128}, true, -8}, {{0x1000, 4, 4, 64, 128}, true, 4},
	    {{0x1000, 4, 4, 68, 128}, false, 0},  {{CT_ADDRESS_MASK - 8, 5, 4, 0, 0}, false, 0},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		uint64_t words[80] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 7)};
		uint32_t n = 2 + ct_encode_loop(words + 2, 1, 1, 1, &known[i].site);

		if (i == 2) /* lane 31 is at 0x1000 - 31 * 8 without this */
			words[4] = 0xf0;
		decoded.count = 0;
		cr_assert_eq(decode(words, n, NULL), 0);
		cr_assert_eq(decoded.item[0].is_linear, known[i].is_linear, "case %zu", i);
		if (known[i].is_linear)
			cr_assert_eq(decoded.item[0].stride, known[i].stride, "case %zu", i);
	}
}

Test(loops, without_end_stop_with_the_callback)
{
	uint64_t words[80] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 7)};
	const struct ct_loop_site sites[2] = {{0x1000, 5, 4, 0, 4}, {0x2000, 5, 4, 0, 4}};
	uint32_t n = 2 + ct_encode_loop(words + 2, 1, 2, UINT64_MAX, sites);

	decoded.stop_at = 1001;
	cr_assert_eq(decode(words, n, NULL), 17);
	cr_assert_eq(decoded.count, 1001);
	cr_assert_eq(decoded.item[1000].address[0], 0x1000 + 4 * 500);
}

Test(loops, without_end_cost_nothing_where_they_are_not_wanted)
{
	uint64_t words[80] = {CT_SEGMENT_WORD0(0, 0, UNWANTED_LAUNCH), CT_SEGMENT_WORD1(0, 7)};
	const struct ct_loop_site site = {0x1000, 5, 4, 0, 4};
	uint32_t n = 2 + ct_encode_loop(words + 2, 1, 1, UINT64_MAX, &site);

	words[n++] = CT_SEGMENT_WORD0(0, 0, 1);
	words[n++] = CT_SEGMENT_WORD1(0, 7);
	n += ct_encode_loop(words + n, UNKNOWN_SITE, 1, UINT64_MAX, &site);
	cr_assert_eq(decode(words, n, NULL), 0);
	cr_assert_eq(decoded.count, 0);
}
