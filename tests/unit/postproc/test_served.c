/* SPDX-License-Identifier: Apache-2.0 */
/* Which level serves a site: lines that are loaded twice, with room for them in the L1, or not. */
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

static void load(struct build *b, uint64_t site, uint32_t lines, uint32_t *sequence)
{
	for (uint32_t i = 0; i < lines; i++) {
		if (!build_fits(b, 64))
			build_chunk(b);
		BUILD_SEGMENT(b, .launch = b->launches, .sequence = ++*sequence);
		build_lanes(b, site, 4, CT_FULL_MASK, BASE + 128 * (uint64_t)i, 4);
	}
}

/* Lines at one site, and the same ones again at the next. */
static void launch(struct build *b, const char *symbol, uint64_t site, uint32_t lines)
{
	uint32_t sequence = 0;

	BUILD_LAUNCH(b, .kernel_name = build_string(b, symbol), .shared_bytes = SHARED);
	load(b, site, lines, &sequence);
	load(b, site + 1, lines, &sequence);
	build_chunk(b);
	build_done(b, b->launches);
}

static struct ct_trace *make_trace(void)
{
	static const char *const symbols[] = {"_Z3fewPf", "_Z4manyPf"};
	struct build_unit *unit = build_unit(1, 90, "demo.cu");
	struct ct_trace *trace;
	struct build *b;
	char why[512];

	directory = fixture_directory();
	b = build_part(directory, NULL);
	for (uint32_t k = 0; k < 2; k++) {
		build_kernel(unit, symbols[k], symbols[k], 10 * k + 1);
		build_site(unit, symbols[k], 10 * k + 2, BUILD_LOAD, 4);
		build_site(unit, symbols[k], 10 * k + 3, BUILD_LOAD, 4);
	}
	build_add_unit(b, unit);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 132, .arch = 90);
	launch(b, symbols[0], 0, 1);
	launch(b, symbols[0], 0, FEW);
	launch(b, symbols[0], 0, MANY);
	launch(b, symbols[1], 2, MANY);
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	return trace;
}

/* Of three launches the second is looked at. The L2 has what the launch before has left. */
static void check(struct ct_trace *trace, uint32_t threads)
{
	struct ct_served_job job = {.trace = trace};
	struct ct_served_site few[4] = {{0}}, many[4] = {{0}};
	const struct ct_pass_options options = {.threads = threads};
	const struct ct_task task = {&ct_served_analysis, &job};
	struct ct_machine machine;

	ct_machine_default(&machine, "Demo", 90, 132, 80ull << 30);
	cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 0);
	cr_assert_eq(job.kernels.count, 2);
	cr_assert_eq(ct_served_sites(few, &job, 0, &machine), 0);
	cr_assert_eq(few[0].requests, FEW);
	cr_assert_eq(few[0].sectors[CT_SERVED_L1], 0);
	cr_assert_eq(few[0].sectors[CT_SERVED_L2], SECTORS * FEW);
	cr_assert_eq(few[0].sectors[CT_SERVED_MEMORY], 0);
	cr_assert_eq(few[1].sectors[CT_SERVED_L1], SECTORS * FEW);
	cr_assert_eq(few[2].requests, 0);
	cr_assert_eq(ct_served_sites(many, &job, 1, &machine), 0);
	cr_assert_eq(many[3].requests, MANY);
	cr_assert_lt(many[3].sectors[CT_SERVED_L1], SECTORS * MANY / 4);
	/* Where shared memory takes less, there is room for all of them. */
	machine.l1_bytes *= 2;
	cr_assert_eq(ct_served_sites(many, &job, 1, &machine), 0);
	cr_assert_eq(many[3].sectors[CT_SERVED_L1], SECTORS * MANY);
	ct_served_job_fini(&job);
}

Test(served, by_the_l1_that_shared_memory_leaves)
{
	struct ct_trace *trace = make_trace();

	check(trace, 1);
	check(trace, 3);
	ct_trace_close(trace);
}

Test(served, nothing_is_known_if_it_is_off)
{
	struct ct_trace *trace = make_trace();
	struct ct_served_job job = {.trace = trace, .is_off = true};
	const struct ct_pass_options options = {.threads = 1};
	const struct ct_task task = {&ct_served_analysis, &job};
	struct ct_served_site site[4] = {{0}};
	struct ct_machine machine;

	ct_machine_default(&machine, "Demo", 90, 132, 80ull << 30);
	cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 0);
	cr_assert_eq(ct_served_sites(site, &job, 0, &machine), 1);
	ct_served_job_fini(&job);
	ct_trace_close(trace);
}
