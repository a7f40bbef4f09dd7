/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics on their way to the shuffle: what comes out of it against counts by address, launch and
 * site, for addresses that meet often, rarely and never. */
#include "postproc/analysis/access/held.h"
#include "tests/unit/trace/trace_random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define SITES 3u
#define LAUNCHES 2u
#define ADDRESSES (1u << 20) /* bytes */
#define LANES_PER_MEETING 32u

struct counts {
	uint64_t lanes[LAUNCHES][ADDRESSES];
	uint32_t least_site[LAUNCHES][ADDRESSES];
	uint64_t records;
};

static int take(void *user, void *records, size_t count)
{
	struct counts *counts = user;
	const struct ct_access_entry *entry = records;

	for (size_t i = 0; i < count; i++, entry++) {
		uint64_t launch = entry->key[0], address = entry->key[1];

		cr_assert(launch < LAUNCHES && address < ADDRESSES);
		cr_assert_geq(entry->value[1], counts->least_site[launch][address]);
		counts->lanes[launch][address] -= entry->value[0];
		if (entry->value[1] == counts->least_site[launch][address])
			counts->least_site[launch][address] = 0; /* it was there */
	}
	counts->records += count;
	return 0;
}

/* Site 0 is at a few counters, 1 at some thousand bytes of any, 2 anywhere; sites begin at 1. */
static uint64_t any_address(uint32_t site)
{
	return site == 0   ? 4 * trace_random_below(8)
	       : site == 1 ? trace_random_below(5000)
			   : 8 * trace_random_below(ADDRESSES / 8);
}

static void add(struct ct_access_held *held, struct counts *counts, uint32_t launch)
{
	struct ct_access_meeting meeting[CT_WARP_LANES];
	uint32_t site = (uint32_t)trace_random_below(SITES);
	uint32_t count = 1 + (uint32_t)trace_random_below(CT_WARP_LANES);

	for (uint32_t i = 0; i < count; i++) {
		uint64_t address = any_address(site);
		uint32_t *least = &counts->least_site[launch][address];

		meeting[i] = (struct ct_access_meeting){
		    address, 1 + (uint32_t)trace_random_below(LANES_PER_MEETING)};
		counts->lanes[launch][address] += meeting[i].lanes;
		if (!*least || site + 1 < *least)
			*least = site + 1;
	}
	cr_assert_eq(ct_access_held_add(held, meeting, count, launch, site + 1), 0);
}

static struct ct_shuffle *open_atomics(void)
{
	const struct ct_shuffle_options options = {.record_bytes = sizeof(struct ct_access_entry),
						   .partitions = CT_ACCESS_PARTITIONS,
						   .writers = 1,
						   .readers = 1,
						   .memory_bytes = 64 << 20,
						   .key_mask = {UINT64_MAX, UINT64_MAX},
						   .directory = "/tmp",
						   .ranks = ct_ranks_alone()};
	struct ct_shuffle *atomics;

	cr_assert_eq(ct_shuffle_open(&atomics, &options), 0);
	return atomics;
}

/* Returns how many records there were. */
static uint64_t check(uint64_t page_bytes, uint32_t requests)
{
	struct counts *counts = calloc(1, sizeof(*counts));
	struct ct_shuffle *atomics = open_atomics();
	struct ct_access_held *held;
	uint64_t records;

	cr_assert_not_null(counts);
	cr_assert_eq(ct_access_held_open(&held, atomics, 0, page_bytes), 0);
	trace_random_state = 3;
	for (uint32_t i = 0; i < requests; i++)
		add(held, counts, (uint32_t)((uint64_t)i * LAUNCHES / requests));
	cr_assert_eq(ct_access_held_finish(held), 0);
	cr_assert_eq(ct_shuffle_finish(atomics), 0);
	for (uint32_t p = 0; p < CT_ACCESS_PARTITIONS; p++)
		cr_assert_eq(ct_shuffle_each(atomics, p, take, counts), 0);
	for (uint32_t l = 0; l < LAUNCHES; l++)
		for (uint32_t a = 0; a < ADDRESSES; a++)
			cr_assert(!counts->lanes[l][a] && !counts->least_site[l][a]);
	records = counts->records;
	ct_access_held_close(held);
	ct_shuffle_close(atomics);
	free(counts);
	return records;
}

Test(access_held, has_all_lanes_of_an_address_whatever_room_there_is)
{
	check(0, 60000);
	check(64 << 20, 60000);
}

/* There are 60,000 requests with 16 addresses each in the mean; site 0 has a record for some two
 * hundred lanes, site 1 for as many or at the end, and site 2 mostly joins another. */
Test(access_held, joins_what_meets)
{
	cr_assert_lt(check(64 << 20, 60000), 60000u * 16 / 2);
}

#define ALONE (1u << 19)   /* addresses that come once each */
#define FURTHER (1u << 17) /* that come twice, once these have come */

static int take_alone(void *user, void *records, size_t count)
{
	const struct ct_access_entry *entry = records;
	uint8_t *lanes = user;

	for (size_t i = 0; i < count; i++, entry++) {
		cr_assert_eq(entry->key[0], 0);
		cr_assert_eq(entry->value[1], 1);
		lanes[entry->key[1] / 8] = (uint8_t)(lanes[entry->key[1] / 8] + entry->value[0]);
	}
	return 0;
}

static void add_row(struct ct_access_held *held, uint32_t first)
{
	struct ct_access_meeting meeting[CT_WARP_LANES];

	for (uint32_t i = 0; i < CT_WARP_LANES; i++)
		meeting[i] = (struct ct_access_meeting){8ull * (first + i), 1};
	cr_assert_eq(ct_access_held_add(held, meeting, CT_WARP_LANES, 0, 1), 0);
}

/* A site whose addresses do not meet is not counted for a while, and what it has then loses
 * nothing. */
Test(access_held, counts_what_passes_too)
{
	uint8_t *lanes = calloc(ALONE + FURTHER, 1);
	struct ct_shuffle *atomics = open_atomics();
	struct ct_access_held *held;

	cr_assert_not_null(lanes);
	cr_assert_eq(ct_access_held_open(&held, atomics, 0, 64 << 20), 0);
	for (uint32_t i = 0; i < ALONE + FURTHER; i += CT_WARP_LANES) {
		add_row(held, i);
		if (i >= ALONE)
			add_row(held, i);
	}
	cr_assert_eq(ct_access_held_finish(held), 0);
	cr_assert_eq(ct_shuffle_finish(atomics), 0);
	for (uint32_t p = 0; p < CT_ACCESS_PARTITIONS; p++)
		cr_assert_eq(ct_shuffle_each(atomics, p, take_alone, lanes), 0);
	for (uint32_t i = 0; i < ALONE + FURTHER; i++)
		cr_assert_eq(lanes[i], i < ALONE ? 1 : 2, "%u: %u", i, lanes[i]);
	ct_access_held_close(held);
	ct_shuffle_close(atomics);
	free(lanes);
}
