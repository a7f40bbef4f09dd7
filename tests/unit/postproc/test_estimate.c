/* SPDX-License-Identifier: Apache-2.0 */
/* Totals estimated from samples: by hand, exact where nothing is left out, and right on average. */
#include "postproc/analysis/totals/estimate.h"

#include "tests/unit/trace/one_chunk.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES_MAX 12u
#define CTAS_MAX 64u

/* A launch of the program: what each CTA does, and what of it is in the trace. */
struct launch {
	uint32_t ctas, context, launch_period, block_period, block_offset;
	bool is_left_out;
	uint32_t warps[CTAS_MAX]; /* loads of 4 bytes by 32 threads */
};

static struct launch program[LAUNCHES_MAX];
static uint32_t launch_count;

static char *directory;

static void make(void)
{
	directory = fixture_directory();
	memset(program, 0, sizeof(program));
	launch_count = 0;
}

static void clean(void)
{
	fixture_remove(directory);
}

TestSuite(estimate, .init = make, .fini = clean);

static bool is_recorded(const struct launch *launch, uint32_t cta)
{
	return !launch->is_left_out && (launch->block_period < 2 ||
					(cta + launch->block_offset) % launch->block_period == 0);
}

static void write_records(struct ct_writer *writer, uint32_t id, const struct launch *launch)
{
	uint64_t words[3 * CTAS_MAX], address[CT_WARP_LANES];
	uint32_t n = 0;

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = FIXTURE_X + 4 * lane;
	for (uint32_t cta = 0; cta < launch->ctas; cta++) {
		if (!is_recorded(launch, cta) || !launch->warps[cta])
			continue;
		n = 0;
		words[n++] = CT_SEGMENT_WORD0(0, 0, id);
		words[n++] = CT_SEGMENT_WORD1(0, cta);
		for (uint32_t k = 0; k < launch->warps[cta]; k++)
			n += ct_encode_access(words + n, 0, 4, CT_FULL_MASK, address);
		write_one_chunk(writer, 0, (uint64_t)id * CTAS_MAX + cta, words, 8 * n);
	}
}

static void write_launch(struct ct_writer *writer, uint32_t id, const struct launch *launch)
{
	struct ct_event_launch event = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), 1},
	    .launch = id,
	    .unit_id = FIXTURE_UNIT_ID,
	    .unit_arch = 90,
	    .grid = {launch->ctas, 1, 1},
	    .block = {32, 1, 1},
	    .flags = launch->is_left_out ? 0 : CT_LAUNCH_TRACED,
	    .launch_period = launch->launch_period,
	    .block_period = launch->block_period,
	    .block_offset = launch->block_offset,
	    .context = launch->context,
	};

	ct_writer_string(writer, "_Z4copyPfS_", &event.kernel_name);
	ct_writer_event(writer, &event.header);
}

static void write_trace(void)
{
	const struct ct_writer_options options = {.level = 0, .fixed_codec = CT_CODEC_NONE + 1};
	struct ct_writer *writer;
	char why[512];
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	ct_writer_unit(writer, unit, bytes);
	free(unit);
	for (uint32_t i = 0; i < launch_count; i++)
		write_launch(writer, i + 1, &program[i]);
	for (uint32_t i = 0; i < launch_count; i++)
		write_records(writer, i + 1, &program[i]);
	ct_writer_manifest(writer, "{}");
	cr_assert_eq(ct_writer_close(writer), 0);
}

struct sums {
	struct ct_totals *totals;
	struct ct_estimates *estimates;
};

static int add_access(void *user, const struct ct_access *access)
{
	struct sums *sums = user;
	int err = ct_totals_add(sums->totals, access);

	return err == 0 ? ct_estimates_add(sums->estimates, access) : err;
}

/* Estimates the program from its trace. */
static struct ct_estimate estimate(void)
{
	struct sums sums;
	const struct ct_scan scan = {.access = add_access, .user = &sums};
	struct ct_sampling sampling;
	struct ct_estimate result;
	struct ct_trace *trace;
	char why[512];

	write_trace();
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_sampling_init(&sampling, trace), 0);
	cr_assert_eq(ct_totals_open(&sums.totals, trace), 0);
	cr_assert_eq(ct_estimates_open(&sums.estimates, trace, &sampling), 0);
	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 0);
	cr_assert_eq(ct_totals_finish(sums.totals, NULL), 0);
	cr_assert_eq(ct_estimates_finish(sums.estimates, sums.totals), 0);
	result = *ct_estimates_sum(sums.estimates);
	cr_assert_eq(memcmp(&result, ct_estimates_kernel(sums.estimates, 0, 0), sizeof(result)), 0);
	ct_estimates_close(sums.estimates);
	ct_totals_close(sums.totals);
	ct_sampling_fini(&sampling);
	ct_trace_close(trace);
	return result;
}

static double true_accesses(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < launch_count; i++)
		for (uint32_t cta = 0; cta < program[i].ctas; cta++)
			sum += 32.0 * program[i].warps[cta];
	return sum;
}

static struct launch *add_launch(uint32_t context, uint32_t ctas)
{
	struct launch *launch = &program[launch_count++];

	launch->context = context;
	launch->ctas = ctas;
	for (uint32_t cta = 0; cta < ctas; cta++)
		launch->warps[cta] = 1;
	return launch;
}

static bool close_to(double x, double y)
{
	return fabs(x - y) <= 1e-9 * fabs(y);
}

