/* SPDX-License-Identifier: Apache-2.0 */
/* Which level serves a site: lines that are loaded twice, with room for them in the L1, or not;
 * lines that are stored, and then loaded. */
#include "postproc/analysis/served/served.h"
#include "postproc/scan/pass.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define FEW 64u
#define MANY 320u
#define SECTORS 4u     /* of a line */
#define SHARED 102400u /* of a CTA: two fit on an SM, and 28 KiB are left to the L1: 224 lines */
#define BASE 0x7f0000001000u

static char *directory;

static void clean(void)
{
	fixture_remove(directory);
}

TestSuite(served, .fini = clean);

static void access_lines(struct build *b, uint64_t site, uint32_t lines, uint32_t *sequence)
{
	for (uint32_t i = 0; i < lines; i++) {
		if (!build_fits(b, 64))
			build_chunk(b);
		BUILD_SEGMENT(b, .launch = b->launches, .sequence = ++*sequence);
		build_lanes(b, site, 4, CT_FULL_MASK, BASE + 128 * (uint64_t)i, 4);
	}
}

/* Lines at one site of the unit, and the same ones again at the next. */
static void launch(struct build *b, const char *symbol, uint64_t site, uint32_t lines)
{
	uint32_t sequence = 0;

	BUILD_LAUNCH(b, .kernel_name = build_string(b, symbol), .shared_bytes = SHARED);
	access_lines(b, site, lines, &sequence);
	access_lines(b, site + 1, lines, &sequence);
	build_chunk(b);
	build_done(b, b->launches);
}

enum { KERNEL_FEW, KERNEL_MANY, KERNEL_STORE, KERNEL_UNSEEN, KERNELS };
enum { FEW_SITE, FEW_AGAIN, MANY_SITE, MANY_AGAIN, FILL_SITE, FILL_AGAIN, SITES };

static const char *const symbols[KERNELS] = {"_Z3fewPf", "_Z4manyPf", "_Z5storePf", "_Z6unseenPf"};

static void add_units(struct build *b)
{
	struct build_unit *unit = build_unit(1, 90, "demo.cu"), *other;

	for (uint32_t k = KERNEL_FEW; k <= KERNEL_MANY; k++) {
		build_kernel(unit, symbols[k], symbols[k], 10 * k + 1);
		build_site(unit, symbols[k], 10 * k + 2, BUILD_LOAD, 4);
		build_site(unit, symbols[k], 10 * k + 3, BUILD_LOAD, 4);
	}
	build_add_unit(b, unit);
	other = build_unit(2, 90, "other.cu");
	build_kernel(other, symbols[KERNEL_STORE], symbols[KERNEL_STORE], 1);
	build_site(other, symbols[KERNEL_STORE], 2, BUILD_STORE, 4);
	build_site(other, symbols[KERNEL_STORE], 3, BUILD_LOAD, 4);
	build_kernel(other, symbols[KERNEL_UNSEEN], symbols[KERNEL_UNSEEN], 11);
	build_add_unit(b, other);
}

static struct ct_trace *make_trace(void)
{
	struct ct_trace *trace;
	struct build *b;
	char why[512];

	directory = fixture_directory();
	b = build_part(directory, NULL);
	add_units(b);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 132, .arch = 90);
	b->unit_id = 1;
	launch(b, symbols[KERNEL_FEW], FEW_SITE, 1);
	launch(b, symbols[KERNEL_FEW], FEW_SITE, FEW);
	launch(b, symbols[KERNEL_FEW], FEW_SITE, MANY);
	launch(b, symbols[KERNEL_MANY], MANY_SITE, MANY);
	b->unit_id = 2;
	launch(b, symbols[KERNEL_STORE], 0, MANY);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, symbols[KERNEL_UNSEEN]),
		     .reason = build_string(b, "kernel not selected"));
	build_done(b, b->launches);
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	return trace;
}

static struct ct_machine machine_of_demo(void)
{
	struct ct_machine machine;

	ct_machine_default(&machine, "Demo", 90, 132, 80ull << 30);
	return machine;
}

static void run(struct ct_trace *trace, struct ct_served_job *job, uint32_t threads)
{
	const struct ct_pass_options options = {.threads = threads};
	const struct ct_task task = {&ct_served_analysis, job};

	cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 0);
}

static void check_site(const struct ct_served_site *site, double requests, double l1, double l2,
		       double memory)
{
	cr_expect_eq(site->requests, requests);
	cr_expect_eq(site->sectors[CT_SERVED_L1], l1);
	cr_expect_eq(site->sectors[CT_SERVED_L2], l2, "%g", site->sectors[CT_SERVED_L2]);
	cr_expect_eq(site->sectors[CT_SERVED_MEMORY], memory);
}

