/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distances: stacks and curves by hand; random traces against a list of lines that is
 * searched from its end; samples against all lines. */
#include "postproc/analysis/reuse/analysis.h"
#include "postproc/analysis/reuse/stack.h"
#include "postproc/facts/objects.h"
#include "postproc/scan/pass.h"
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Test(reuse_curve, has_a_bin_for_each_distance)
{
	for (uint64_t distance = 0; distance < 5000; distance++) {
		uint32_t bin = ct_reuse_bin(distance);

		cr_assert_leq(ct_reuse_bin_begin(bin), distance);
		cr_assert_gt(ct_reuse_bin_begin(bin + 1), distance);
	}
	cr_assert_eq(ct_reuse_bin(7), 7);
	cr_assert_eq(ct_reuse_bin(15), 15);
	cr_assert_eq(ct_reuse_bin(16), 16);
	cr_assert_eq(ct_reuse_bin(17), 16);
	cr_assert_eq(ct_reuse_bin(UINT64_MAX), CT_REUSE_BINS - 1);
	cr_assert_eq(ct_reuse_bin_begin(CT_REUSE_BINS - 1), (uint64_t)1 << 40);
}

/* 100 lines, then twice again within the launch and once by another: what fits, fits at once. */
Test(reuse_curve, says_what_a_memory_transfers)
{
	struct ct_reuse_curve curve = {.references = 400, .cold = 100};
	double exponent;

	curve.within[ct_reuse_bin(96)] = 200;
	curve.across[ct_reuse_bin(96)] = 100;
	cr_assert_eq(ct_reuse_compulsory(&curve), 200);
	cr_assert_float_eq(ct_reuse_transfers(&curve, 96, true), 400, 1e-9);
	cr_assert_float_eq(ct_reuse_transfers(&curve, 100, true), 250, 1e-9, "8 of 96 to 103");
	cr_assert_float_eq(ct_reuse_transfers(&curve, 104, true), 100, 1e-9);
	cr_assert_float_eq(ct_reuse_transfers(&curve, 104, false), 200, 1e-9);
	cr_assert(ct_reuse_exponent(&curve, &exponent));
	cr_assert_float_eq(exponent, 0, 1e-9, "a stream up to where all fits");
	memset(&curve, 0, sizeof(curve));
	curve.references = curve.cold = 1 << 10;
	for (uint32_t n = 0; n < 20; n++) /* Q of 2^n lines is 2^(20 - n / 2) */
		curve.within[ct_reuse_bin((uint64_t)1 << n)] +=
		    (uint64_t)(exp2(20 - n / 2.0) - exp2(20 - (n + 1) / 2.0));
	cr_assert(ct_reuse_exponent(&curve, &exponent));
	cr_assert_float_eq(exponent, 0.5, 0.05, "matrices in blocks: %f", exponent);
}

/* The list, the least recent line first; returns the distance, or -1. */
struct naive_stack {
	struct {
		uint64_t line;
		uint32_t launch;
	} * list;
	size_t count, room;
};

static int64_t naive_touch(struct naive_stack *stack, uint64_t line, uint32_t launch,
			   uint32_t *before)
{
	int64_t distance = -1;
	size_t at = stack->count;

	while (at && stack->list[at - 1].line != line)
		at--;
	if (at) {
		distance = (int64_t)(stack->count - at);
		*before = stack->list[at - 1].launch;
		memmove(&stack->list[at - 1], &stack->list[at],
			(stack->count - at) * sizeof(*stack->list));
		stack->count--;
	}
	if (stack->count == stack->room) {
		stack->room = 2 * stack->room + 64;
		stack->list = realloc(stack->list, stack->room * sizeof(*stack->list));
		cr_assert_not_null(stack->list);
	}
	stack->list[stack->count].line = line;
	stack->list[stack->count++].launch = launch;
	return distance;
}

Test(reuse_stack, is_exact_up_to_its_bound)
{
	struct naive_stack naive = {.list = NULL};
	struct ct_reuse_stack *stack;
	struct ct_reuse_touch touch;

	trace_random_state = 99;
	cr_assert_eq(ct_reuse_stack_open(&stack, 1024), 0);
	for (uint32_t i = 0; i < 60000; i++) {
		uint64_t line = trace_random_below(trace_random_below(2) ? 40 : 1024) * 7919;
		uint32_t before = CT_REUSE_NO_LAUNCH;
		int64_t distance = naive_touch(&naive, line, i / 1000, &before);

		cr_assert_eq(ct_reuse_stack_touch(stack, line, i / 1000, &touch), 1);
		cr_assert_eq(touch.weight, 1);
		cr_assert_eq(touch.launch, before);
		if (distance >= 0)
			cr_assert_eq(touch.distance, (uint64_t)distance);
	}
	cr_assert_eq(naive.count, 1024);
	cr_assert_eq(ct_reuse_stack_sampled(stack), 0);
	ct_reuse_stack_close(stack);
	free(naive.list);
}

