/* SPDX-License-Identifier: Apache-2.0 */
/* What it saves not to access memory, by hand: costs in round seconds. */
#include "postproc/analysis/values/findings/worth.h"

#include <criterion/criterion.h>
#include <math.h>

/* A sector costs 1 from the L1, 5 from the L2, 15 from memory; launches of the kernel take 2. */
static struct ct_values_traffic all = {.sectors = {10, 4, 2}, .waits = {5, 2, 1}};
static struct ct_values_worth worth = {
    .sector = {1, 5, 15},
    .latency = {1, 10, 25},
    .kernel_seconds = 2,
    .call = {[CT_VALUES_SET] = 2},
    .byte = {[CT_VALUES_SET] = .5, [CT_VALUES_COPY_IN] = 4},
    .row = &all,
    .kernel = &all,
};
static struct ct_kernel_entry kernel = {.launches = 5};
static double seconds;
static struct ct_values_figures figures = {
    .kernel = &kernel, .kernels = 1, .seconds = &seconds, .worth = &worth};

static void is(double value, double expected)
{
	cr_assert(fabs(value - expected) < 1e-9, "%g in place of %g", value, expected);
}

/* The nearest ten are in the L1, with all that waits for it, and one of four in the L2. */
Test(values_worth, what_was_accessed_just_before_is_near)
{
	struct ct_values_traffic near = ct_values_traffic_nearest(&all, 11);

	is(near.sectors[CT_SERVED_L1], 10);
	is(near.sectors[CT_SERVED_L2], 1);
	is(near.sectors[CT_SERVED_MEMORY], 0);
	is(near.waits[CT_SERVED_L1], 5);
	is(near.waits[CT_SERVED_L2], .5);
}

/* All moving takes 10 + 20 + 30 = 60. The launches take 40 beyond 10 for nothing: two thirds. */
Test(values_worth, a_kernel_that_moves_is_worth_its_part)
{
	struct ct_values_traffic near = ct_values_traffic_nearest(&all, 11);

	seconds = 50;
	is(ct_values_worth_of(&figures, 0, &near), 40. / 60 * 15);
	is(ct_values_worth_of(&figures, 0, &all), 40);
}

/* 100 beyond 10 for nothing, 60 of them moving, 40 waiting: 5 + 20 + 25 parts, of which 10 go. */
Test(values_worth, a_kernel_that_waits_saves_what_it_waits_for)
{
	struct ct_values_traffic near = ct_values_traffic_nearest(&all, 11);

	seconds = 110;
	is(ct_values_worth_of(&figures, 0, &near), 15 + 40. * 10 / 50);
	near.waits[CT_SERVED_L1] = near.waits[CT_SERVED_L2] = 0;
	is(ct_values_worth_of(&figures, 0, &near), 15);
}

Test(values_worth, nothing_is_said_of_what_is_not_known)
{
	seconds = 0;
	is(ct_values_worth_of(&figures, 0, &all), 0);
	seconds = 9; /* less than empty kernels take */
	is(ct_values_worth_of(&figures, 0, &all), 0);
	figures.worth = NULL;
	is(ct_values_worth_of(&figures, 0, &all), 0);
	is(ct_values_worth_of_write(&figures, &(struct ct_values_node){.way = CT_VALUES_SET}, 8, 1),
	   0);
	figures.worth = &worth;
}

/* Memsets that are left out altogether are launched no more; a store is a sector of the L2. */
Test(values_worth, writes_take_their_bandwidth)
{
	struct ct_values_node node = {.way = CT_VALUES_SET};

	is(ct_values_worth_of_write(&figures, &node, 8, 3), 4 + 6);
	node.way = CT_VALUES_COPY_IN;
	is(ct_values_worth_of_write(&figures, &node, 8, 3), 32);
	node.way = CT_VALUES_LAUNCH;
	seconds = 110;
	is(ct_values_worth_of_write(&figures, &node, 64, 0), 2 * 5);
}
