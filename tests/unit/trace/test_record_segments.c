/* SPDX-License-Identifier: Apache-2.0 */
/* Short segments, the documented example of groups and loops, and what is not valid of them. */
#include "tests/unit/trace/record_list.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <cudatrace/error.h>

TestSuite(segments, .init = make_lists, .fini = free_lists);

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
	    {{SEGMENT, EXTENDED(4, 1, 1), 4, 4, 4, 4}, 7, 16},
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

/* Words before the one that is refused are sound, and were handed on as they are. */
Test(segments, random_words_of_the_new_kinds_are_read_up_to_what_is_not_valid)
{
	unsigned sound = 0, refused = 0, stopped = 0;

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t words[24] = {CT_SEGMENT_WORD0(0, 0, 1), 0};
		size_t position = 12345, length = 3 + i % 22;
		uint32_t count;
		int err;

		decoded.count = 0;
		decoded.stop_at = 1000;
		for (size_t k = 2; k < length; k++) {
			uint64_t low = draw(UINT64_MAX) >> draw(64);

			words[k] =
			    draw(3) ? low : EXTENDED(draw(3), draw(100), draw(2) ? draw(20) : low);
		}
		err = decode(words, length, &position);
		count = decoded.count;
		decoded.count = 0;
		sound += err == 0;
		if (err == 17) {
			cr_assert_eq(count, decoded.stop_at);
			stopped++;
		} else if (err < 0) {
			cr_assert_eq(err, -CT_ERECORD);
			cr_assert_lt(position, 8 * length);
			cr_assert_eq(decode(words, position / 8, NULL), 0, "round %u", i);
			cr_assert_eq(decoded.count, count, "round %u", i);
			refused++;
		}
	}
	cr_assert_gt(sound, 10);
	cr_assert_gt(refused, 10000);
	cr_assert_gt(stopped, 10);
}
