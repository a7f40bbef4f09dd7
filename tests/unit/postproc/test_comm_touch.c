/* SPDX-License-Identifier: Apache-2.0 */
/* Touches come out of their words as they went in, and their keys order them. */
#include "postproc/analysis/comm/base/engine.h"
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>

#define PAGE_BITS 31 /* of an address of 47 bits */

static const struct ct_touch_limits small = {2, 1, 1, 1, 64, false};
/* 10, 16, 4 and 23 + 9 bits, beside 21 and 45: as much as two words hold. */
static const struct ct_touch_limits full = {1023, 1u << 16, 15, (1u << 23) - 1, 511, false};
static const struct ct_touch_limits over = {1023, 1u << 16, 15, 1u << 23, 511, false};
static const struct ct_touch_limits large = {
    (1u << CT_SUPERSTEP_BITS) - 1, UINT32_MAX, CT_NO_SITE - 1, (1u << 28) - 1, (1u << 21), false};

static struct ct_touch_layout layout_of(const struct ct_touch_limits *limits)
{
	struct ct_touch_layout layout;

	cr_assert_eq(ct_touch_choose_layout(&layout, limits), 0);
	return layout;
}

static uint64_t random_below(uint64_t end)
{
	uint64_t value = (uint64_t)random() << 31 ^ (uint64_t)random();

	/* The ends are the likeliest to be cut off. */
	switch (random() % 4) {
	case 0:
		return end - 1;
	case 1:
		return 0;
	default:
		return value % end;
	}
}

static struct ct_touch random_touch(const struct ct_touch_limits *limits)
{
	struct ct_touch_layout layout = layout_of(limits);
	uint64_t chunk = random_below(limits->chunks), at = random_below(limits->chunk_words);

	return (struct ct_touch){
	    .page = random_below(1ull << PAGE_BITS),
	    .order = random_below(32) << CT_ORDER_BITS | chunk << layout.in_chunk_bits | at,
	    .superstep = (uint32_t)random_below(limits->supersteps),
	    .cta = (uint32_t)random_below(limits->ctas),
	    .site = random() % 4 ? (uint32_t)random_below(limits->sites) : CT_NO_SITE,
	    .times = 1 + (uint32_t)random_below(32),
	    .first = (uint16_t)random_below(CT_PAGE_BYTES),
	    .last = (uint16_t)random_below(CT_PAGE_BYTES),
	    .kind = (uint8_t)random_below(8),
	};
}

static void pack(const struct ct_touch_layout *layout, uint64_t word[CT_TOUCH_WORDS_MAX],
		 const struct ct_touch *touch)
{
	ct_touch_pack_access(layout, word, touch);
	ct_touch_pack_bytes(word, touch);
}

static void check_round_trip(const struct ct_touch_limits *limits)
{
	struct ct_touch_layout layout = layout_of(limits);

	for (int i = 0; i < 10000; i++) {
		const struct ct_touch in = random_touch(limits);
		uint64_t word[CT_TOUCH_WORDS_MAX];
		struct ct_touch out;

		pack(&layout, word, &in);
		ct_touch_unpack(&layout, &out, word, ct_touch_partition(in.page));
		cr_assert_eq(out.page, in.page);
		cr_assert_eq(out.order, in.order);
		cr_assert_eq(out.superstep, in.superstep);
		cr_assert_eq(out.cta, in.cta);
		cr_assert_eq(out.site, in.site);
		cr_assert_eq(out.times, in.times);
		cr_assert_eq(out.first, in.first);
		cr_assert_eq(out.last, in.last);
		cr_assert_eq(out.kind, in.kind);
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By page, superstep and CTA, and by nothing else. */
static void check_keys(const struct ct_touch_limits *limits)
{
	struct ct_touch_layout layout = layout_of(limits);
	uint64_t mask[2];

	ct_touch_key(&layout, mask);
	for (int i = 0; i < 10000; i++) {
		struct ct_touch x = random_touch(limits), y = random_touch(limits);
		uint64_t a[CT_TOUCH_WORDS_MAX], b[CT_TOUCH_WORDS_MAX];
		int wanted, found;

		y.page = random() % 2 ? x.page : y.page ^ ((y.page ^ x.page) & 0xfffff);
		y.superstep = random() % 2 ? x.superstep : y.superstep;
		y.cta = random() % 2 ? x.cta : y.cta;
		pack(&layout, a, &x);
		pack(&layout, b, &y);
		wanted =
		    compare(x.page >> CT_TOUCH_PARTITION_BITS, y.page >> CT_TOUCH_PARTITION_BITS);
		wanted = wanted ? wanted : compare(x.superstep, y.superstep);
		wanted = wanted ? wanted : compare(x.cta, y.cta);
		found = compare(a[0] & mask[0], b[0] & mask[0]);
		found = found ? found : compare(a[1] & mask[1], b[1] & mask[1]);
		cr_assert_eq(found, wanted);
	}
}

Test(touch, two_words_while_they_suffice)
{
	cr_assert_eq(layout_of(&small).words, 2);
	cr_assert_eq(layout_of(&full).words, 2);
	cr_assert_eq(layout_of(&over).words, 3);
	cr_assert_eq(layout_of(&large).words, 3);
}

Test(touch, as_it_went_in)
{
	check_round_trip(&small);
	check_round_trip(&full);
	check_round_trip(&over);
	check_round_trip(&large);
}

Test(touch, keys)
{
	check_keys(&small);
	check_keys(&full);
	check_keys(&over);
	check_keys(&large);
}

Test(touch, too_many_chunks)
{
	const struct ct_touch_limits limits = {1, 1, 1, 1ull << 40, 1u << 21, false};
	struct ct_touch_layout layout;

	cr_assert_eq(ct_touch_choose_layout(&layout, &limits), -EOVERFLOW);
}

/* Groups and loops stand for more accesses than a chunk has words. */
Test(touch, what_is_left_over_is_for_accesses_of_a_chunk)
{
	struct ct_touch_limits wide = full;
	struct ct_touch_layout layout = layout_of(&small);

	cr_assert_eq(layout.words, 2);
	cr_assert_eq(layout.in_chunk_bits, CT_ORDER_BITS - 1);
	layout = layout_of(&full);
	cr_assert_eq(layout.words, 2);
	cr_assert_eq(layout.in_chunk_bits, 9);
	wide.is_wide = true;
	layout = layout_of(&wide);
	cr_assert_eq(layout.words, 3);
	cr_assert_eq(layout.in_chunk_bits, CT_ORDER_BITS - 23);
}
