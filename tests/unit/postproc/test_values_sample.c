/* SPDX-License-Identifier: Apache-2.0 */
/* Redundancy of a sample of CTAs: shares and standard errors by hand. */
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/figures/sample.h"

#include <criterion/criterion.h>
#include <math.h>

#define FACT(step) CT_VALUE_FACT_KEY(CT_VALUE_FACT_CTA_LOADS, step)

static struct ct_value_step steps[] = {{.ctas = 4, .recorded = 2}, {.ctas = 0}};
static const struct ct_value_engine engine = {.step = steps, .steps = 2};

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

/* R = .3, e = -1 and 1, s^2 = 2: variance 2^2 * 2 * (1 - 2/4) * 2 = 8 of 2 * 20 elements. */
Test(values_sample, ctas_of_a_launch_spread)
{
	static const struct ct_sum sums[] = {{{FACT(0), 1}, {10, 2}}, {{FACT(0), 3}, {10, 4}}};
	struct ct_values_estimate estimate = ct_value_estimate(&engine, sums, 2);

	cr_assert(is_near(estimate.share, .3));
	cr_assert(is_near(estimate.error, sqrt(8) / 40), "%g", estimate.error);
	cr_assert(is_near(estimate.scale, 2));
}

/* A launch with all of its CTAs counts as it is: R = 12 / 80, e = .5 and 2.5, s^2 = 2. */
Test(values_sample, whole_launches_weigh_once_and_spread_nothing)
{
	static const struct ct_sum sums[] = {
	    {{FACT(0), 1}, {10, 2}}, {{FACT(0), 3}, {10, 4}}, {{FACT(1), 0}, {40, 0}}};
	struct ct_values_estimate estimate = ct_value_estimate(&engine, sums, 3);

	cr_assert(is_near(estimate.share, .15));
	cr_assert(is_near(estimate.error, sqrt(8) / 80), "%g", estimate.error);
	cr_assert(is_near(estimate.scale, 80. / 60));
}

/* One CTA of the two has no accesses: e = 0 there. R = .2, e = 0. */
Test(values_sample, ctas_without_accesses_are_none)
{
	static const struct ct_sum sums[] = {{{FACT(0), 1}, {10, 2}}};
	struct ct_values_estimate estimate = ct_value_estimate(&engine, sums, 1);

	cr_assert(is_near(estimate.share, .2));
	cr_assert(is_near(estimate.error, 0));
	cr_assert(is_near(ct_value_estimate(&engine, sums, 0).share, 0));
}

/* 12 elements of 6 values are recorded, of twice as many: of 24 elements 18 are redundant if all
 * CTAs have those 6 values alone. Stores, all of which are recorded, are what they are. */
Test(values_sample, spatial_redundancy_is_between_bounds)
{
	struct ct_values_set sets[] = {
	    {.elements = 8, .launch_distinct = 5},
	    {.elements = 10, .launch_distinct = 2, .is_store = true},
	    {.elements = 4, .launch_distinct = 1},
	};
	struct ct_values_figures figures = {.set = sets, .sets = 3, .load_estimate = {.scale = 2}};
	struct ct_values_spatial loads = ct_values_spatial_of(&figures, false);
	struct ct_values_spatial stores = ct_values_spatial_of(&figures, true);

	cr_assert_eq(loads.redundant, 6);
	cr_assert(is_near(loads.least, .5));
	cr_assert(is_near(loads.most, .75));
	cr_assert_eq(stores.redundant, 8);
	cr_assert(is_near(stores.least, .8));
	cr_assert(is_near(stores.most, .8));
}
