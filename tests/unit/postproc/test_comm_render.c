/* SPDX-License-Identifier: Apache-2.0 */
/* Text of communication figures that no trace is needed for. */
#include "postproc/render/comm/bins.h"
#include "postproc/render/comm/comm.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES 50
#define CTAS 40

Test(bins, are_single_keys_while_they_fit)
{
	struct ct_comm_count a[] = {{4, 10}, {8, 5}}, b[] = {{0, 1}, {8, 2}};
	struct ct_comm_histogram ha = {a, 2}, hb = {b, 2};
	struct ct_bin bins[CT_BINS_MAX];

	cr_assert_eq(ct_comm_bins(&ha, &hb, 3, bins), 3);
	cr_assert_eq(bins[0].first, 0);
	cr_assert_eq(bins[0].count[0], 0);
	cr_assert_eq(bins[0].count[1], 1);
	cr_assert_eq(bins[1].first, 4);
	cr_assert_eq(bins[1].count[0], 10);
	cr_assert_eq(bins[2].last, 8);
	cr_assert_eq(bins[2].count[0], 5);
	cr_assert_eq(bins[2].count[1], 2);
}

Test(bins, end_at_powers_of_two_if_there_are_many_keys)
{
	struct ct_comm_count entry[100];
	struct ct_comm_histogram histogram = {entry, 100};
	struct ct_bin bins[CT_BINS_MAX];
	uint64_t sum = 0;
	size_t count;

	for (uint64_t i = 0; i < 100; i++)
		entry[i] = (struct ct_comm_count){i, 1};
	count = ct_comm_bins(&histogram, NULL, 16, bins);
	cr_assert_eq(count, 8); /* 0, 1, 2-3, 4-7, …, 64-99 */
	cr_assert_eq(bins[0].last, 0);
	cr_assert_eq(bins[2].first, 2);
	cr_assert_eq(bins[2].last, 3);
	cr_assert_eq(bins[7].first, 64);
	cr_assert_eq(bins[7].last, 99);
	for (size_t i = 0; i < count; i++)
		sum += bins[i].count[0];
	cr_assert_eq(sum, ct_comm_total(&histogram));
}

Test(bins, hold_the_largest_keys)
{
	struct ct_comm_count entry[] = {{0, 1}, {UINT64_MAX - 1, 2}, {UINT64_MAX, 3}};
	struct ct_comm_histogram histogram = {entry, 3}, empty = {NULL, 0};
	struct ct_bin bins[CT_BINS_MAX];

	cr_assert_eq(ct_comm_bins(&histogram, &empty, 2, bins), 2);
	cr_assert_eq(bins[1].count[0], 5);
	cr_assert_eq(bins[1].last, UINT64_MAX);
	cr_assert_eq(ct_comm_bins(&empty, NULL, 2, bins), 0);
}

Test(bins, mode_is_the_smallest_of_the_most_frequent)
{
	struct ct_comm_count entry[] = {{4, 2}, {8, 7}, {12, 7}};
	struct ct_comm_histogram histogram = {entry, 3}, empty = {NULL, 0};

	cr_assert_eq(ct_comm_mode(&histogram)->key, 8);
	cr_assert_null(ct_comm_mode(&empty));
}

static struct ct_event_launch launch_event[LAUNCHES];
static struct ct_launch_info launch[LAUNCHES];
static struct ct_superstep superstep[LAUNCHES];
static struct ct_comm_superstep of_superstep[LAUNCHES];
static struct ct_comm_cta_figures cta[CTAS];
static struct ct_comm_cell cell[CTAS];
static struct ct_comm_count size[20], degree[] = {{1, CTAS}};
static struct ct_comm_kernel kernel = {.name = "step(int*, int*)", .symbol = "_Z4stepPiS_"};
static struct ct_comm_figures figures;
static const struct ct_numbered_kernels kernels;
static struct ct_comm_shown shown;
static struct ct_findings findings;
static struct ct_comm_output output;

