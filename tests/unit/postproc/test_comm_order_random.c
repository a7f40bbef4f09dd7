/* SPDX-License-Identifier: Apache-2.0 */
/* Order on a large scale: random calls beside a closure of all edges, and memory. */
#include "tests/unit/postproc/comm_order_check.h"
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

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

Test(comm_order_random, random_calls_agree_with_the_closure)
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
Test(comm_order_random, many_streams_share_memory)
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
Test(comm_order_random, a_host_that_always_waits_shares_memory)
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
