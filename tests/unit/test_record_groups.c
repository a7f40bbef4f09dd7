/* SPDX-License-Identifier: Apache-2.0 */
/* Records of groups and loops, and short segments, against the accesses that they stand for. */
#include "trace/decode.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <cudatrace/error.h>
#include <stdlib.h>
#include <string.h>

#define UNWANTED_LAUNCH 99u
#define UNKNOWN_SITE 77u
#define ACCESSES_MAX 20000u

struct access {
	uint64_t site;
	uint32_t mask;
	uint32_t warp;
	uint64_t cta;
	uint64_t address[CT_WARP_LANES];
	bool is_linear;
	int64_t stride;
};

/* What was handed on, or what should be. */
struct list {
	struct access *item;
	uint32_t count;
	uint32_t stop_at; /* 0: never */
	struct ct_segment segment;
	uint32_t segments;
	uint64_t address[CT_WARP_LANES];
};

static struct list decoded, expected;

static void make_lists(void)
{
	memset(&decoded, 0, sizeof(decoded));
	memset(&expected, 0, sizeof(expected));
	decoded.item = calloc(ACCESSES_MAX, sizeof(*decoded.item));
	expected.item = calloc(ACCESSES_MAX, sizeof(*expected.item));
}

static void free_lists(void)
{
	free(decoded.item);
	free(expected.item);
}

TestSuite(groups, .init = make_lists, .fini = free_lists);
TestSuite(loops, .init = make_lists, .fini = free_lists);
TestSuite(segments, .init = make_lists, .fini = free_lists);

/* Sites have different sizes. */
static uint32_t bytes_of(uint64_t site)
{
	return 1u << site % 5;
}

static int on_segment(void *user, const struct ct_segment *segment)
{
	(void)user;
	decoded.segment = *segment;
	decoded.segments++;
	return segment->launch != UNWANTED_LAUNCH;
}

static int on_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	(void)user;
	(void)kind;
	*bytes = bytes_of(site);
	return site == UNKNOWN_SITE;
}

static void append(struct list *list, uint64_t site, uint32_t mask, uint64_t cta,
		   const uint64_t address[CT_WARP_LANES])
{
	struct access *item = &list->item[list->count++];

	cr_assert_leq(list->count, ACCESSES_MAX);
	memset(item, 0, sizeof(*item));
	item->site = site;
	item->mask = mask;
	item->cta = cta;
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		item->address[__builtin_ctz(rest)] = address[__builtin_ctz(rest)];
}

static int on_access(void *user, uint64_t site, const struct ct_decoded_access *access)
{
	(void)user;
	append(&decoded, site, access->mask, decoded.segment.cta, decoded.address);
	decoded.item[decoded.count - 1].is_linear = access->is_linear;
	decoded.item[decoded.count - 1].stride = access->stride;
	return decoded.count == decoded.stop_at ? 17 : 0;
}

static int decode(const uint64_t *words, size_t count, size_t *position)
{
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site = on_site,
	    .access = on_access,
	    .address = decoded.address,
	};

	return ct_decode(&decoder, words, 8 * count, position);
}

static void check_line(const struct access *item)
{
	int first = __builtin_ctz(item->mask);

	for (uint32_t rest = item->mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		cr_assert_eq(item->address[lane],
			     item->address[first] +
				 (uint64_t)(lane - first) * (uint64_t)item->stride);
	}
}

static void compare(void)
{
	cr_assert_eq(decoded.count, expected.count, "%u accesses, expected %u", decoded.count,
		     expected.count);
	for (uint32_t i = 0; i < expected.count; i++) {
		const struct access *is = &decoded.item[i], *should = &expected.item[i];

		cr_assert_eq(is->site, should->site, "access %u", i);
		cr_assert_eq(is->mask, should->mask, "access %u", i);
		cr_assert_eq(is->cta, should->cta, "access %u", i);
		cr_assert_arr_eq(is->address, should->address, sizeof(is->address), "access %u", i);
		if (is->is_linear)
			check_line(is);
	}
}

static uint64_t random_state = 4101842887655102017u;

