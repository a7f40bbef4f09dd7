/* SPDX-License-Identifier: Apache-2.0 */
/* Times of CTAs against what follows from the drawing in trace_ctas.h. */
#include "postproc/analysis/ctas/ctas.h"
#include "tests/unit/trace/trace_ctas.h"
#include "tests/unit/trace/trace_fixture.h"
#include "trace/read/clock_map.h"

#include <criterion/criterion.h>
#include <string.h>

#define US 1000u

static char *directory;
static struct ct_trace *trace;
static struct ct_ctas ctas;

static void study(void)
{
	char why[512];

	directory = fixture_directory();
	cr_assert_eq(ctas_make(directory), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_ctas_init(&ctas, trace, NULL), 0);
}

static void end(void)
{
	ct_ctas_fini(&ctas);
	ct_trace_close(trace);
	fixture_remove(directory);
}

Test(ctas, of_a_launch, .init = study, .fini = end)
{
	const struct ct_ctas_launch *launch = &ctas.launch[0];

	cr_assert_eq(ctas.launches, 2);
	cr_expect_eq(launch->launch->event->launch, 1);
	cr_expect(!launch->is_traced);
	cr_expect_eq(launch->ctas, 6);
	cr_expect_eq(launch->sms, 4);
	cr_expect_eq(launch->device_sms, 4);
	cr_expect_eq(launch->begin_ns, CTAS_BEGIN_NS);
	cr_expect_eq(ct_ctas_time_ns(launch), 40 * US);
	cr_expect_eq(launch->min_ns, 10 * US);
	cr_expect_eq(launch->median_ns, 10 * US);
	cr_expect_eq(launch->p95_ns, 20 * US);
	cr_expect_eq(launch->max_ns, 20 * US);
	cr_expect_eq(launch->total_ns, 80 * US);
}

/* Events are the trace's, and nothing else reads them here. */
static void set_recorded(size_t number, uint8_t tier, uint32_t block_period)
{
	struct ct_event_launch *event = (struct ct_event_launch *)ctas.launch[number].launch->event;

	event->tier = tier;
	event->block_period = block_period;
}

static bool is_uneven(uint8_t tier, uint32_t block_period)
{
	const char *name = ctas.launch[0].launch->kernel;
	bool is = false;

	set_recorded(0, tier, block_period);
	ct_ctas_fini(&ctas);
	ctas = (struct ct_ctas){.launches = 0};
	cr_assert_eq(ct_ctas_init(&ctas, trace, NULL), 0);
	for (size_t i = 0; i < ctas.kernels; i++)
		is |= strcmp(ctas.kernel[i].name, name) == 0 && ctas.kernel[i].is_uneven;
	return is;
}

Test(ctas, lengths_are_not_compared_where_a_part_is_recorded, .init = study, .fini = end)
{
	cr_assert(!is_uneven(CT_TIER_CLOCK, 0));
	cr_assert(!is_uneven(CT_TIER_CLOCK, 7), "their times are of a clone that records nothing");
	cr_assert(!is_uneven(CT_TIER_FULL, 1));
	cr_assert(is_uneven(CT_TIER_FULL, 7));
}

Test(ctas, how_many_at_once, .init = study, .fini = end)
{
	const struct ct_ctas_launch *launch = &ctas.launch[0];
	const double expected[4] = {4, 2, 1, 1};
	double course[4];

	cr_expect_eq(launch->peak, 4);
	cr_expect_eq(launch->peak_of_sm, 1);
	cr_expect_float_eq(ct_ctas_waves(launch), 1.5, 1e-9);
	cr_expect_float_eq(ct_ctas_mean_resident(launch), 0.5, 1e-9);
	cr_expect_eq(ct_ctas_tail_ns(launch), 20 * US); /* two of four until 20 µs */
	ct_ctas_course(launch, course, 4);
	for (int i = 0; i < 4; i++)
		cr_expect_float_eq(course[i], expected[i], 1e-9, "part %d: %f", i, course[i]);
}

Test(ctas, how_evenly, .init = study, .fini = end)
{
	const struct ct_ctas_launch *launch = &ctas.launch[0];

	cr_expect_eq(launch->busy_ns, 80 * US); /* 20, 30, 10, 20 */
	cr_expect_eq(launch->most_busy_ns, 30 * US);
	cr_expect_float_eq(ct_ctas_sm_imbalance(launch), 1.5, 1e-9);
	cr_expect_float_eq(ct_ctas_cta_imbalance(launch), 1.5, 1e-9);
	cr_expect_eq(ct_ctas_saved_ns(launch), 20 * US);
}

Test(ctas, of_kernels, .init = study, .fini = end)
{
	cr_assert_eq(ctas.kernels, 2);
	cr_expect_str_eq(ctas.kernel[0].name, "even(float*)");
	cr_expect_eq(ctas.kernel[0].few_ns, 0);
	cr_expect_eq(ctas.kernel[0].tail_ns, 20 * US);
	cr_expect_str_eq(ctas.kernel[1].name, "one(float*)");
	cr_expect(ctas.kernel[1].is_traced);
	cr_expect_eq(ctas.kernel[1].few_ns, 5 * US);
	cr_expect_eq(ctas.kernel[1].few_saved_ns, 3750);
	cr_expect_eq(ctas.kernel[1].device_sms, 4);
}

static void expect_host(const struct ct_clock_map *map, uint64_t device_ns, uint64_t host_ns,
			uint64_t error_ns)
{
	uint64_t error, host = ct_clock_map_host(map, 0, device_ns, &error);

	cr_expect_eq(host, host_ns, "%lu at %lu", (unsigned long)host, (unsigned long)device_ns);
	cr_expect_eq(error, error_ns);
}

Test(ctas, on_the_clock_of_the_host, .init = study, .fini = end)
{
	struct ct_clock_map map = {.count = 0};
	uint64_t error;

	cr_assert_eq(ct_clock_map_init(&map, trace, 0), 0);
	expect_host(&map, 500, 4500, 3);
	expect_host(&map, 1000, 5000, 5);
	expect_host(&map, 2000, 6100, 5);
	expect_host(&map, 3000, 7200, 5);
	expect_host(&map, 4000, 8200, 5);
	cr_expect_eq(ct_clock_map_host(&map, 1, 4000, &error), 4000);
	cr_expect_eq(error, UINT64_MAX);
	ct_clock_map_fini(&map);
}
