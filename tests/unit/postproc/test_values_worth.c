/* SPDX-License-Identifier: Apache-2.0 */
/* Tests by hand what it saves not to access memory: costs in round seconds. */
#include "postproc/analysis/values/findings/findings.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Memsets and copies to one object, in either order: 12 bytes of memsets, one of which could be
 * left out; 8 of a copy from the host, 8 of one on the device, which could. */
Test(values_worth, each_copy_takes_what_its_way_takes)
{
	struct ct_values_node way[] = {
	    {.way = CT_VALUES_SET}, {.way = CT_VALUES_COPY_IN}, {.way = CT_VALUES_COPY}};
	const struct ct_event_transfer set = {.kind = CT_TRANSFER_SET},
				       copy = {.kind = CT_TRANSFER_COPY};
	const struct ct_transfer_info sets = {&set, "cudaMemset", 0, 0},
				      copies = {&copy, "cudaMemcpy", 0, 0};
	struct ct_values_transfer transfer[] = {
	    {.transfer = &sets, .node = 0, .bytes = 8, .same = 8},
	    {.transfer = &copies, .node = 1, .bytes = 8, .same = 8},
	    {.transfer = &sets, .node = 0, .bytes = 8, .same = 4},
	    {.transfer = &copies, .node = 2, .bytes = 8, .same = 8},
	};
	const struct ct_object_info *object = NULL;
	struct ct_values_figures moved = {.worth = &worth,
					  .node = way,
					  .nodes = 3,
					  .object = &object,
					  .groups = 1,
					  .transfer = transfer,
					  .transfers = 4};

	worth.byte[CT_VALUES_COPY] = 1;
	worth.call[CT_VALUES_COPY] = 2;
	for (int order = 0; order < 2; order++) {
		struct ct_values_advices advices = {.list = NULL};

		transfer[1].node = order ? 2 : 1;
		transfer[3].node = order ? 1 : 2;
		cr_assert_eq(ct_values_advise_runs(&advices, &moved, 1), 0);
		cr_assert_eq(advices.count, 2);
		for (size_t i = 0; i < 2; i++)
			is(advices.list[i].estimate,
			   advices.list[i].id == CT_ID_REDUNDANT_MEMSET ? 6 + 2 : 32 + 8 + 2);
		free(advices.list);
	}
}
