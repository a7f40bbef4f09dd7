/* SPDX-License-Identifier: Apache-2.0 */
/* Which supersteps happened before which, rule by rule. */
#include "tests/unit/postproc/comm_order_check.h"

Test(comm_order, nothing_has_no_supersteps)
{
	const struct ct_superstep *all;
	struct ct_order *result;

	calls_begin(1);
	result = opened();
	cr_expect_eq(ct_order_supersteps(result, &all), 0);
	cr_expect_eq(ct_order_of_launch(result, 0, 1), CT_NO_SUPERSTEP);
	done(result);
	ct_order_close(NULL);
}

Test(comm_order, one_stream_is_a_sequence)
{
	const struct ct_superstep *all;
	struct ct_order *result;
	uint32_t a, b, c;

	calls_begin(10);
	a = launch(1);
	b = transfer(1, 0);
	c = launch(1);
	result = opened();
	cr_expect_eq(ct_order_supersteps(result, &all), 3);
	check_before(result, a, b);
	check_before(result, b, c);
	check_before(result, a, c);
	cr_expect(!ct_order_before(result, c, a));
	cr_expect(!ct_order_before(result, a, a));
	cr_expect_not_null(all[a].launch);
	cr_expect_null(all[a].transfer);
	cr_expect_null(all[b].launch);
	cr_expect_not_null(all[b].transfer);
	cr_expect_eq(all[c].stream, 1);
	cr_expect_eq(all[c].event_index, 2);
	/* The transfer stands where the second launch does. */
	cr_expect_eq(all[a].level, 0);
	cr_expect_eq(all[b].level, 1);
	cr_expect_eq(all[c].level, 1);
	cr_expect_eq(ct_order_distance(result, a, b), 0);
	cr_expect_eq(ct_order_distance(result, b, c), 0);
	cr_expect_eq(ct_order_distance(result, a, c), 0);
	done(result);
}

Test(comm_order, distance_counts_launches_between)
{
	struct ct_order *result;
	uint32_t a, b, c, d, t;

	calls_begin(10);
	a = launch(0);
	b = launch(0);
	c = launch(0);
	t = transfer(0, 0);
	d = launch(0);
	result = opened();
	cr_expect_eq(ct_order_distance(result, a, b), 0);
	cr_expect_eq(ct_order_distance(result, a, c), 1);
	cr_expect_eq(ct_order_distance(result, a, d), 2);
	cr_expect_eq(ct_order_distance(result, a, t), 2);
	cr_expect_eq(ct_order_distance(result, c, t), 0);
	cr_expect_eq(ct_order_distance(result, d, a), 0);
	done(result);
}

Test(comm_order, streams_are_unordered)
{
	struct ct_order *result;
	uint32_t a, b, c;

	calls_begin(10);
	a = launch(1);
	b = launch(2);
	c = launch(1);
	result = opened();
	check_unordered(result, a, b);
	check_unordered(result, b, c);
	check_before(result, a, c);
	done(result);
}

Test(comm_order, a_stream_waits_for_what_an_event_recorded)
{
	struct ct_order *result;
	uint32_t a, after, before, b;

	calls_begin(10);
	a = launch(1);
	order(CT_ORDER_RECORD, 1, 7);
	after = launch(1);
	before = launch(2);
	order(CT_ORDER_WAIT, 2, 7);
	b = launch(2);
	result = opened();
	check_before(result, a, b);
	check_unordered(result, a, before);
	check_unordered(result, after, b);
	done(result);
}

Test(comm_order, events_carry_what_their_stream_waited_for)
{
	struct ct_order *result;
	uint32_t a, b, c;

	calls_begin(10);
	a = launch(1);
	order(CT_ORDER_RECORD, 1, 1);
	order(CT_ORDER_WAIT, 2, 1);
	order(CT_ORDER_RECORD, 2, 2); /* a stream that runs nothing */
	b = launch(1);
	order(CT_ORDER_WAIT, 3, 2);
	c = launch(3);
	result = opened();
	check_before(result, a, c);
	check_unordered(result, b, c);
	done(result);
}

Test(comm_order, the_last_record_counts)
{
	struct ct_order *result;
	uint32_t a, b, first, second;

	calls_begin(20);
	a = launch(1);
	order(CT_ORDER_RECORD, 1, 7);
	order(CT_ORDER_WAIT, 3, 7);
	b = launch(2);
	order(CT_ORDER_RECORD, 2, 7);
	first = launch(3);
	order(CT_ORDER_WAIT, 4, 7);
	second = launch(4);
	result = opened();
	check_before(result, a, first);
	check_unordered(result, b, first);
	check_before(result, b, second);
	check_unordered(result, a, second);
	done(result);
}

