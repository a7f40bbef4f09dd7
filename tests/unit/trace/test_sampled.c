/* SPDX-License-Identifier: Apache-2.0 */
/* Version 3 read from files: chunks in any order, groups and loops in scans, the tables.
 */
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_sampled.h"
#include "trace/codec/chunk.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNKS 3u
#define ITEMS_MAX 100u

static char *directory;
static struct ct_trace *trace;
static char *records;
static size_t records_bytes, chunk_at[CHUNKS + 1];

static void open_it(void)
{
	char why[512];

	ct_trace_close(trace);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
}

static void make(void)
{
	struct ct_chunk_header header;

	directory = fixture_directory();
	cr_assert_eq(sampled_make(directory, 0), 0);
	records = fixture_read(directory, "device-0-0.ct", &records_bytes);
	for (size_t i = 0; i < CHUNKS; i++) {
		memcpy(&header, records + chunk_at[i], sizeof(header));
		chunk_at[i + 1] = chunk_at[i] + sizeof(header) + header.coded_bytes;
	}
	cr_assert_eq(chunk_at[CHUNKS], records_bytes);
	open_it();
}

static void clean(void)
{
	ct_trace_close(trace);
	free(records);
	fixture_remove(directory);
}

TestSuite(sampled, .init = make, .fini = clean);

/* Write the chunks with these numbers to the file instead. */
static void rewrite(const unsigned *order, size_t count)
{
	char *content = malloc(records_bytes * (count + 1));
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		size_t size = chunk_at[order[i] + 1] - chunk_at[order[i]];

		memcpy(content + bytes, records + chunk_at[order[i]], size);
		bytes += size;
	}
	fixture_write(directory, "device-0-0.ct", content, bytes);
	free(content);
	open_it();
}

struct item {
	uint32_t launch, site, warp, sequence;
	uint64_t cta, segment, first;
};

struct list {
	struct item item[ITEMS_MAX];
	size_t count;
};

static int add_item(void *user, const struct ct_access *access)
{
	struct list *list = user;

	cr_assert_lt(list->count, ITEMS_MAX);
	list->item[list->count++] = (struct item){
	    .launch = access->launch->event->launch,
	    .site = access->site,
	    .warp = access->warp,
	    .sequence = access->sequence,
	    .cta = access->cta,
	    .segment = access->segment,
	    .first = access->address[__builtin_ctz(access->mask)],
	};
	return 0;
}

static uint64_t list_accesses(struct list *list)
{
	const struct ct_scan scan = {.access = add_item, .user = list};
	uint64_t damaged;

	cr_assert_eq(ct_trace_scan(trace, &scan, &damaged), 0);
	return damaged;
}

static void check_item(const struct item *item, uint64_t cta, uint32_t warp, uint32_t site,
		       uint64_t first)
{
	cr_assert_eq(item->launch, 1);
	cr_assert_eq(item->cta, cta);
	cr_assert_eq(item->warp, warp);
	cr_assert_eq(item->site, site);
	cr_assert_eq(item->first, first, "%" PRIx64, item->first);
	cr_assert_eq(item->sequence, 0);
}

static void check_order(const struct list *list)
{
	const struct item *item = list->item;

	cr_assert_eq(list->count, SAMPLED_ACCESSES + SAMPLED_OTHERS);
	check_item(item++, 3, 0, 0, FIXTURE_X);
	check_item(item++, 3, 0, 1, FIXTURE_X + SAMPLED_DISTANCE);
	check_item(item++, 3, 1, 0, FIXTURE_X + 128);
	check_item(item++, 3, 1, 1, FIXTURE_X + 128 + SAMPLED_DISTANCE);
	check_item(item++, 3, 1, 1, FIXTURE_Y);
	check_item(item++, 7, 0, 0, FIXTURE_X + 256);
	check_item(item++, 7, 0, 1, FIXTURE_X + 256 + SAMPLED_DISTANCE);
	for (uint32_t i = 0; i < SAMPLED_ITERATIONS; i++) {
		check_item(item++, 7, 1, 0, FIXTURE_X + 128 * i);
		check_item(item++, 7, 1, 1, FIXTURE_Y - 4 * i);
	}
	for (uint32_t step = 0; step < 8; step++)
		check_item(item++, 7, 1, 2, FIXTURE_Y + 8 * step);
	for (uint32_t site = 0; site < SAMPLED_OTHERS; site++, item++) {
		cr_assert_eq(item->launch, 4);
		cr_assert_eq(item->site, site);
	}
	for (size_t i = 1; i < list->count; i++)
		cr_assert_leq(list->item[i - 1].segment, list->item[i].segment);
}

