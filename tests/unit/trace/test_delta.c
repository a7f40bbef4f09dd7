/* SPDX-License-Identifier: Apache-2.0 */
/* The codec DELTA gives back what went in, whatever it was, and survives what it never made. */
#include "trace/codec/delta.h"
#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <cudatrace/record.h>
#include <cudatrace/ring.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 40000u

static struct ct_delta *encoder, *decoder;
static uint64_t words[WORDS_MAX], back[WORDS_MAX], state = 88172645463325252ull;

static void make(void)
{
	cr_assert_eq(ct_delta_open(&encoder), 0);
	cr_assert_eq(ct_delta_open(&decoder), 0);
}

static void clean(void)
{
	ct_delta_close(encoder);
	ct_delta_close(decoder);
}

TestSuite(delta, .init = make, .fini = clean, .timeout = 120);

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Through both; 0 where the encoder finds nothing to save. Returns the coded size. */
static int64_t round_trip(size_t count)
{
	const void *coded;
	int64_t size = ct_delta_encode(encoder, words, 8 * count, &coded);

	cr_assert_geq(size, 0);
	cr_assert_leq(size, (int64_t)(8 * count));
	if (size == 0)
		return 0;
	memset(back, 0xa5, 8 * count);
	cr_assert_eq(ct_delta_decode(decoder, coded, (size_t)size, back, 8 * count), 0);
	cr_assert_eq(memcmp(back, words, 8 * count), 0);
	return size;
}

static uint64_t record(enum ct_record_kind kind, uint64_t site, uint64_t low)
{
	return (uint64_t)kind << CT_RECORD_KIND_SHIFT | site << CT_SITE_SHIFT |
	       (low & CT_ADDRESS_MASK);
}

static uint64_t extended(enum ct_extended_variant variant, uint64_t site, uint64_t count)
{
	return record(CT_REC_EXTENDED, site,
		      (uint64_t)variant << CT_EXTENDED_VARIANT_SHIFT | count);
}

/* A few bits, or many. */
static uint64_t some(void)
{
	return next_random() >> next_random() % 64;
}

static size_t put_random_payload(uint64_t *at, size_t count)
{
	for (size_t i = 0; i < count; i++)
		at[i] = some();
	return count;
}

/* A record as the format knows them; returns its words, at most 72. */
static size_t put_random_record(uint64_t *at)
{
	uint64_t site = next_random() % 8 ? next_random() % 6 : next_random() % 4096, count;
	uint32_t mask = next_random() % 2 ? CT_FULL_MASK : (uint32_t)next_random();
	uint64_t address = 0x7f0000000000u + 4 * (some() >> 16);
	uint32_t lanes = (uint32_t)__builtin_popcount(mask);

	switch (next_random() % 15) {
	case 0:
		at[0] = record(CT_REC_STRIDED, site, address);
		at[1] = mask | some() << 32;
		return 2;
	case 1:
		at[0] = record(CT_REC_DELTA, site, address);
		at[1] = mask | 3ull << 32 | 2ull << 40;
		return 2 + put_random_payload(at + 2, (3 * lanes + 7) / 8);
	case 2:
		at[0] = record(CT_REC_RAW, site, 0);
		at[1] = mask;
		return 2 + put_random_payload(at + 2, lanes);
	case 3:
		at[0] = record(CT_REC_NEAR, site, address & ~15ull) | 2 | 2 << 2;
		return 1 + put_random_payload(at + 1, 12);
	case 4:
		at[0] = record(CT_REC_VALUE, site,
			       (uint64_t)CT_VALUE_RAW << CT_VALUE_SHAPE_SHIFT | 4ull << 32 | mask);
		return 1 + put_random_payload(at + 1, (4 * lanes + 7) / 8);
	case 5:
		at[0] = record(CT_REC_EVENT, site, mask);
		return 1;
	case 6:
		at[0] = record(CT_REC_SITE, 0, 5000 + some() % 100);
		at[1] = record(CT_REC_AFFINE, CT_SITE_EXTENDED, address);
		return 2;
	case 7:
		count = 1 + next_random() % (CT_GROUP_MEMBERS - 1);
		at[0] = extended(CT_EXTENDED_GROUP, site % 4000, count);
		return 1 + put_random_payload(at + 1, count);
	case 8:
		count = 1 + next_random() % CT_LOOP_SITES;
		at[0] = extended(CT_EXTENDED_LOOP, site % 4000, count);
		at[1] = 1 + some();
		return 2 + put_random_payload(at + 2, 3 * count);
	case 9:
		at[0] = extended(CT_EXTENDED_RANGE, site, 0);
		at[1] = mask;
		return 2 + put_random_payload(at + 2, 2 * lanes);
	case 10:
		at[0] = 0;
		return 1;
	case 11:
		at[0] = record(CT_REC_AFFINE_MASK, site, address);
		at[1] = mask;
		return 2;
	case 12:
		count = 1 + next_random() % (CT_CONTENT_WORDS / lanes);
		at[0] = extended(CT_EXTENDED_CONTENT, site, count);
		at[1] = mask | some() % 64 << 35;
		return 2 + put_random_payload(at + 2, count * lanes);
	default:
		at[0] = record(CT_REC_AFFINE, site, address);
		return 1;
	}
}

