/* SPDX-License-Identifier: Apache-2.0 */
/* Which supersteps happened before which, rule by rule and against a closure of all edges. */
#include "comm_order_trace.h"
#include <criterion/criterion.h>
#include <malloc.h>
#include <postproc/comm/order.h>
#include <stdlib.h>
#include <string.h>

static struct ct_order *opened(void)
{
	struct ct_order *result;

	cr_assert_eq(ct_order_open(&result, calls_trace()), 0);
	return result;
}

static void done(struct ct_order *result)
{
	ct_order_close(result);
	calls_end();
}

#define check_before(result, s, t) cr_expect(ct_order_before(result, s, t), #s " before " #t)
#define check_unordered(result, s, t)                                                              \
	cr_expect(!ct_order_before(result, s, t) && !ct_order_before(result, t, s),                \
		  #s " and " #t " unordered")

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

/* Random calls beside the closure of all edges that the rules name. */

#define CALLS 3000u
#define STREAMS_MAX 40u
#define EVENTS 6u

struct random_call {
	uint32_t kind; /* of order; 0: a superstep */
	uint32_t stream, event, device;
	int is_launch, is_waited;
	uint32_t superstep;
};

struct closure {
	uint64_t past[CALLS][(CALLS + 63) / 64];
	struct random_call call[CALLS];
	uint32_t level[CALLS];
	int last_of_stream[2][STREAMS_MAX]; /* [device]; stream 0: the default one */
	int record[EVENTS];
	int host;
};

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*seed >> 33) % below;
}

static int is_non_blocking(uint32_t stream)
{
	return stream && stream % 5 == 4;
}

/* Streams 1, 3, 5 … are of device 1. */
static uint32_t device_of(uint32_t stream)
{
	return stream % 2;
}

static void draw_calls(struct closure *all, uint64_t seed, uint32_t streams)
{
	uint32_t waits = 1 + draw(&seed, 30);

	calls_begin(CALLS + STREAMS_MAX);
	for (uint32_t s = 1; s < streams; s++) {
		calls_of(0, device_of(s));
		stream_is(s, is_non_blocking(s) ? CT_STREAM_NON_BLOCKING : 0);
	}
	for (uint32_t i = 0; i < CALLS; i++) {
		struct random_call *call = &all->call[i];

		call->stream = draw(&seed, 20) ? draw(&seed, streams) : 0;
		call->device = call->stream ? device_of(call->stream) : draw(&seed, 2);
		call->event = 1 + draw(&seed, EVENTS - 1);
		calls_of(0, call->device);
		if (draw(&seed, 3)) {
			call->kind = draw(&seed, waits) ? CT_ORDER_RECORD + draw(&seed, 2)
							: CT_ORDER_DEVICE + draw(&seed, 3);
			order(call->kind, call->stream, call->event);
		} else if (draw(&seed, 4)) {
			call->is_launch = 1;
			call->superstep = launch(call->stream);
		} else {
			call->is_waited = draw(&seed, 4) == 0;
			call->superstep =
			    transfer(call->stream, call->is_waited ? CT_TRANSFER_WAITED : 0);
		}
	}
}

static void edge(struct closure *all, uint32_t to, int from)
{
	if (from < 0)
		return;
	for (size_t w = 0; w < sizeof(all->past[0]) / sizeof(uint64_t); w++)
		all->past[to][w] |= all->past[from][w];
	all->past[to][from / 64] |= 1ull << from % 64;
}

static void edges_of_blocking(struct closure *all, uint32_t to, uint32_t device)
{
	for (uint32_t s = 0; s < STREAMS_MAX; s++)
		if (!is_non_blocking(s))
			edge(all, to, all->last_of_stream[device][s]);
}

static void edges_of_host(struct closure *all, uint32_t i)
{
	const struct random_call *call = &all->call[i];

	edge(all, i, all->host);
	if (call->kind == CT_ORDER_DEVICE)
		for (uint32_t s = 0; s < STREAMS_MAX; s++)
			edge(all, i, all->last_of_stream[call->device][s]);
	else if (call->kind == CT_ORDER_EVENT)
		edge(all, i, all->record[call->event]);
	else
		edge(all, i, all->last_of_stream[call->device][call->stream]);
	if (call->kind == CT_ORDER_STREAM && !call->stream)
		edges_of_blocking(all, i, call->device);
	all->host = (int)i;
}