static void fill(void)
{
	for (uint32_t i = 0; i < LAUNCHES; i++) {
		launch_event[i] = (struct ct_event_launch){
		    .launch = i + 1, .grid = {CTAS, 1, 1}, .flags = CT_LAUNCH_TRACED};
		launch[i] = (struct ct_launch_info){.region = "",
						    .event = &launch_event[i],
						    .kernel = kernel.name,
						    .kernel_name = kernel.symbol};
		superstep[i] = (struct ct_superstep){.launch = &launch[i], .level = i};
		of_superstep[i] = (struct ct_comm_superstep){.load_bytes = 1000 + i, .passes = 1};
	}
	for (uint32_t i = 0; i < CTAS; i++)
		cell[i] = (struct ct_comm_cell){i, (i + 1) % CTAS, 9, 90};
	for (uint32_t i = 0; i < 20; i++)
		size[i] = (struct ct_comm_count){16 + i, 5};
	figures = (struct ct_comm_figures){
	    .volume = {.transfers = 100, .load_bytes = (uint64_t)1 << 60},
	    .superstep = superstep,
	    .of_superstep = of_superstep,
	    .supersteps = LAUNCHES,
	    .cta = cta,
	    .ctas = CTAS,
	    .transfer_size = {size, 20},
	    .in_degree = {degree, 1},
	    .out_degree = {degree, 1},
	    .density = {.last_cta = CTAS - 1,
			.ctas_per_bin = 1,
			.bins = CTAS,
			.cell = cell,
			.cells = CTAS},
	    .kernel = &kernel,
	    .kernels = 1,
	};
	shown = (struct ct_comm_shown){
	    .figures = &figures,
	    .kernels = &kernels,
	    .program = "x",
	    .has_launches_only = true,
	};
	output = (struct ct_comm_output){
	    .shown = &shown,
	    .findings = &findings,
	    .directory = "x.ctrace",
	    .rows = 20,
	};
}

static char *text_of(unsigned width)
{
	struct ct_style style = {.width = width};
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	cr_assert_eq(ct_comm_write_text(out, &output, &style), 0);
	fclose(out);
	return text;
}

static void has(const char *text, const char *part)
{
	cr_expect_not_null(strstr(text, part), "'%s' is missing in\n%s", part, text);
}

Test(text, cuts_the_launches_and_says_so, .init = fill)
{
	char *text = text_of(0);

	has(text, "    20  step ");
	cr_assert_null(strstr(text, "    21  step"));
	has(text, "\xe2\x80\xa6 and 30 more rows: --rows=all");
	free(text);
	output.by = CT_BY_SUPERSTEP;
	text = text_of(0);
	has(text, "    50  step ");
	cr_assert_null(strstr(text, "more rows"));
	free(text);
}

Test(text, joins_sizes_that_do_not_fit, .init = fill)
{
	char *text = text_of(0);

	has(text, "16 to 31 B         80   80.0 %");
	has(text, "32 to 35 B         20  100.0 %");
	free(text);
}

Test(text, shades_a_large_density_map, .init = fill)
{
	char *text;

	output.shows_density = true;
	text = text_of(0);
	has(text, "\n 1  @ ");
	has(text, ".:-=+*#%@: up to 9 transfers; 1 blocks a column and row\n");
	free(text);
	/* 22 columns: two CTAs in each; CTA 2 receives from bin 0, CTA 3 from bin 1. */
	text = text_of(32);
	has(text, "\n 2  @@  ");
	has(text, "up to 9 transfers; 2 blocks a column and row\n");
	free(text);
}

Test(text, without_communication_is_short, .init = fill)
{
	char *text;

	figures.volume.transfers = 0;
	text = text_of(0);
	cr_assert_null(strstr(text, "Tier I:"));
	has(text, "Tier II and III: launches");
	free(text);
}
