/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses: single requests against bytes that are counted one by one, by hand for patterns; and
 * random traces against a naive second program that reads them with ct_trace_scan, for any number
 * of workers and ranks. */
#include "postproc/analysis/access/analysis.h"
#include "postproc/analysis/access/sorted.h"
#include "postproc/scan/pass.h"
#include "tests/unit/postproc/thread_ranks.h"
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers in any order, to be sorted and counted. */
struct numbers {
	uint64_t *list;
	size_t count, room;
};

static void put(struct numbers *numbers, uint64_t number)
{
	if (numbers->count == numbers->room) {
		numbers->room = 2 * numbers->room + 64;
		numbers->list = realloc(numbers->list, numbers->room * sizeof(*numbers->list));
		cr_assert_not_null(numbers->list);
	}
	numbers->list[numbers->count++] = number;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* How many different ones there are, of those divided by unit. */
static uint64_t count_distinct(struct numbers *numbers, uint64_t unit)
{
	uint64_t distinct = 0;

	if (numbers->count)
		qsort(numbers->list, numbers->count, sizeof(*numbers->list), compare_numbers);
	for (size_t i = 0; i < numbers->count; i++)
		distinct += !i || numbers->list[i] / unit != numbers->list[i - 1] / unit;
	return distinct;
}

static void put_bytes(struct numbers *numbers, const uint64_t *address, uint32_t lanes,
		      uint64_t bytes, const uint64_t *range)
{
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		for (uint64_t b = 0; lanes >> lane & 1 && b < (range ? range[lane] : bytes); b++)
			put(numbers, address[lane] + b);
}

static struct ct_access_request request;

static void make(uint32_t bytes, uint32_t mask, uint64_t first, uint64_t step)
{
	uint64_t address[CT_WARP_LANES];

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = first + lane * step;
	ct_access_request_make(&request, address, mask, bytes, NULL);
}

Test(access_request, is_what_its_bytes_are_whatever_the_lanes_do)
{
	trace_random_state = 4711;
	for (uint32_t i = 0; i < 20000; i++) {
		uint64_t address[CT_WARP_LANES], range[CT_WARP_LANES];
		uint64_t bytes = 1 + trace_random_below(20), step = trace_random_below(50) - 20;
		uint64_t spread = trace_random_below(3) ? 1 : 1 + trace_random_below(900);
		uint32_t lanes = trace_random_below(2) ? CT_FULL_MASK : (uint32_t)trace_random();
		bool has_ranges = trace_random_below(8) == 0;
		struct numbers all = {.list = NULL};

		lanes |= !lanes;
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			address[lane] = 100000 + lane * step + trace_random_below(spread);
			range[lane] = trace_random_below(70);
		}
		ct_access_request_make(&request, address, lanes, bytes, has_ranges ? range : NULL);
		put_bytes(&all, address, lanes, bytes, has_ranges ? range : NULL);
		cr_assert_eq(request.asked, all.count);
		cr_assert_eq(request.used, count_distinct(&all, 1));
		cr_assert_eq(request.sectors, count_distinct(&all, CT_SECTOR_BYTES));
		cr_assert_eq(request.ideal, (request.used + 31) / 32);
		cr_assert_leq(request.ideal, request.sectors);
		free(all.list);
	}
}

Test(access_request, is_the_same_of_lanes_at_a_distance)
{
	struct ct_access_request linear;

	trace_random_state = 31;
	for (uint32_t i = 0; i < 100000; i++) {
		uint32_t bytes = 1u << trace_random_below(5);
		uint32_t lanes =
		    trace_random_below(3) == 0
			? CT_FULL_MASK << trace_random_below(32) >> trace_random_below(32)
		    : trace_random_below(2) ? CT_FULL_MASK
					    : (uint32_t)trace_random();
		int64_t stride = (int64_t)trace_random_below(80) - 40;
		uint64_t zero = 100000 + trace_random_below(64);

		stride = trace_random_below(3) ? stride : bytes * (1 - 2 * (stride & 1));
		lanes |= !lanes;
		make(bytes, lanes, zero, (uint64_t)stride);
		memset(&linear, 0, sizeof(linear));
		ct_access_request_make_linear(
		    &linear, zero + (uint64_t)stride * (uint32_t)__builtin_ctz(lanes), stride,
		    lanes, bytes);
		cr_assert_eq(linear.lanes, request.lanes);
		cr_assert_eq(linear.asked, request.asked);
		cr_assert_eq(linear.used, request.used);
		cr_assert_eq(linear.sectors, request.sectors);
		cr_assert_eq(linear.ideal, request.ideal);
		cr_assert_eq(linear.pattern, request.pattern, "%x %u %d", lanes, bytes,
			     (int)stride);
		cr_assert_eq(linear.figure, request.figure);
		cr_assert_eq(linear.extents, request.extents);
		cr_assert_eq(
		    memcmp(linear.extent, request.extent, linear.extents * sizeof(*linear.extent)),
		    0);
	}
}

