/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct bytes of accesses: what goes through the shuffle against bytes that are marked one by
 * one, and sums over blocks against the same. */
#include "postproc/analysis/access/footprint.h"
#include "postproc/analysis/access/touched.h"
#include "tests/unit/trace/trace_random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct ct_access_request request;

/* Joins what goes through the shuffle, by its key. */
static int join_pieces(void *user, void *records, size_t count)
{
	struct ct_access_entry *entry = records;
	uint8_t *all = user;

	for (size_t i = 0; i < count; i++, entry++) {
		uint64_t at = ct_access_entry_launch(entry) * 3 + ct_access_entry_site(entry);
		uint32_t part = entry->key[1] & CT_ACCESS_PART_MASK;
		uint32_t width = part == CT_ACCESS_PART_WORDS ? 4 : 1;
		uint8_t *bytes = all + (at << 23) + (entry->key[0] >> CT_ACCESS_LAUNCH_LOW) * 512;

		cr_assert_eq(ct_access_entry_group(entry), 5);
		bytes += width == 1 ? part * 128 : 0;
		for (uint32_t b = 0; b < 128; b++)
			if (entry->value[b / 64] >> b % 64 & 1)
				memset(bytes + (size_t)b * width, 1, width);
	}
	return 0;
}

#define RANGE_MAX 20000u

/* Four lanes of ranges of any length, of which half begin and end with a word. */
static void touch_ranges(uint8_t *bytes, struct ct_access_footprint *footprint, uint32_t launch)
{
	uint64_t address[CT_WARP_LANES], range[CT_WARP_LANES];
	uint32_t site = (uint32_t)trace_random_below(3), mask = 0x81010001u;
	uint64_t unit = trace_random_below(2) ? 4 : 1;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		address[lane] = trace_random_below((8 << 20) - RANGE_MAX) / unit * unit;
		range[lane] =
		    trace_random_below(trace_random_below(2) ? 8 : RANGE_MAX) / unit * unit;
		memset(bytes + ((launch * 3 + site) << 23) + address[lane], 1, range[lane]);
	}
	ct_access_request_make(&request, address, mask, 0, range);
	cr_assert_eq(ct_access_footprint_add(footprint, &request, launch, 5, site), 0);
}

/* Site 0 goes along, 1 comes back to all of a few hundred KiB, 2 is anywhere in 8 MiB; one request
 * in eight is not of whole words. */
static void touch(uint8_t *bytes, struct ct_access_footprint *footprint, uint32_t i)
{
	uint64_t address[CT_WARP_LANES];
	uint32_t site = (uint32_t)trace_random_below(3), launch = i / 30000;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		address[lane] = site == 0   ? (uint64_t)i * 128 + 4 * lane
				: site == 1 ? 12 * trace_random_below(400000)
					    : 4 * trace_random_below(2 << 20);
		address[lane] = address[lane] % ((8 << 20) - 8) + (i % 8 ? 0 : lane % 4);
		memset(bytes + ((launch * 3 + site) << 23) + address[lane], 1, 4);
	}
	ct_access_request_make(&request, address, CT_FULL_MASK, 4, NULL);
	cr_assert_eq(ct_access_footprint_add(footprint, &request, launch, 5, site), 0);
}

/* With room for nearly nothing, for some, and for all. */
static void check_footprint(uint64_t page_bytes)
{
	struct ct_ranks *alone = ct_ranks_alone();
	const struct ct_shuffle_options options = {.record_bytes = sizeof(struct ct_access_entry),
						   .partitions = CT_ACCESS_PARTITIONS,
						   .writers = 1,
						   .readers = 1,
						   .memory_bytes = 64 << 20,
						   .key_mask = {UINT64_MAX, UINT64_MAX},
						   .directory = "/tmp",
						   .ranks = alone};
	uint8_t *all = calloc(6, 8 << 20), *bytes = calloc(6, 8 << 20);
	struct ct_access_footprint *footprint;
	struct ct_shuffle *pieces;

	cr_assert(all && bytes);
	cr_assert_eq(ct_shuffle_open(&pieces, &options), 0);
	cr_assert_eq(ct_access_footprint_open(&footprint, pieces, 0, page_bytes), 0);
	trace_random_state = 5;
	for (uint32_t i = 0; i < 60000; i++) {
		touch(bytes, footprint, i);
		if (i % 500 == 0)
			touch_ranges(bytes, footprint, i / 30000);
	}
	cr_assert_eq(ct_access_footprint_finish(footprint), 0);
	cr_assert_eq(ct_shuffle_finish(pieces), 0);
	for (uint32_t p = 0; p < CT_ACCESS_PARTITIONS; p++)
		cr_assert_eq(ct_shuffle_each(pieces, p, join_pieces, all), 0);
	cr_assert(memcmp(bytes, all, (size_t)6 << 23) == 0);
	ct_access_footprint_close(footprint);
	ct_shuffle_close(pieces);
	free(bytes);
	free(all);
}

Test(access_footprint, has_each_byte_whatever_room_there_is)
{
	check_footprint(0);
	check_footprint(3 << 20);
	check_footprint(64 << 20);
}

#define BLOCK 512u

/* Counts units of so many bytes that hold a marked one. */
static uint64_t count_units(const uint8_t *byte, uint32_t unit)
{
	uint64_t count = 0;

	for (uint32_t at = 0; at < BLOCK; at += unit) {
		bool has_any = false;

		for (uint32_t b = 0; b < unit; b++)
			has_any |= byte[at + b];
		count += has_any;
	}
	return count;
}

/* A few words or bytes, anywhere. */
static void mark(struct ct_access_touched *touched, uint8_t *byte, bool is_words)
{
	uint32_t part =
	    is_words ? CT_ACCESS_PART_WORDS : (uint32_t)trace_random_below(CT_ACCESS_QUARTERS);
	uint32_t width = is_words ? 4 : 1, begin = is_words ? 0 : part * 128;
	struct ct_access_entry entry = {.key[1] = part};

	for (uint32_t i = (uint32_t)trace_random_below(6); i; i--) {
		uint32_t bit = (uint32_t)trace_random_below(128);

		entry.value[bit / 64] |= (uint64_t)1 << bit % 64;
		memset(byte + begin + (size_t)bit * width, 1, width);
	}
	ct_access_touched_add(touched, &entry);
}

Test(access_touched, has_the_sums_of_bytes_that_are_marked)
{
	struct ct_access_touched all = {0}, some = {0};

	trace_random_state = 7;
	for (uint32_t i = 0; i < 20000; i++) {
		uint8_t byte[BLOCK] = {0};
		struct ct_access_touched_sums sums;

		for (uint32_t k = (uint32_t)trace_random_below(5); k; k--) {
			mark(&some, byte, i % 2 || trace_random_below(2));
			ct_access_touched_join(&all, &some);
			ct_access_touched_clear(&some);
		}
		sums = ct_access_touched_sums(&all);
		ct_access_touched_clear(&all);
		cr_assert_eq(sums.bytes, count_units(byte, 1));
		cr_assert_eq(sums.sectors, count_units(byte, 32));
		cr_assert_eq(sums.lines[0], count_units(byte, 64));
		cr_assert_eq(sums.lines[1], count_units(byte, 128));
	}
}