static void edges_of_stream(struct closure *all, uint32_t i)
{
	const struct random_call *call = &all->call[i];

	edge(all, i, all->host);
	edge(all, i, all->last_of_stream[call->device][call->stream]);
	if (!call->stream)
		edges_of_blocking(all, i, call->device);
	else if (!is_non_blocking(call->stream))
		edge(all, i, all->last_of_stream[call->device][0]);
	if (call->kind == CT_ORDER_WAIT)
		edge(all, i, all->record[call->event]);
	if (call->kind == CT_ORDER_RECORD)
		all->record[call->event] = (int)i;
	all->last_of_stream[call->device][call->stream] = (int)i;
	if (call->is_waited) /* the call that waits is of the host, what it waits for of the stream
			      */
		all->host = (int)i;
}

static int is_past(const struct closure *all, uint32_t s, uint32_t t)
{
	return all->past[t][s / 64] >> s % 64 & 1;
}

static void close_edges(struct closure *all)
{
	memset(all->last_of_stream, -1, sizeof(all->last_of_stream));
	memset(all->record, -1, sizeof(all->record));
	all->host = -1;
	for (uint32_t i = 0; i < CALLS; i++) {
		uint32_t kind = all->call[i].kind;

		if (kind == CT_ORDER_DEVICE || kind == CT_ORDER_STREAM || kind == CT_ORDER_EVENT)
			edges_of_host(all, i);
		else
			edges_of_stream(all, i);
		for (uint32_t j = 0; j < i; j++)
			if (all->call[j].is_launch && is_past(all, j, i) &&
			    all->level[j] >= all->level[i])
				all->level[i] = all->level[j] + 1;
	}
}

static void compare_with_closure(uint64_t seed, uint32_t streams)
{
	static struct closure all;
	const struct ct_superstep *supersteps;
	struct ct_order *result;

	memset(&all, 0, sizeof(all));
	draw_calls(&all, seed, streams);
	close_edges(&all);
	result = opened();
	ct_order_supersteps(result, &supersteps);
	for (uint32_t t = 0; t < CALLS; t++) {
		if (all.call[t].kind)
			continue;
		cr_assert_eq(supersteps[all.call[t].superstep].level, all.level[t],
			     "seed %zu: level of call %u", (size_t)seed, t);
		for (uint32_t s = 0; s < CALLS; s++)
			if (!all.call[s].kind)
				cr_assert_eq(ct_order_before(result, all.call[s].superstep,
							     all.call[t].superstep),
					     is_past(&all, s, t), "seed %zu: %u before %u",
					     (size_t)seed, s, t);
	}
	done(result);
}

Test(comm_order, random_calls_agree_with_the_closure)
{
	static const uint32_t streams[] = {1, 2, 5, 16, 17, 40};

	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++)
		for (uint64_t seed = 1; seed <= 4; seed++)
			compare_with_closure(seed, streams[i]);
}

static size_t allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* Pipelines of 256 streams, each launch waiting for another stream's. */
Test(comm_order, many_streams_share_memory)
{
	struct ct_order *result;
	size_t before;
	uint64_t seed = 1;

	calls_begin(310000);
	for (uint32_t i = 0; i < 100000; i++) {
		uint64_t stream = 1 + i % 256;

		if (i % 8 == 7)
			order(CT_ORDER_WAIT, stream, 1 + draw(&seed, 256));
		launch(stream);
		order(CT_ORDER_RECORD, stream, stream);
		if (i % 1000 == 999)
			order(CT_ORDER_DEVICE, 0, 0);
	}
	before = allocated();
	result = opened();
	cr_expect_leq(allocated() - before, 100u << 20, "%zu bytes", allocated() - before);
	cr_expect(ct_order_before(result, 0, 99999));
	cr_expect(!ct_order_before(result, 99998, 99999));
	done(result);
}

/* The host waits after each launch: each launch has another clock. */
Test(comm_order, a_host_that_always_waits_shares_memory)
{
	struct ct_order *result;
	size_t before;

	calls_begin(210000);
	for (uint32_t i = 0; i < 100000; i++) {
		launch(1 + i % 256);
		order(CT_ORDER_STREAM, 1 + i % 256, 0);
	}
	before = allocated();
	result = opened();
	cr_expect_leq(allocated() - before, 50u << 20, "%zu bytes", allocated() - before);
	for (uint32_t i = 1; i < 100000; i += 777)
		cr_expect(ct_order_before(result, i - 1, i));
	done(result);
}