/* Addresses that differ from those before by sectors, by bytes, in one lane, in which lanes there
 * are, how many bytes they access, or in all. */
static void change(uint64_t address[CT_WARP_LANES], uint32_t *lanes, uint64_t *bytes)
{
	uint64_t what = trace_random_below(12), spread = 1 + trace_random_below(900);
	uint64_t by = what == 1 ? trace_random_below(100)
				: CT_SECTOR_BYTES * (trace_random_below(5000) - 2500);

	if (what == 2)
		address[trace_random_below(CT_WARP_LANES)] += CT_SECTOR_BYTES;
	if (what == 3)
		*lanes = trace_random_below(2) ? CT_FULL_MASK : (uint32_t)trace_random();
	if (what == 4)
		*bytes = 1 + trace_random_below(20);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		if (what == 5)
			address[lane] = 1000000000 + trace_random_below(spread);
		address[lane] += by;
	}
	*lanes |= !*lanes;
}

Test(access_request, is_the_same_if_one_before_it_is_kept)
{
	uint64_t address[CT_WARP_LANES] = {0}, bytes = 4;
	struct ct_access_kept *kept = calloc(1, sizeof(*kept));
	uint32_t lanes = CT_FULL_MASK;

	cr_assert_not_null(kept);
	trace_random_state = 51;
	for (uint32_t i = 0; i < 100000; i++) {
		const struct ct_access_request *own;

		change(address, &lanes, &bytes);
		ct_access_request_make(&request, address, lanes, bytes, NULL);
		own = ct_access_request_keep(kept, (uint32_t)trace_random_below(50) / 49, address,
					     lanes, bytes);
		cr_assert_eq(own->lanes, request.lanes);
		cr_assert_eq(own->asked, request.asked);
		cr_assert_eq(own->used, request.used);
		cr_assert_eq(own->sectors, request.sectors);
		cr_assert_eq(own->ideal, request.ideal);
		cr_assert_eq(own->pattern, request.pattern);
		cr_assert_eq(own->figure, request.figure);
		cr_assert_eq(own->sorted, request.sorted);
		cr_assert_eq(own->extents, request.extents);
		cr_assert_arr_eq(own->extent, request.extent, own->extents * sizeof(*own->extent));
		cr_assert_arr_eq(own->address, request.address,
				 own->sorted * sizeof(*own->address));
	}
	free(kept);
}

Test(access_request, has_a_pattern)
{
	uint64_t address[CT_WARP_LANES];

	make(4, CT_FULL_MASK, 4096, 4);
	cr_assert_eq(request.pattern, CT_ACCESS_UNIT);
	make(4, CT_FULL_MASK, 4100, 4);
	cr_assert_eq(request.pattern, CT_ACCESS_MISALIGNED);
	cr_assert_eq(request.figure, 4);
	make(4, 0xfffffffe, 4096, 4);
	cr_assert_eq(request.pattern, CT_ACCESS_UNIT, "the row begins where lane 0 would access");
	make(8, 0x00ffff00, 4096, (uint64_t)-24);
	cr_assert_eq(request.pattern, CT_ACCESS_STRIDED);
	cr_assert_eq(request.figure, -24);
	make(8, 0x3, 4096, 24);
	cr_assert_eq(request.pattern, CT_ACCESS_GATHER, "two lanes are always at some distance");
	make(8, 0x10, 4096, 24);
	cr_assert_eq(request.pattern, CT_ACCESS_SINGLE);
	make(8, 0xff, 4096, 0);
	cr_assert_eq(request.pattern, CT_ACCESS_BROADCAST);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = 4096 + lane / 2 * 4;
	ct_access_request_make(&request, address, 0x55555555, 4, NULL);
	cr_assert_eq(request.pattern, CT_ACCESS_UNIT, "active lanes access neighbours, by rank");
	ct_access_request_make(&request, address, CT_FULL_MASK, 4, NULL);
	cr_assert_eq(request.pattern, CT_ACCESS_ROWS);
	cr_assert_eq(request.figure, 2);
	address[31] += 4;
	ct_access_request_make(&request, address, CT_FULL_MASK, 4, NULL);
	cr_assert_eq(request.pattern, CT_ACCESS_GATHER);
}