Test(sampled, chunks_are_read_by_their_tickets)
{
	static const unsigned orders[6][CHUNKS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
						   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	const char *const *warnings;

	for (size_t i = 0; i < 6; i++) {
		struct list list = {.count = 0};

		rewrite(orders[i], CHUNKS);
		cr_assert_eq(list_accesses(&list), 0);
		check_order(&list);
		cr_assert_eq(ct_trace_warnings(trace, &warnings), 0);
	}
}

Test(sampled, a_missing_chunk_is_a_gap)
{
	static const unsigned order[] = {0, 1}; /* without ticket 1 */
	struct list list = {.count = 0};
	const char *const *warnings;

	rewrite(order, 2);
	cr_assert_eq(list_accesses(&list), 0);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 1);
	cr_assert_str_eq(warnings[0], "device-0-0.ct: tickets 1 to 1 are missing");
	cr_assert_eq(list.count, 7 + SAMPLED_OTHERS);
}

Test(sampled, a_chunk_that_is_there_twice_is_read_once_wherever_it_stands)
{
	static const unsigned order[] = {1, 0, 2, 1};
	struct list list = {.count = 0};
	const char *const *warnings;
	char expected[200];

	rewrite(order, 4);
	cr_assert_eq(list_accesses(&list), 1);
	check_order(&list);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 1);
	snprintf(expected, sizeof(expected),
		 "device-0-0.ct: the chunk at byte %zu has tickets that another has, too; skipped",
		 records_bytes);
	cr_assert_str_eq(warnings[0], expected);
}

Test(sampled, each_double_is_counted)
{
	static const unsigned order[] = {1, 0, 2, 1, 0};
	struct list list = {.count = 0};

	rewrite(order, 5);
	cr_assert_eq(list_accesses(&list), 2);
	check_order(&list);
}

Test(sampled, launches_tell_of_sampling_regions_and_tiers)
{
	const struct ct_launch_info *launches;

	cr_assert_eq(ct_trace_launches(trace, &launches), SAMPLED_LAUNCHES);
	cr_assert_str_eq(launches[0].region, SAMPLED_REGION);
	cr_assert_eq(launches[0].event->block_period, SAMPLED_PERIOD);
	cr_assert_eq(launches[0].event->block_offset, 1);
	cr_assert_eq(launches[0].event->launch_period, 2);
	cr_assert_eq(launches[1].event->launch_period, 2);
	cr_assert_eq(launches[1].event->context, launches[0].event->context);
	cr_assert_str_eq(launches[2].region, "solve");
	cr_assert_eq(launches[2].event->tier, CT_TIER_COUNTS);
	cr_assert_str_eq(launches[3].region, "");
}

Test(sampled, regions_come_in_their_order)
{
	static const struct {
		uint32_t phase;
		const char *name;
	} expected[] = {{CT_REGION_BEGIN, "solve"}, {CT_REGION_BEGIN, "step"},
			{CT_REGION_END, "step"},    {CT_REGION_END, "solve"},
			{CT_REGION_PAUSE, ""},      {CT_REGION_RESUME, ""}};
	const struct ct_host_event *regions;

	cr_assert_eq(ct_trace_events(trace, CT_EVENT_REGION, &regions), 6);
	for (size_t i = 0; i < 6; i++) {
		cr_assert_eq(regions[i].region->phase, expected[i].phase);
		cr_assert_eq(regions[i].region->thread, 7);
		cr_assert_str_eq(ct_trace_string(trace, regions[i].part, regions[i].region->name),
				 expected[i].name);
		cr_assert(i == 0 || regions[i - 1].index < regions[i].index);
	}
}

Test(sampled, counts_find_their_launch_site_and_object)
{
	const struct ct_touched_info *touched;
	const struct ct_count_info *counts;

	cr_assert_eq(ct_trace_counts(trace, &counts), 2);
	cr_assert_eq(ct_trace_touched(trace, &touched), 2);
	for (uint32_t i = 0; i < 2; i++) {
		cr_assert_eq(counts[i].launch->event->launch, 3);
		cr_assert_eq(counts[i].unit->header->unit_id, FIXTURE_UNIT_ID);
		cr_assert_eq(counts[i].event->site, i);
		cr_assert_eq(counts[i].event->lanes, 600 + i);
		cr_assert_eq(touched[i].launch->event->launch, 3);
		cr_assert_str_eq(touched[i].object->name, i ? "y" : "x");
		cr_assert_eq(touched[i].event->read + touched[i].event->written, 75);
	}
}

Test(sampled, losses_name_their_launch)
{
	const struct ct_loss_info *losses;

	cr_assert_eq(ct_trace_losses(trace, &losses), 1);
	cr_assert_eq(losses[0].event->launch, 4);
	cr_assert_eq(losses[0].event->chunks, SAMPLED_LOST);
}