static size_t put_random_segment(uint64_t *at)
{
	uint64_t warp = next_random() % 32, cta = some() >> 10;

	if (next_random() % 4) {
		at[0] = CT_SEGMENT_SHORT_WORD(warp, cta & ((1ull << 54) - 1));
		return 1;
	}
	at[0] = CT_SEGMENT_WORD0(next_random() % 132, some(), next_random() % 3);
	at[1] = CT_SEGMENT_WORD1(warp, cta);
	return 2;
}

Test(delta, records_of_every_kind_come_back)
{
	unsigned coded = 0;

	for (unsigned round = 0; round < 400; round++) {
		size_t count = 0, limit = next_random() % (WORDS_MAX - 100);

		while (count < limit) {
			count += put_random_segment(words + count);
			for (uint64_t i = next_random() % 6; i-- && count < limit;)
				count += put_random_record(words + count);
		}
		coded += round_trip(count) > 0;
		/* Cut anywhere: the last record is not whole. */
		round_trip(count - (count ? next_random() % (count < 70 ? count : 70) : 0));
	}
	cr_assert_gt(coded, 300);
}

Test(delta, words_that_are_no_records_come_back_or_are_left_alone)
{
	for (unsigned round = 0; round < 300; round++) {
		size_t count = next_random() % 5000;

		for (size_t i = 0; i < count; i++)
			words[i] = next_random() % 4 ? some() << next_random() % 64 : next_random();
		round_trip(count);
	}
}

static size_t put_regular(size_t warps)
{
	size_t count = 0;

	for (size_t i = 0; i < warps; i++) {
		if (i % 250 == 0) {
			words[count++] = CT_SEGMENT_WORD0(i / 250 % 132, 0, 1);
			words[count++] = CT_SEGMENT_WORD1(i % 8, i / 8);
		} else {
			words[count++] = CT_SEGMENT_SHORT_WORD(i % 8, i / 8);
		}
		words[count++] = record(CT_REC_AFFINE, 3, 0x7f0000000000u + 128 * i);
	}
	return count;
}

/* The whole point: a warp of a regular kernel takes some bytes. */
Test(delta, regular_records_become_small)
{
	size_t count = put_regular(10000);

	cr_assert_lt(round_trip(count), (int64_t)(10000 * 5 / 2));
}

Test(delta, chunks_do_not_depend_on_earlier_ones)
{
	struct ct_delta *fresh;
	const void *coded;
	int64_t size;

	for (unsigned round = 0; round < 3; round++)
		round_trip(put_regular(1000 + round));
	size = ct_delta_encode(encoder, words, 8000, &coded);
	cr_assert_gt(size, 0);
	cr_assert_eq(ct_delta_open(&fresh), 0);
	cr_assert_eq(ct_delta_decode(fresh, coded, (size_t)size, back, 8000), 0);
	cr_assert_eq(memcmp(back, words, 8000), 0);
	ct_delta_close(fresh);
}

Test(delta, sizes_that_hold_no_words_are_left_alone)
{
	const void *coded;

	cr_assert_eq(ct_delta_encode(encoder, words, 0, &coded), 0);
	cr_assert_eq(ct_delta_encode(encoder, words, 4095, &coded), 0);
	cr_assert_eq(ct_delta_decode(decoder, words, 20, back, 8), -CT_ECODEC);
	cr_assert_eq(ct_delta_decode(decoder, words, 24, back, 12), -CT_ECODEC);
}

/* Each byte changed, each length cut: an error or other words, nothing worse, and
 * what is decoded again is whole. */
Test(delta, damage_is_survived)
{
	size_t count = 0;
	const void *coded;
	int64_t size;
	char *copy;
	unsigned found = 0;

	while (count < 600) {
		count += put_random_segment(words + count);
		count += put_random_record(words + count);
	}
	size = ct_delta_encode(encoder, words, 8 * count, &coded);
	cr_assert_gt(size, 0);
	copy = malloc((size_t)size);
	for (int64_t at = 0; at < size; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			memcpy(copy, coded, (size_t)size);
			copy[at] ^= (char)(1 << bit);
			found += ct_delta_decode(decoder, copy, (size_t)size, back, 8 * count) < 0;
		}
	cr_assert_gt(found, 0);
	for (int64_t bytes = 0; bytes < size; bytes++) {
		char *cut = malloc((size_t)bytes + 1);

		memcpy(cut, coded, (size_t)bytes);
		cr_assert_eq(ct_delta_decode(decoder, cut, (size_t)bytes, back, 8 * count),
			     -CT_ECODEC);
		free(cut);
	}
	cr_assert_eq(ct_delta_decode(decoder, coded, (size_t)size, back, 8 * count - 8),
		     -CT_ECODEC);
	cr_assert_eq(ct_delta_decode(decoder, coded, (size_t)size, back, 8 * count + 8),
		     -CT_ECODEC);
	cr_assert_eq(ct_delta_decode(decoder, coded, (size_t)size, back, 8 * count), 0);
	cr_assert_eq(memcmp(back, words, 8 * count), 0);
	free(copy);
}