Test(access_request, is_sorted_however_far_its_lanes_are_apart)
{
	trace_random_state = 77;
	for (uint32_t i = 0; i < 20000; i++) {
		uint64_t address[CT_WARP_LANES], sorted[CT_WARP_LANES], expected[CT_WARP_LANES];
		struct ct_access_meeting meeting[CT_WARP_LANES];
		uint64_t unit = (uint64_t)1 << trace_random_below(14);
		uint64_t spread = (uint64_t)1 << trace_random_below(36);
		uint32_t lanes = trace_random_below(2) ? CT_FULL_MASK : (uint32_t)trace_random();
		uint32_t count = 0, found, meetings, at = 0;

		lanes |= !lanes;
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			address[lane] = ((uint64_t)1 << 50) + trace_random_below(spread) * unit;
			if (lanes >> lane & 1)
				expected[count++] = address[lane];
		}
		qsort(expected, count, sizeof(*expected), compare_numbers);
		found = ct_access_sort(sorted, address, lanes);
		cr_assert(found == count || (!found && spread > (uint64_t)1 << 29));
		cr_assert_eq(memcmp(sorted, expected, found * sizeof(*sorted)), 0);
		meetings = ct_access_meet(meeting, address, lanes);
		for (uint32_t m = 0; m < meetings; m++)
			for (uint32_t n = 0; n < count; n++)
				at += expected[n] == meeting[m].address;
		cr_assert_eq(at, count, "each lane is at one address");
		for (uint32_t m = 0; m < meetings; m++)
			at -= meeting[m].lanes;
		cr_assert_eq(at, 0);
	}
}

/* Sums of a kernel's accesses of a class. */
struct sum {
	char key[256];
	struct ct_access_figures figures;
};

struct naive {
	struct sum sum[64];
	uint32_t sums;
	struct numbers bytes[64], atomics[64]; /* by launch of the trace */
	const struct ct_launch_info *launches;
};

static struct ct_access_figures *find(struct naive *naive, const char *kernel, enum ct_class class)
{
	char key[256];
	uint32_t i = 0;

	snprintf(key, sizeof(key), "%d %s", (int)class, kernel);
	while (i < naive->sums && strcmp(naive->sum[i].key, key))
		i++;
	if (i == naive->sums)
		memcpy(naive->sum[naive->sums++].key, key, sizeof(key));
	cr_assert_leq(naive->sums, 64);
	return &naive->sum[i].figures;
}

static int read_access(void *user, const struct ct_access *access)
{
	struct naive *naive = user;
	enum ct_class class = ct_operation_class(access->info->operation);
	struct ct_access_figures *figures = find(naive, access->launch->kernel_name, class);
	size_t launch = (size_t)(access->launch - naive->launches);
	struct numbers all = {.list = NULL};
	uint32_t lanes = 0;

	cr_assert_lt(launch, 64);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		if (access->mask >> lane & 1 &&
		    CT_ADDRESS_SPACE(access->address[lane]) == CT_SPACE_GLOBAL)
			lanes |= 1u << lane;
	if (!lanes)
		return 0;
	put_bytes(&all, access->address, lanes, access->info->bytes, access->range);
	put_bytes(&naive->bytes[launch], access->address, lanes, access->info->bytes,
		  access->range);
	figures->requests++;
	figures->asked += all.count;
	figures->lanes += (uint64_t)__builtin_popcount(lanes);
	figures->ideal += (count_distinct(&all, 1) + 31) / 32;
	figures->used += count_distinct(&all, 1);
	figures->sectors += count_distinct(&all, 32);
	free(all.list);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		if (lanes >> lane & 1 && class == CT_CLASS_ATOMIC && !access->range)
			put(&naive->atomics[launch], access->address[lane]);
	return 0;
}

static char *directory;

static void make_trace(void)
{
	const struct trace_random_options options = {.parts = 2, .devices = 2, .tickets = 12};

	directory = fixture_directory();
	trace_random_state = 20;
	trace_random_make(directory, &options);
}

static void clean(void)
{
	fixture_remove(directory);
}

static void check_sums(struct naive *naive, const struct ct_access_results *results)
{
	struct naive analysed = {.sums = 0};

	for (size_t i = 0; i < results->rows; i++) {
		const struct ct_access_row *row = &results->row[i];

		if (ct_access_space(results, row->group) == CT_SPACE_GLOBAL)
			ct_access_figures_add(
			    find(&analysed, results->kernels.list[row->kernel].symbol, row->class),
			    &row->figures);
	}
	for (uint32_t i = 0; i < naive->sums; i++) {
		const struct ct_access_figures *expected = &naive->sum[i].figures, *f = NULL;

		for (uint32_t k = 0; k < analysed.sums; k++)
			if (!strcmp(analysed.sum[k].key, naive->sum[i].key))
				f = &analysed.sum[k].figures;
		if (!expected->requests)
			continue;
		cr_assert_not_null(f);
		cr_assert_eq(f->requests, expected->requests);
		cr_assert_eq(f->lanes, expected->lanes);
		cr_assert_eq(f->asked, expected->asked);
		cr_assert_eq(f->used, expected->used);
		cr_assert_eq(f->sectors, expected->sectors);
		cr_assert_eq(f->ideal, expected->ideal);
	}
}