Test(comm_order, an_event_never_recorded_orders_nothing)
{
	struct ct_order *result;
	uint32_t a, b, c;

	calls_begin(10);
	a = launch(1);
	order(CT_ORDER_WAIT, 2, 7);
	b = launch(2);
	order(CT_ORDER_EVENT, 0, 7);
	c = launch(3);
	result = opened();
	check_unordered(result, a, b);
	check_unordered(result, a, c);
	done(result);
}

Test(comm_order, the_host_waits_for_a_stream)
{
	struct ct_order *result;
	uint32_t a, b, c, d;

	calls_begin(10);
	a = launch(1);
	b = launch(2);
	order(CT_ORDER_STREAM, 1, 0);
	c = launch(3);
	d = transfer(2, 0);
	result = opened();
	check_before(result, a, c);
	check_before(result, a, d);
	check_unordered(result, b, c);
	check_before(result, b, d);
	done(result);
}

Test(comm_order, a_wait_for_the_default_stream_covers_blocking_ones)
{
	struct ct_order *result;
	uint32_t a, b, c, d;

	calls_begin(10);
	stream_is(3, CT_STREAM_NON_BLOCKING);
	a = launch(1);
	b = launch(0);
	c = launch(1);
	order(CT_ORDER_STREAM, 0, 0);
	d = launch(3);
	result = opened();
	check_before(result, a, d);
	check_before(result, b, d);
	check_before(result, c, d);
	done(result);
}

Test(comm_order, a_wait_for_the_default_stream_leaves_out_non_blocking_ones)
{
	struct ct_order *result;
	uint32_t a, b;

	calls_begin(10);
	stream_is(3, CT_STREAM_NON_BLOCKING);
	stream_is(4, CT_STREAM_NON_BLOCKING);
	a = launch(3);
	order(CT_ORDER_STREAM, 0, 0);
	b = launch(4);
	result = opened();
	check_unordered(result, a, b);
	done(result);
}

Test(comm_order, the_host_waits_for_an_event)
{
	struct ct_order *result;
	uint32_t a, b, c;

	calls_begin(10);
	a = launch(1);
	order(CT_ORDER_RECORD, 1, 1);
	b = launch(1);
	order(CT_ORDER_EVENT, 0, 1);
	c = launch(2);
	result = opened();
	check_before(result, a, c);
	check_unordered(result, b, c);
	done(result);
}

Test(comm_order, the_host_waits_for_a_device_and_all_its_streams)
{
	struct ct_order *result;
	uint32_t a, b, c, other, later;

	calls_begin(10);
	calls_of(0, 1);
	other = launch(9);
	calls_of(0, 0);
	stream_is(2, CT_STREAM_NON_BLOCKING);
	a = launch(1);
	b = launch(2);
	order(CT_ORDER_DEVICE, 0, 0);
	c = launch(3);
	order(CT_ORDER_DEVICE, 0, 0);
	later = launch(2);
	result = opened();
	check_before(result, a, c);
	check_before(result, b, c);
	check_before(result, c, later);
	check_before(result, a, later);
	check_unordered(result, other, c);
	check_unordered(result, other, later);
	done(result);
}

Test(comm_order, a_wait_of_the_host_does_not_cover_what_follows)
{
	struct ct_order *result;
	uint32_t a, b, c;

	calls_begin(10);
	a = launch(1);
	order(CT_ORDER_STREAM, 1, 0);
	b = launch(1);
	c = launch(2);
	result = opened();
	check_before(result, a, c);
	check_unordered(result, b, c);
	done(result);
}

Test(comm_order, the_host_waits_in_transfers_that_say_so)
{
	struct ct_order *result;
	uint32_t a, waited, b, started, c;

	calls_begin(10);
	a = launch(1);
	waited = transfer(1, CT_TRANSFER_WAITED);
	b = launch(2);
	started = transfer(1, 0);
	c = launch(2);
	result = opened();
	check_before(result, a, b);
	check_before(result, waited, b);
	check_unordered(result, started, c);
	done(result);
}

Test(comm_order, the_default_stream_waits_and_is_waited_for)
{
	struct ct_order *result;
	uint32_t a, b, middle, c, d;

	calls_begin(10);
	a = launch(1);
	b = launch(2);
	middle = launch(0);
	c = launch(1);
	d = transfer(3, 0);
	result = opened();
	check_before(result, a, middle);
	check_before(result, b, middle);
	check_before(result, middle, c);
	check_before(result, middle, d);
	check_before(result, b, c);
	check_unordered(result, c, d);
	done(result);
}

Test(comm_order, non_blocking_streams_ignore_the_default_stream)
{
	struct ct_order *result;
	uint32_t a, b, middle, c;

	calls_begin(10);
	stream_is(2, CT_STREAM_NON_BLOCKING);
	a = launch(1);
	b = launch(2);
	middle = launch(0);
	c = launch(2);
	stream_is(2, CT_STREAM_DESTROYED);
	result = opened();
	check_before(result, a, middle);
	check_unordered(result, b, middle);
	check_unordered(result, middle, c);
	done(result);
}