Test(estimate, of_a_whole_trace_is_what_is_recorded)
{
	struct ct_estimate e;

	add_launch(1, 10)->warps[3] = 7;
	add_launch(1, 3)->warps[0] = 5;
	add_launch(2, 40)->warps[0] = 9;
	e = estimate();
	cr_assert_not(e.is_sampled);
	cr_assert(e.is_error_known);
	cr_assert(close_to(e.total[CT_QUANTITY_ALL_ACCESSES], true_accesses()));
	cr_assert(close_to(e.total[CT_QUANTITY_ALL_BYTES], 4 * true_accesses()));
	cr_assert_eq(e.error[CT_QUANTITY_ALL_ACCESSES], 0);
}

/* CTAs 3 and 8 of 10 with 32 and 96 accesses: mean 64, variance 2048. */
Test(estimate, from_ctas_by_hand)
{
	struct launch *launch = add_launch(1, 10);
	struct ct_estimate e;

	launch->block_period = 5;
	launch->block_offset = 2;
	launch->warps[8] = 3;
	e = estimate();
	cr_assert(e.is_sampled);
	cr_assert(e.is_error_known);
	cr_assert(close_to(e.total[CT_QUANTITY_ACCESSES + CT_CLASS_LOAD], 640));
	cr_assert(close_to(e.error[CT_QUANTITY_ACCESSES + CT_CLASS_LOAD],
			   sqrt(10 * (10 - 2) * 2048.0 / 2)));
	cr_assert(close_to(e.total[CT_QUANTITY_ALL_BYTES], 2560));
	cr_assert_eq(e.total[CT_QUANTITY_ACCESSES + CT_CLASS_STORE], 0);
}

/* The last of launches of 10, 20 and 30 CTAs is left out. 320 and 960 accesses of 30 CTAs: 42.67
 * each; residuals 10 * (32 - 42.67) and 20 * (48 - 42.67). */
Test(estimate, from_launches_by_hand)
{
	double ratio = 1280.0 / 30, between;
	struct ct_estimate e;

	for (uint32_t i = 1; i <= 3; i++)
		add_launch(1, 10 * i)->launch_period = 2;
	for (uint32_t cta = 0; cta < 10; cta++)
		program[1].warps[cta] = 2;
	program[2].is_left_out = true;
	e = estimate();
	between = pow(10 * (32 - ratio), 2) + pow(20 * (48 - ratio), 2);
	cr_assert(e.is_error_known);
	cr_assert(close_to(e.total[CT_QUANTITY_ALL_ACCESSES], 60 * ratio));
	cr_assert(close_to(e.error[CT_QUANTITY_ALL_ACCESSES], sqrt(9.0 / 2 * (1.0 / 3) * between)));
}

Test(estimate, of_one_launch_of_several_has_no_known_error)
{
	struct ct_estimate e;

	add_launch(1, 10)->launch_period = 2;
	add_launch(1, 10)->launch_period = 2;
	program[1].is_left_out = true;
	e = estimate();
	cr_assert_not(e.is_error_known);
	cr_assert(close_to(e.total[CT_QUANTITY_ALL_ACCESSES], 640));
}

Test(estimate, does_without_contexts_of_which_nothing_is_recorded)
{
	struct launch *launch = add_launch(1, 3);
	struct ct_estimate e;

	launch->block_period = 50;
	launch->block_offset = 10;
	add_launch(2, 10);
	e = estimate();
	cr_assert_eq(e.unseen, 1);
	cr_assert(close_to(e.total[CT_QUANTITY_ALL_ACCESSES], 320));
}

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint32_t draw(uint32_t below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % below;
}

/* Six launches of one context, of different grids and uneven CTAs; every second is left
 * out after the first, and one in four CTAs of the others is recorded. */
static void draw_program(void)
{
	uint32_t kept = draw(2);

	launch_count = 0;
	memset(program, 0, sizeof(program));
	for (uint32_t i = 0; i < 10; i++) {
		struct launch *launch = add_launch(1, 24 + draw(40));

		launch->launch_period = 2;
		launch->block_period = 4;
		launch->block_offset = draw(4);
		launch->is_left_out = i % 2 != kept;
		for (uint32_t cta = 0; cta < launch->ctas; cta++)
			launch->warps[cta] = 1 + draw(6) + 10 * (draw(8) == 0);
	}
}

Test(estimate, is_right_on_average_and_says_how_far_off_it_is)
{
	double sum = 0, squares = 0, off = 0;
	unsigned within = 0;
	const unsigned runs = 400;

	for (unsigned i = 0; i < runs; i++) {
		struct ct_estimate e;
		double is, error, truth;

		draw_program();
		truth = true_accesses();
		e = estimate();
		is = e.total[CT_QUANTITY_ALL_ACCESSES];
		error = e.error[CT_QUANTITY_ALL_ACCESSES];
		cr_assert(e.is_error_known);
		sum += is / truth - 1;
		off += (is / truth - 1) * (is / truth - 1);
		squares += error * error / truth / truth;
		within += fabs(is - truth) <= 2 * error;
	}
	/* The estimate is unbiased; the standard error of the mean is about 0.003. */
	cr_assert_lt(fabs(sum / runs), 0.012, "mean error %f", sum / runs);
	cr_assert_gt(squares / off, 0.75, "errors are said to be %f of what they are",
		     sqrt(squares / off));
	cr_assert_lt(squares / off, 1.35, "errors are said to be %f of what they are",
		     sqrt(squares / off));
	cr_assert_geq(within, runs * 85 / 100, "%u of %u within two standard errors", within, runs);
}