/* The launch's address with the most atomics, and how many it has. */
static uint64_t hottest(const struct numbers *sorted, uint64_t *lanes)
{
	uint64_t most = 0, count = 0;

	*lanes = 0;
	for (size_t i = 0; i < sorted->count; i++) {
		count = i && sorted->list[i] == sorted->list[i - 1] ? count + 1 : 1;
		if (count > *lanes) {
			*lanes = count;
			most = sorted->list[i];
		}
	}
	return most;
}

static void check_launches(struct naive *naive, const struct ct_access_results *results)
{
	uint64_t lanes = 0, addresses = 0, most = 0;
	size_t found = 0;

	for (size_t i = 0; i < 64; i++) {
		struct numbers *bytes = &naive->bytes[i];
		const struct ct_access_launch *launch = &results->launch[found];
		uint64_t own;

		addresses += count_distinct(&naive->atomics[i], 1);
		lanes += naive->atomics[i].count;
		hottest(&naive->atomics[i], &own);
		most = own > most ? own : most;
		if (!bytes->count)
			continue;
		cr_assert_lt(found++, results->launches);
		cr_assert_eq(launch->launch, &naive->launches[i]);
		cr_assert_eq(launch->bytes, count_distinct(bytes, 1));
		cr_assert_eq(launch->sectors, count_distinct(bytes, 32));
		cr_assert_eq(launch->half_lines, count_distinct(bytes, 64));
		cr_assert_eq(launch->lines, count_distinct(bytes, 128));
	}
	cr_assert_eq(found, results->launches);
	cr_assert_gt(found, 4);
	cr_assert_gt(addresses, 100);
	cr_assert_eq(results->atomic_lanes, lanes);
	cr_assert_eq(results->atomic_addresses, addresses);
	cr_assert_eq(results->hot[0].lanes, most);
}

/* Runs the analysis, and on rank 0 compares it with the naive one. */
struct rank_run {
	struct thread_rank rank;
	uint32_t threads;
	bool is_alone;
	pthread_t thread;
};

static void compare(const struct ct_trace *all, const struct ct_access_results *results)
{
	struct naive *naive = calloc(1, sizeof(*naive));
	const struct ct_scan scan = {.access = read_access, .user = naive};
	struct ct_trace *trace;

	cr_assert_eq(ct_trace_view(&trace, all), 0);
	cr_assert_lt(ct_trace_launches(trace, &naive->launches), 64);
	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 0);
	check_sums(naive, results);
	check_launches(naive, results);
	for (size_t i = 0; i < 64; i++) {
		free(naive->bytes[i].list);
		free(naive->atomics[i].list);
	}
	free(naive);
	ct_trace_close(trace);
}

static void *run_rank(void *user)
{
	struct rank_run *run = user;
	const struct ct_pass_options options = {.threads = run->threads,
						.memory_bytes = 16 << 20,
						.ranks = run->is_alone ? NULL : &run->rank.ranks};
	struct ct_access_job job = {.filter = NULL};
	const struct ct_task task = {&ct_access_analysis, &job};
	struct ct_trace *trace;
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	job.trace = trace;
	cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 0);
	if (run->rank.ranks.rank == 0)
		compare(trace, &job.results);
	ct_access_job_fini(&job);
	ct_trace_close(trace);
	return NULL;
}

TestSuite(access_pass, .init = make_trace, .fini = clean);

Test(access_pass, counts_what_a_naive_program_does)
{
	for (uint32_t threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
		struct rank_run run = {.threads = threads, .is_alone = true};

		run_rank(&run);
	}
}

Test(access_pass, is_shared_by_ranks)
{
	struct rank_run run[THREAD_RANKS];
	struct thread_meeting meeting;

	pthread_barrier_init(&meeting.barrier, NULL, THREAD_RANKS);
	for (uint32_t i = 0; i < THREAD_RANKS; i++) {
		run[i] = (struct rank_run){.rank = thread_rank_make(&meeting, i), .threads = 2};
		cr_assert_eq(pthread_create(&run[i].thread, NULL, run_rank, &run[i]), 0);
	}
	for (uint32_t i = 0; i < THREAD_RANKS; i++)
		pthread_join(run[i].thread, NULL);
	pthread_barrier_destroy(&meeting.barrier);
}