Test(comm_order, a_record_in_the_default_stream_covers_blocking_streams)
{
	struct ct_order *result;
	uint32_t a, b, c, d;

	calls_begin(10);
	stream_is(2, CT_STREAM_NON_BLOCKING);
	stream_is(3, CT_STREAM_NON_BLOCKING);
	a = launch(1);
	b = launch(2);
	order(CT_ORDER_RECORD, 0, 5);
	c = launch(1);
	order(CT_ORDER_WAIT, 3, 5);
	d = launch(3);
	result = opened();
	check_before(result, a, d);
	check_unordered(result, b, d);
	check_unordered(result, c, d);
	done(result);
}

Test(comm_order, devices_have_default_streams_of_their_own)
{
	const struct ct_superstep *all;
	struct ct_order *result;
	uint32_t a, b, c, d;

	calls_begin(20);
	stream_is(1, 0);
	a = launch(1);
	calls_of(0, 1);
	stream_is(2, 0);
	b = launch(0);
	c = launch(2);
	order(CT_ORDER_RECORD, 2, 1);
	calls_of(0, 0);
	order(CT_ORDER_WAIT, 0, 1);
	d = launch(1);
	result = opened();
	check_unordered(result, a, b);
	check_unordered(result, a, c);
	check_before(result, b, c);
	check_before(result, c, d);
	check_before(result, b, d);
	ct_order_supersteps(result, &all);
	cr_expect_eq(all[b].device, 1);
	cr_expect_eq(all[d].device, 0);
	done(result);
}

/* The stream's device is what STREAM says, whatever was current when an event was recorded. */
Test(comm_order, a_stream_stays_on_its_device)
{
	struct ct_order *result;
	uint32_t a, b;

	calls_begin(10);
	stream_is(1, 0);
	a = launch(1);
	calls_of(0, 1);
	order(CT_ORDER_RECORD, 1, 1);
	calls_of(0, 0);
	b = launch(0);
	result = opened();
	check_before(result, a, b);
	done(result);
}

Test(comm_order, a_stream_is_of_the_device_it_runs_on)
{
	struct ct_order *result;
	uint32_t a, b;

	calls_begin(10);
	calls_of(0, 1);
	order(CT_ORDER_RECORD, 1, 1);
	calls_of(0, 0);
	a = launch(1);
	b = launch(0);
	result = opened();
	check_before(result, a, b);
	done(result);
}

Test(comm_order, parts_are_never_ordered)
{
	const struct ct_superstep *all;
	struct ct_order *result;
	uint32_t a, b, c;

	calls_begin(10);
	calls_of(0, 0);
	a = launch(1);
	order(CT_ORDER_RECORD, 1, 1);
	order(CT_ORDER_DEVICE, 0, 0);
	calls_of(1, 0);
	order(CT_ORDER_WAIT, 1, 1);
	order(CT_ORDER_DEVICE, 0, 0);
	b = launch(1);
	c = launch(0);
	result = opened();
	check_unordered(result, a, b);
	check_unordered(result, a, c);
	check_before(result, b, c);
	ct_order_supersteps(result, &all);
	cr_expect_eq(all[b].level, 0);
	cr_expect_eq(all[b].part, 1);
	cr_expect_eq(ct_order_of_launch(result, 0, 1), a);
	cr_expect_eq(ct_order_of_launch(result, 1, 2), b);
	cr_expect_eq(ct_order_of_launch(result, 1, 3), c);
	cr_expect_eq(ct_order_of_launch(result, 0, 2), CT_NO_SUPERSTEP);
	cr_expect_eq(ct_order_of_launch(result, 2, 1), CT_NO_SUPERSTEP);
	done(result);
}

Test(comm_order, levels_follow_the_longest_chain)
{
	const struct ct_superstep *all;
	struct ct_order *result;
	uint32_t a, b, c, d, e;

	calls_begin(20);
	a = launch(1);
	b = launch(1);
	order(CT_ORDER_RECORD, 1, 1);
	c = launch(2);
	order(CT_ORDER_WAIT, 2, 1);
	d = launch(2);
	e = launch(3);
	result = opened();
	ct_order_supersteps(result, &all);
	cr_expect_eq(all[a].level, 0);
	cr_expect_eq(all[b].level, 1);
	cr_expect_eq(all[c].level, 0);
	cr_expect_eq(all[d].level, 2);
	cr_expect_eq(all[e].level, 0);
	cr_expect_eq(ct_order_distance(result, a, d), 1);
	cr_expect_eq(ct_order_distance(result, c, d), 1);
	done(result);
}
