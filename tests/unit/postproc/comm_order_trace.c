/* SPDX-License-Identifier: Apache-2.0 */
/* A trace made by hand: the tables of trace/reader.h that order needs. */
#include "tests/unit/postproc/comm_order_trace.h"
#include <criterion/criterion.h>
#include <stdlib.h>

struct ct_trace {
	struct ct_event_launch *launch;
	struct ct_launch_info *launch_info;
	struct ct_event_transfer *transfer;
	struct ct_transfer_info *transfer_info;
	struct ct_event_order *order;
	struct ct_host_event *order_event;
	struct ct_event_stream *stream;
	struct ct_host_event *stream_event;
	size_t launches, transfers, orders, streams, calls;
	uint32_t part, device;
};

static struct ct_trace trace;

static void *array(size_t count, size_t bytes)
{
	void *all = calloc(count + 1, bytes);

	cr_assert_not_null(all);
	return all;
}

void calls_begin(size_t calls)
{
	trace = (struct ct_trace){.calls = calls};
	trace.launch = array(calls, sizeof(*trace.launch));
	trace.launch_info = array(calls, sizeof(*trace.launch_info));
	trace.transfer = array(calls, sizeof(*trace.transfer));
	trace.transfer_info = array(calls, sizeof(*trace.transfer_info));
	trace.order = array(calls, sizeof(*trace.order));
	trace.order_event = array(calls, sizeof(*trace.order_event));
	trace.stream = array(calls, sizeof(*trace.stream));
	trace.stream_event = array(calls, sizeof(*trace.stream_event));
	trace.calls = 0;
}

void calls_end(void)
{
	free(trace.launch);
	free(trace.launch_info);
	free(trace.transfer);
	free(trace.transfer_info);
	free(trace.order);
	free(trace.order_event);
	free(trace.stream);
	free(trace.stream_event);
}

void calls_of(uint32_t part, uint32_t device)
{
	trace.part = part;
	trace.device = device;
}

uint32_t launch(uint64_t stream)
{
	size_t i = trace.launches++;

	trace.launch[i] = (struct ct_event_launch){
	    .launch = (uint32_t)i + 1, .device = trace.device, .stream = stream};
	trace.launch_info[i] = (struct ct_launch_info){
	    .event = &trace.launch[i], .part = trace.part, .event_index = trace.calls++};
	return (uint32_t)(trace.launches + trace.transfers - 1);
}

uint32_t transfer(uint64_t stream, uint32_t flags)
{
	size_t i = trace.transfers++;

	trace.transfer[i] =
	    (struct ct_event_transfer){.stream = stream, .device = trace.device, .flags = flags};
	trace.transfer_info[i] = (struct ct_transfer_info){
	    .event = &trace.transfer[i], .part = trace.part, .event_index = trace.calls++};
	return (uint32_t)(trace.launches + trace.transfers - 1);
}

void order(uint32_t kind, uint64_t stream, uint64_t event)
{
	size_t i = trace.orders++;

	trace.order[i] = (struct ct_event_order){
	    .kind = kind, .stream = stream, .event = event, .device = trace.device};
	trace.order_event[i] = (struct ct_host_event){
	    .order = &trace.order[i], .part = trace.part, .index = trace.calls++};
}

void stream_is(uint64_t stream, uint32_t flags)
{
	size_t i = trace.streams++;

	trace.stream[i] =
	    (struct ct_event_stream){.stream = stream, .flags = flags, .device = trace.device};
	trace.stream_event[i] = (struct ct_host_event){
	    .stream = &trace.stream[i], .part = trace.part, .index = trace.calls++};
}

const struct ct_trace *calls_trace(void)
{
	return &trace;
}

size_t ct_trace_launches(const struct ct_trace *from, const struct ct_launch_info **launches)
{
	*launches = from->launch_info;
	return from->launches;
}

size_t ct_trace_transfers(const struct ct_trace *from, const struct ct_transfer_info **transfers)
{
	*transfers = from->transfer_info;
	return from->transfers;
}

size_t ct_trace_events(const struct ct_trace *from, enum ct_event_kind kind,
		       const struct ct_host_event **events)
{
	*events = kind == CT_EVENT_ORDER ? from->order_event : from->stream_event;
	return kind == CT_EVENT_ORDER ? from->orders : from->streams;
}