static uint64_t draw(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

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

Test(segments, short_ones_take_launch_and_sm_from_the_one_before)
{
	const uint64_t words[] = {
	    CT_SEGMENT_WORD0(0xabc, 9, 7),
	    CT_SEGMENT_WORD1(3, 5),
	    0,
	    CT_SEGMENT_SHORT_WORD(31, (1ull << 54) - 1),
	    CT_SEGMENT_WORD0(1, 9, UNWANTED_LAUNCH),
	    CT_SEGMENT_WORD1(3, 5),
	    CT_SEGMENT_SHORT_WORD(2, 6),
	};

	cr_assert_eq(decode(words, 4, NULL), 0);
	cr_assert_eq(decoded.segments, 2);
	cr_assert_eq(decoded.segment.launch, 7);
	cr_assert_eq(decoded.segment.sm, 0xabc);
	cr_assert_eq(decoded.segment.sequence, 0);
	cr_assert_eq(decoded.segment.warp, 31);
	cr_assert_eq(decoded.segment.cta, (1ull << 54) - 1);
	cr_assert_eq(decoded.segment.position, 24);
	cr_assert_eq(decode(words, 7, NULL), 0);
	cr_assert_eq(decoded.segment.launch, UNWANTED_LAUNCH);
	cr_assert_eq(decoded.segment.warp, 2);
}

/* The worked example of docs/trace-format.md. */
Test(segments, the_documented_example_is_what_is_written)
{
	static const uint8_t example[] = {
	    0x07, 0x00, 0x00, 0x00, 0x02, 0x00, 0x03, 0xf0, /* launch 7, sequence 2, SM 3 */
	    0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, /* CTA 5, warp 1 */
	    0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x0c, 0xe0, /* GROUP, leader 12 */
	    0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* distance */
	    0x00, 0x10, 0x00, 0x00, 0x00, 0x7f, 0x0c, 0x10, /* AFFINE */
	    0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08, /* short header: warp 2 */
	    0x80, 0x10, 0x00, 0x00, 0x00, 0x7f, 0x0c, 0x10, /* AFFINE */
	    0x01, 0x00, 0x00, 0x00, 0x00, 0x02, 0x14, 0xe0, /* LOOP, site 20 */
	    0xe8, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* iterations */
	    0x00, 0x30, 0x00, 0x00, 0x00, 0x7f, 0x00, 0x28, /* base, L */
	    0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* inner */
	    0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* step */
	};
	static const struct ct_loop_site loop = {0x7f0000003000u, 5, 4, 0, 128};
	static const uint64_t distance = 4096;
	uint64_t words[32] = {CT_SEGMENT_WORD0(3, 2, 7), CT_SEGMENT_WORD1(1, 5)};
	uint64_t address[CT_WARP_LANES];
	uint32_t n = 2;

	n += ct_encode_group(words + n, 12, 1, &distance);
	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = 0x7f0000001000u + 4 * lane;
	n += ct_encode_access(words + n, 12, 4, CT_FULL_MASK, address);
	words[n++] = CT_SEGMENT_SHORT_WORD(2, 5);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] += 128;
	n += ct_encode_access(words + n, 12, 4, CT_FULL_MASK, address);
	n += ct_encode_loop(words + n, 20, 1, 1000, &loop);
	cr_assert_eq(8 * n, sizeof(example));
	cr_assert_arr_eq(words, example, sizeof(example));
	cr_assert_eq(decode(words, n, NULL), 0);
	cr_assert_eq(decoded.count, 4 + 1000);
	cr_assert_eq(decoded.item[1].address[0], 0x7f0000002000u);
}

#define SEGMENT CT_SEGMENT_WORD0(0, 0, 1), 0
#define EXTENDED(variant, site, low)                                                               \
	((uint64_t)CT_REC_EXTENDED << 60 | (uint64_t)(site) << 48 | (uint64_t)(variant) << 40 |    \
	 (low))
#define LINEAR 5ull << 59

Test(segments, what_is_not_valid_is_refused)
{
	const struct {
		uint64_t words[8];
		size_t count, position;
	} bad[] = {
	    {{CT_SEGMENT_SHORT_WORD(1, 1), 0, 0}, 3, 0}, /* nothing before it */
	    {{0, CT_SEGMENT_SHORT_WORD(1, 1)}, 2, 8},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_GROUP, 1, 0), 4}, 4, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_GROUP, 1, 6), 1, 2, 3, 4, 5}, 8, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_GROUP, 1, 2), 4}, 4, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_GROUP, 1, 1 | 1 << 8), 4}, 4, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_GROUP, 1, 1 | 1ull << 39), 4}, 4, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_GROUP, 0xffd, 2), 1, 2}, 5, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_GROUP, 0xfff, 1), 1}, 4, 16},
	    {{SEGMENT, 13ull << 60 | 0xfff, EXTENDED(CT_EXTENDED_GROUP, 0xfff, 1), 1}, 5, 16},
	    {{SEGMENT, 13ull << 60 | 0xfff, EXTENDED(CT_EXTENDED_LOOP, 0xfff, 1), 1, LINEAR, 0, 0},
	     8,
	     16},
	    {{SEGMENT, EXTENDED(3, 1, 1), 4, 4, 4, 4}, 7, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_RANGE, 1, 1), 1, 4, 4}, 6, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_LOOP, 1, 0), 1, LINEAR, 0, 0}, 7, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_LOOP, 1, 17), 1, LINEAR, 0, 0}, 7, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_LOOP, 1, 2), 1, LINEAR, 0, 0}, 7, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_LOOP, 1, 1), 0, LINEAR, 0, 0}, 7, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_LOOP, 1, 1), 1, 6ull << 59, 0, 0}, 7, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_LOOP, 1, 1), 1, LINEAR | 1ull << 48, 0, 0}, 7, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_LOOP, 1, 1), 1, LINEAR, 0}, 6, 16},
	    {{SEGMENT, EXTENDED(CT_EXTENDED_LOOP, 0xfff, 1), 1, LINEAR, 0, 0}, 7, 16},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		size_t position = 12345;

		cr_assert_eq(decode(bad[i].words, bad[i].count, &position), -CT_ERECORD, "case %zu",
			     i);
		cr_assert_eq(position, bad[i].position, "case %zu: %zu", i, position);
		cr_assert_eq(decoded.count, 0);
	}
}

Test(segments, random_words_of_the_new_kinds_do_no_harm)
{
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t words[24] = {CT_SEGMENT_WORD0(0, 0, 1), 0};

		decoded.count = 0;
		decoded.stop_at = 1000;
		for (size_t k = 2; k < 24; k++) {
			uint64_t low = draw(UINT64_MAX) >> draw(64);

			words[k] =
			    draw(3) ? low : EXTENDED(draw(3), draw(100), draw(2) ? draw(20) : low);
		}
		decode(words, 24, NULL);
	}
}
