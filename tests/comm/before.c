/* SPDX-License-Identifier: Apache-2.0 */
/* Happened-before as a matrix. */
#include "tests/comm/before.h"
#include "tests/comm/bag.h"

#include <stdlib.h>
#include <string.h>

static int in_program_order(const void *a, const void *b)
{
	const struct before_call *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return (x->event_index > y->event_index) - (x->event_index < y->event_index);
}

static void collect(struct before *before, const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	const struct ct_transfer_info *transfers;
	const struct ct_host_event *orders;
	size_t launch_count = ct_trace_launches(trace, &launches);
	size_t transfer_count = ct_trace_transfers(trace, &transfers);
	size_t order_count = ct_trace_events(trace, CT_EVENT_ORDER, &orders);
	struct before_call *call =
	    must_have(launch_count + transfer_count + order_count, sizeof(*call));
	size_t n = 0;

	for (size_t i = 0; i < launch_count; i++)
		call[n++] = (struct before_call){
		    &launches[i], NULL, NULL, launches[i].part, launches[i].event_index, 0};
	for (size_t i = 0; i < transfer_count; i++)
		call[n++] = (struct before_call){
		    NULL, &transfers[i], NULL, transfers[i].part, transfers[i].event_index, 0};
	for (size_t i = 0; i < order_count; i++)
		call[n++] = (struct before_call){
		    NULL, NULL, orders[i].order, orders[i].part, orders[i].index, CT_NO_STEP};
	qsort(call, n, sizeof(*call), in_program_order);
	before->call = call;
	before->calls = n;
	before->step = must_have(n, sizeof(*before->step));
	for (size_t i = 0; i < n; i++) {
		if (call[i].superstep == CT_NO_STEP)
			continue;
		before->step[before->steps] = (uint32_t)i;
		call[i].superstep = before->steps++;
	}
}

static uint64_t stream_of(const struct before_call *call)
{
	if (call->launch)
		return call->launch->event->stream;
	return call->transfer ? call->transfer->event->stream : call->order->stream;
}

static uint32_t device_of(const struct before_call *call)
{
	if (call->launch)
		return call->launch->event->device;
	return call->transfer ? call->transfer->event->device : call->order->device;
}

/* Is it work that a stream executes? */
static bool is_queued(const struct before_call *call)
{
	return !call->order || call->order->kind == CT_ORDER_RECORD ||
	       call->order->kind == CT_ORDER_WAIT;
}

static bool is_blocking(const struct ct_trace *trace, uint32_t part, uint64_t stream)
{
	const struct ct_host_event *streams;
	size_t count = ct_trace_events(trace, CT_EVENT_STREAM, &streams);

	for (size_t i = 0; i < count; i++)
		if (streams[i].part == part && streams[i].stream->stream == stream &&
		    (streams[i].stream->flags & CT_STREAM_NON_BLOCKING))
			return false;
	return true;
}

/* Does b, queued later, wait for a because of their streams? */
static bool streams_order(const struct ct_trace *trace, const struct before_call *a,
			  const struct before_call *b)
{
	uint64_t from = stream_of(a), to = stream_of(b);

	if (!is_queued(a) || !is_queued(b))
		return false;
	if (from && from == to)
		return true;
	if (device_of(a) != device_of(b))
		return false;
	return (!from || !to) && is_blocking(trace, a->part, from) &&
	       is_blocking(trace, b->part, to);
}

/* Is a the last record, ahead of b, of the event that b waits for? */
static bool event_orders(const struct before *before, size_t a, size_t b)
{
	const struct ct_event_order *wait = before->call[b].order;

	if (!wait || (wait->kind != CT_ORDER_EVENT && wait->kind != CT_ORDER_WAIT))
		return false;
	for (size_t i = b; i-- > a;) {
		const struct before_call *call = &before->call[i];

		if (call->part == before->call[b].part && call->order &&
		    call->order->kind == CT_ORDER_RECORD && call->order->event == wait->event)
			return i == a;
	}
	return false;
}

/* Did the host wait for a in call b? */
static bool host_waits(const struct ct_trace *trace, const struct before_call *a,
		       const struct before_call *b)
{
	if (!b->order || !is_queued(a))
		return false;
	if (b->order->kind == CT_ORDER_DEVICE)
		return device_of(a) == device_of(b);
	if (b->order->kind != CT_ORDER_STREAM)
		return false;
	if (!stream_of(b)) /* the default stream waits for blocking ones */
		return device_of(a) == device_of(b) && is_blocking(trace, a->part, stream_of(a));
	return stream_of(a) == stream_of(b);
}

/* Had the host waited for call a when it made the next one? */
static bool host_has(const struct before_call *a)
{
	return !is_queued(a) || (a->transfer && (a->transfer->event->flags & CT_TRANSFER_WAITED));
}

static void connect(struct before *before, const struct ct_trace *trace)
{
	size_t n = before->calls;

	before->reaches = must_have(n * n, sizeof(bool));
	for (size_t b = 0; b < n; b++) {
		bool *to = before->reaches;

		for (size_t a = b; a-- > 0;) {
			const struct before_call *x = &before->call[a], *y = &before->call[b];

			if (x->part != y->part || to[a * n + b])
				continue;
			if (!streams_order(trace, x, y) && !event_orders(before, a, b) &&
			    !host_waits(trace, x, y) && !host_has(x))
				continue;
			to[a * n + b] = true;
			for (size_t i = 0; i < a; i++)
				to[i * n + b] |= to[i * n + a];
		}
	}
}

void before_init(struct before *before, const struct ct_trace *trace)
{
	memset(before, 0, sizeof(*before));
	collect(before, trace);
	connect(before, trace);
	before->level = must_have(before->steps, sizeof(*before->level));
	for (uint32_t t = 0; t < before->steps; t++)
		for (uint32_t s = 0; s < t; s++)
			if (before_step(before, s)->launch && before_is(before, s, t) &&
			    before->level[t] < before->level[s] + 1)
				before->level[t] = before->level[s] + 1;
}

void before_fini(struct before *before)
{
	free(before->call);
	free(before->reaches);
	free(before->step);
	free(before->level);
}

const struct before_call *before_step(const struct before *before, uint32_t superstep)
{
	return &before->call[before->step[superstep]];
}

uint32_t before_step_of(const struct before *before, const struct ct_launch_info *launch)
{
	for (uint32_t s = 0; s < before->steps; s++)
		if (before_step(before, s)->launch == launch)
			return s;
	return CT_NO_STEP;
}

bool before_is(const struct before *before, uint32_t s, uint32_t t)
{
	return before->reaches[(size_t)before->step[s] * before->calls + before->step[t]];
}

uint32_t before_distance(const struct before *before, uint32_t s, uint32_t t)
{
	uint32_t from = before->level[s], to = before->level[t];

	return to > from ? to - from - 1 : 0;
}