/* Lines again and again, of which few are accessed often: of 2^17, 2^12 are kept. */
Test(reuse_stack, samples_lines_beyond_its_bound)
{
	struct ct_reuse_curve *curve = calloc(2, sizeof(*curve));
	struct ct_reuse_stack *stack[2];
	struct ct_reuse_touch touch;

	trace_random_state = 4;
	cr_assert_eq(ct_reuse_stack_open(&stack[0], 1 << 18), 0);
	cr_assert_eq(ct_reuse_stack_open(&stack[1], 1 << 12), 0);
	for (uint32_t i = 0; i < 2000000; i++) {
		uint64_t line = trace_random_below(1 + trace_random_below(1 << 17));

		for (uint32_t s = 0; s < 2; s++) {
			int is = ct_reuse_stack_touch(stack[s], line, 0, &touch);

			cr_assert_geq(is, 0);
			if (is && touch.launch == CT_REUSE_NO_LAUNCH)
				curve[s].cold += touch.weight;
			else if (is)
				curve[s].within[ct_reuse_bin(touch.distance)] += touch.weight;
		}
	}
	cr_assert_eq(ct_reuse_stack_sampled(stack[0]), 0);
	cr_assert_eq(ct_reuse_stack_sampled(stack[1]), 5, "131072 of 4096");
	for (double lines = 64; lines < 200000; lines *= 1.5) {
		double exact = ct_reuse_transfers(&curve[0], lines, true) / 2e6;
		double about = ct_reuse_transfers(&curve[1], lines, true) / 2e6;

		cr_assert_float_eq(about, exact, 0.02, "%g lines: %g, not %g", lines, about, exact);
	}
	ct_reuse_stack_close(stack[0]);
	ct_reuse_stack_close(stack[1]);
	free(curve);
}

static char *directory;

static void clean(void)
{
	fixture_remove(directory);
}

/* Sums of the naive program, by kernel and group. */
#define DEVICES 4u

struct naive {
	const struct ct_launch_info *launches;
	struct ct_kernel_table kernels;
	struct ct_objects *objects;
	struct naive_stack stack[DEVICES][CT_REUSE_SIZES];
	struct ct_reuse_row row[64];
	uint32_t rows;
};

static struct ct_reuse_curve *find(struct naive *naive, uint32_t kernel, uint32_t group,
				   uint32_t size)
{
	uint32_t i = 0;

	while (i < naive->rows && (naive->row[i].kernel != kernel || naive->row[i].group != group))
		i++;
	if (i == naive->rows) {
		cr_assert_lt(naive->rows, 64);
		naive->row[naive->rows].kernel = kernel;
		naive->row[naive->rows++].group = group;
	}
	return &naive->row[i].curve[size];
}

static int compare_addresses(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

static void touch_naively(struct naive *naive, const struct ct_access *access, uint64_t address,
			  uint64_t line, uint32_t size)
{
	const struct ct_launch_info *launch = access->launch;
	uint32_t number = (uint32_t)(launch - naive->launches), before = 0, hint = 0;
	uint32_t device = launch->part * 2 + launch->event->device;
	struct ct_object_range range =
	    ct_objects_range(naive->objects, launch->part, address, launch->event_index, &hint);
	struct ct_reuse_curve *curve =
	    find(naive, naive->kernels.of_launch[number], range.group, size);
	int64_t distance;

	cr_assert_lt(device, DEVICES);
	distance = naive_touch(&naive->stack[device][size], line, number, &before);
	curve->references++;
	if (distance < 0)
		curve->cold++;
	else if (before == number)
		curve->within[ct_reuse_bin((uint64_t)distance)]++;
	else
		curve->across[ct_reuse_bin((uint64_t)distance)]++;
}

/* Byte by byte, in the order of addresses; a run of bytes is of the object that it begins in. */
static int read_access(void *user, const struct ct_access *access)
{
	static uint64_t bytes[CT_WARP_LANES * 4096];
	size_t count = 0;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t range = access->range ? access->range[lane] : access->info->bytes;

		if (!(access->mask >> lane & 1) ||
		    CT_ADDRESS_SPACE(access->address[lane]) != CT_SPACE_GLOBAL)
			continue;
		for (uint64_t b = 0; b < range; b++) {
			cr_assert_lt(count, sizeof(bytes) / sizeof(*bytes));
			bytes[count++] = access->address[lane] + b;
		}
	}
	if (count)
		qsort(bytes, count, sizeof(*bytes), compare_addresses);
	for (uint32_t size = 0; size < CT_REUSE_SIZES; size++) {
		uint64_t last = UINT64_MAX, run = 0;

		for (size_t i = 0; i < count; i++) {
			if (!i || bytes[i] > bytes[i - 1] + 1)
				run = bytes[i];
			if (bytes[i] / CT_REUSE_SIZE_BYTES(size) != last)
				touch_naively(user, access, run,
					      bytes[i] / CT_REUSE_SIZE_BYTES(size), size);
			last = bytes[i] / CT_REUSE_SIZE_BYTES(size);
		}
	}
	return 0;
}