/* The second of three launches is looked at. The L2 has what the launch before has left. */
static void check_loads(const struct ct_served_job *job)
{
	struct ct_machine machine = machine_of_demo();
	struct ct_served_site few[SITES] = {{0}}, many[SITES] = {{0}};

	cr_assert_eq(ct_served_sites(few, job, KERNEL_FEW, &machine), 0);
	check_site(&few[FEW_SITE], FEW, 0, SECTORS * FEW, 0);
	check_site(&few[FEW_AGAIN], FEW, SECTORS * FEW, 0, 0);
	check_site(&few[MANY_SITE], 0, 0, 0, 0);
	cr_assert_eq(ct_served_sites(many, job, KERNEL_MANY, &machine), 0);
	cr_assert_eq(many[MANY_AGAIN].requests, MANY);
	cr_assert_lt(many[MANY_AGAIN].sectors[CT_SERVED_L1], SECTORS * MANY / 4);
	/* Where shared memory takes less, there is room for all of them. */
	machine.l1_bytes *= 2;
	cr_assert_eq(ct_served_sites(many, job, KERNEL_MANY, &machine), 0);
	check_site(&many[MANY_AGAIN], MANY, SECTORS * MANY, 0, 0);
	/* An L2 of 16 lines has none of them when its turn comes again. */
	machine.l2_bytes = 16 * 128;
	cr_assert_eq(ct_served_sites(many, job, KERNEL_MANY, &machine), 0);
	check_site(&many[MANY_SITE], MANY, 0, 0, SECTORS * MANY);
	check_site(&many[MANY_AGAIN], MANY, SECTORS * MANY, 0, 0);
}

/* They pass the L1 by, and are of the L2 if it has their lines, or of memory. */
static void check_stores(const struct ct_served_job *job)
{
	struct ct_machine machine = machine_of_demo();
	struct ct_served_site site[SITES] = {{0}};

	machine.l1_bytes *= 2;
	cr_assert_eq(ct_served_sites(site, job, KERNEL_STORE, &machine), 0);
	check_site(&site[FEW_SITE], 0, 0, 0, 0);
	check_site(&site[FILL_SITE], MANY, 0, SECTORS * MANY, 0);
	check_site(&site[FILL_AGAIN], MANY, 0, SECTORS * MANY, 0);
	machine.l2_bytes = 16 * 128;
	cr_assert_eq(ct_served_sites(site, job, KERNEL_STORE, &machine), 0);
	check_site(&site[FILL_SITE], MANY, 0, 0, SECTORS * MANY);
	check_site(&site[FILL_AGAIN], MANY, 0, 0, SECTORS * MANY);
	cr_expect_eq(ct_served_sites(site, job, KERNEL_UNSEEN, &machine), 1);
}

Test(served, by_the_levels_that_have_room)
{
	struct ct_trace *trace = make_trace();

	for (uint32_t threads = 1; threads <= 3; threads += 2) {
		struct ct_served_job job = {.trace = trace};

		run(trace, &job, threads);
		cr_assert_eq(job.kernels.count, KERNELS);
		cr_assert_eq(job.first_site[2], SITES);
		check_loads(&job);
		check_stores(&job);
		ct_served_job_fini(&job);
	}
	ct_trace_close(trace);
}

/* The middle one of those that pass; lanes of others do not count. */
Test(served, of_launches_that_pass)
{
	struct ct_trace *trace = make_trace();
	struct ct_machine machine = machine_of_demo();
	struct ct_selection selection = {.kernels = NULL};
	struct ct_served_job job = {.trace = trace};
	struct ct_served_site site[SITES] = {{0}};
	struct ct_filter *filter;

	cr_assert_eq(ct_selection_launches(&selection, "1"), 0);
	cr_assert_eq(ct_selection_sites(&selection, "1"), 0);
	cr_assert_eq(ct_filter_open(&filter, trace, &selection), 0);
	job.filter = filter;
	run(trace, &job, 1);
	cr_expect_eq(ct_served_sites(site, &job, KERNEL_MANY, &machine), 1);
	cr_assert_eq(ct_served_sites(site, &job, KERNEL_FEW, &machine), 0);
	check_site(&site[FEW_SITE], 0, 0, 0, 0);
	check_site(&site[FEW_AGAIN], 1, 0, SECTORS, 0);
	ct_served_job_fini(&job);
	ct_filter_close(filter);
	ct_selection_fini(&selection);
	ct_trace_close(trace);
}

Test(served, nothing_is_known_if_it_is_off)
{
	struct ct_trace *trace = make_trace();
	struct ct_machine machine = machine_of_demo();
	struct ct_served_job job = {.trace = trace, .is_off = true};
	struct ct_served_site site[SITES] = {{0}};

	run(trace, &job, 1);
	cr_assert_eq(ct_served_sites(site, &job, KERNEL_FEW, &machine), 1);
	ct_served_job_fini(&job);
	ct_trace_close(trace);
}