static void check(struct naive *naive, const struct ct_reuse_results *results)
{
	uint64_t distances = 0;
	uint32_t rows = 0;

	for (size_t i = 0; i < results->rows; i++) {
		const struct ct_reuse_row *row = &results->row[i];

		for (uint32_t size = 0; size < CT_REUSE_SIZES; size++) {
			const struct ct_reuse_curve *expected =
			    find(naive, row->kernel, row->group, size);

			cr_assert_eq(row->curve[size].references, expected->references);
			cr_assert_eq(memcmp(&row->curve[size], expected, sizeof(*expected)), 0);
			distances += expected->references - expected->cold;
		}
		rows++;
	}
	cr_assert_eq(rows, naive->rows);
	cr_assert_gt(rows, 1, "%u rows", rows);
	cr_assert_gt(distances, 1000);
	cr_assert_eq(results->sampled[0], 0);
	cr_assert_eq(ct_reuse_error(results, 0, 0, 1000, true), 0);
}

static void run(uint32_t threads)
{
	const struct ct_pass_options options = {.threads = threads, .memory_bytes = 16 << 20};
	struct naive *naive = calloc(1, sizeof(*naive));
	const struct ct_scan scan = {.access = read_access, .user = naive};
	struct ct_reuse_job job = {.filter = NULL};
	const struct ct_task task = {&ct_reuse_analysis, &job};
	struct ct_trace *trace;
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	job.trace = trace;
	cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 0);
	ct_trace_launches(trace, &naive->launches);
	cr_assert_eq(ct_kernel_table_init(&naive->kernels, trace, NULL), 0);
	cr_assert_eq(ct_objects_open(&naive->objects, trace, NULL), 0);
	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 0);
	check(naive, &job.results);
	ct_reuse_job_fini(&job);
	for (uint32_t i = 0; i < DEVICES * CT_REUSE_SIZES; i++)
		free(naive->stack[i / CT_REUSE_SIZES][i % CT_REUSE_SIZES].list);
	ct_objects_close(naive->objects);
	ct_kernel_table_fini(&naive->kernels);
	free(naive);
	ct_trace_close(trace);
}

Test(reuse_pass, counts_what_a_naive_program_does, .fini = clean)
{
	const struct trace_random_options options = {.parts = 2, .devices = 2, .tickets = 5};

	directory = fixture_directory();
	trace_random_state = 20;
	trace_random_make(directory, &options);
	run(1);
	run(4);
}

/* A launch reads 2^15 lines of 32 bytes twice, with room for 2^12: what is sampled says how far off
 * it may be, and is not further off than five times that. */
Test(reuse_pass, says_how_far_off_a_sample_may_be, .fini = clean)
{
	const struct ct_pass_options options = {.threads = 1, .memory_bytes = 16 << 20};
	struct ct_reuse_job job = {.lines = 1 << 12};
	const struct ct_task task = {&ct_reuse_analysis, &job};
	double error, ratio, exact;
	struct build *b;
	char why[512];
	struct ct_trace *trace;

	directory = fixture_directory();
	b = build_part(directory, NULL);
	fixture_add_unit(b);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 2);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z4copyPf"), .grid = {2});
	for (uint32_t i = 0; i < 2u << 13; i++) {
		if (!build_fits(b, 64))
			build_chunk(b);
		BUILD_SEGMENT(b, .launch = b->launches, .cta = 0, .sequence = 1 + i % 60000);
		build_lanes(b, 0, 4, CT_FULL_MASK, FIXTURE_X + 128 * (uint64_t)(i % (1 << 13)), 4);
	}
	build_chunk(b);
	build_done(b, 1);
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	job.trace = trace;
	cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 0);
	cr_assert_eq(job.results.rows, 1);
	cr_assert_eq(job.results.sampled[0], 3);
	cr_assert_eq(job.results.sampled[2], 1, "8192 lines of 128 bytes");
	cr_assert_eq(job.results.row[0].curve[0].references, 2u << 15);
	for (double lines = 1 << 10; lines < 1 << 18; lines *= 4) {
		exact = lines < 1 << 15 ? 1 : 0.5;
		ratio =
		    ct_reuse_transfers(&job.results.kernel[0].curve[0], lines, true) / (2 << 15);
		error = ct_reuse_error(&job.results, 0, 0, lines, true);
		cr_assert_lt(fabs(ratio - exact), 5 * error + 0.001, "%g lines: %g, error %g",
			     lines, ratio, error);
		cr_assert_lt(error, 0.1);
	}
	ct_reuse_job_fini(&job);
	ct_trace_close(trace);
}
