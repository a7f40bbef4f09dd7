/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers what a trace says about order from its tables. */
#include "postproc/order/ops.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_ops(const void *left, const void *right)
{
	const struct ct_order_op *a = left, *b = right;

	return a->part != b->part ? compare(a->part, b->part)
				  : compare(a->event_index, b->event_index);
}

/* The default stream is one per device; other ids say it all. */
static int compare_streams(const void *left, const void *right)
{
	const struct ct_order_stream *a = left, *b = right;

	if (a->part != b->part)
		return compare(a->part, b->part);
	if (a->id || b->id)
		return compare(a->id, b->id);
	return compare(a->device, b->device);
}

static int compare_devices(const void *left, const void *right)
{
	const struct ct_order_device *a = left, *b = right;

	return a->part != b->part ? compare(a->part, b->part) : compare(a->device, b->device);
}

static int compare_events(const void *left, const void *right)
{
	const struct ct_order_event *a = left, *b = right;

	return a->part != b->part ? compare(a->part, b->part) : compare(a->id, b->id);
}

static int gather_ops(struct ct_order_ops *ops, const struct ct_trace *trace)
{
	const struct ct_launch_info *launch;
	const struct ct_transfer_info *transfer;
	const struct ct_host_event *order;
	size_t launches = ct_trace_launches(trace, &launch);
	size_t transfers = ct_trace_transfers(trace, &transfer);
	size_t orders = ct_trace_events(trace, CT_EVENT_ORDER, &order);
	struct ct_order_op *op = calloc(launches + transfers + orders + 1, sizeof(*op));
	bool is_sorted = true;

	if (!op)
		return -ENOMEM;
	ops->op = op;
	ops->ops = launches + transfers + orders;
	ops->supersteps = launches + transfers;
	for (size_t i = 0; i < launches; i++)
		*op++ = (struct ct_order_op){.part = launch[i].part,
					     .event_index = launch[i].event_index,
					     .launch = &launch[i]};
	for (size_t i = 0; i < transfers; i++)
		*op++ = (struct ct_order_op){.part = transfer[i].part,
					     .event_index = transfer[i].event_index,
					     .transfer = &transfer[i]};
	for (size_t i = 0; i < orders; i++)
		*op++ = (struct ct_order_op){
		    .part = order[i].part, .event_index = order[i].index, .order = order[i].order};
	for (size_t i = 1; i < ops->ops && is_sorted; i++)
		is_sorted = compare_ops(&ops->op[i - 1], &ops->op[i]) <= 0;
	if (!is_sorted)
		qsort(ops->op, ops->ops, sizeof(*ops->op), compare_ops);
	return 0;
}

/* The stream that an op is of, if it is of one. */
static bool stream_of(const struct ct_order_op *op, struct ct_order_stream *stream)
{
	*stream = (struct ct_order_stream){.part = op->part, .certainty = 1};
	if (op->launch) {
		stream->id = op->launch->event->stream;
		stream->device = op->launch->event->device;
		return true;
	}
	if (op->transfer) {
		stream->id = op->transfer->event->stream;
		stream->device = op->transfer->event->device;
		return true;
	}
	stream->id = op->order->stream;
	stream->device = op->order->device;
	stream->certainty = 0;
	switch (op->order->kind) {
	case CT_ORDER_STREAM:
	case CT_ORDER_RECORD:
	case CT_ORDER_WAIT:
		return true;
	default:
		return false;
	}
}

/* Sorted, each stream once: on the device that is the most certain, then the first. */
static void unite_streams(struct ct_order_ops *ops, size_t count)
{
	struct ct_order_stream *all = ops->stream, *last = NULL;

	qsort(all, count, sizeof(*all), compare_streams);
	for (size_t i = 0; i < count; i++) {
		if (last && !compare_streams(last, &all[i])) {
			last->flags |= all[i].flags;
			if (all[i].certainty > last->certainty) {
				last->device = all[i].device;
				last->certainty = all[i].certainty;
			}
			continue;
		}
		all[ops->streams] = all[i];
		all[ops->streams].component =
		    last && last->part == all[i].part ? last->component + 1 : 0;
		last = &all[ops->streams++];
		if (last->component >= ops->components)
			ops->components = last->component + 1;
	}
}

static int gather_streams(struct ct_order_ops *ops, const struct ct_trace *trace)
{
	const struct ct_host_event *made;
	size_t count = ct_trace_events(trace, CT_EVENT_STREAM, &made), n = 0;
	struct ct_order_stream *stream = calloc(count + ops->ops + 1, sizeof(*stream));

	if (!stream)
		return -ENOMEM;
	ops->stream = stream;
	for (size_t i = 0; i < count; i++)
		stream[n++] = (struct ct_order_stream){.id = made[i].stream->stream,
						       .part = made[i].part,
						       .device = made[i].stream->device,
						       .flags = made[i].stream->flags,
						       .certainty = 2};
	for (size_t i = 0; i < ops->ops; i++) {
		if (stream_of(&ops->op[i], &stream[n]) &&
		    (!n || stream[n].certainty > stream[n - 1].certainty ||
		     compare_streams(&stream[n - 1], &stream[n])))
			n++;
	}
	unite_streams(ops, n);
	stream = realloc(ops->stream, (ops->streams + 1) * sizeof(*stream));
	if (stream)
		ops->stream = stream;
	return 0;
}

static int gather_devices(struct ct_order_ops *ops)
{
	struct ct_order_device *device = calloc(ops->streams + 1, sizeof(*device));

	if (!device)
		return -ENOMEM;
	ops->device = device;
	for (uint32_t i = 0; i < ops->streams; i++)
		device[i] = (struct ct_order_device){.part = ops->stream[i].part,
						     .device = ops->stream[i].device};
	qsort(device, ops->streams, sizeof(*device), compare_devices);
	for (uint32_t i = 0; i < ops->streams; i++)
		if (!i || compare_devices(&device[ops->devices - 1], &device[i]))
			device[ops->devices++] = device[i];
	return 0;
}

static int gather_events(struct ct_order_ops *ops)
{
	struct ct_order_event *event = NULL;
	size_t records = 0;

	for (size_t i = 0; i < ops->ops; i++)
		records += ops->op[i].order && ops->op[i].order->kind == CT_ORDER_RECORD;
	event = calloc(records + 1, sizeof(*event));
	if (!event)
		return -ENOMEM;
	ops->event = event;
	records = 0;
	for (size_t i = 0; i < ops->ops; i++) {
		const struct ct_order_op *op = &ops->op[i];

		if (op->order && op->order->kind == CT_ORDER_RECORD)
			event[records++] =
			    (struct ct_order_event){.id = op->order->event, .part = op->part};
	}
	qsort(event, records, sizeof(*event), compare_events);
	for (size_t i = 0; i < records; i++)
		if (!i || compare_events(&event[ops->events - 1], &event[i]))
			event[ops->events++] = event[i];
	return 0;
}

int ct_order_ops_init(struct ct_order_ops *ops, const struct ct_trace *trace)
{
	int err;

	*ops = (struct ct_order_ops){0};
	err = gather_ops(ops, trace);
	if (err == 0)
		err = gather_streams(ops, trace);
	if (err == 0)
		err = gather_devices(ops);
	if (err == 0)
		err = gather_events(ops);
	if (err < 0)
		ct_order_ops_fini(ops);
	return err;
}

void ct_order_ops_fini(struct ct_order_ops *ops)
{
	free(ops->op);
	free(ops->stream);
	free(ops->device);
	free(ops->event);
	*ops = (struct ct_order_ops){0};
}

static uint32_t find(const void *key, const void *all, uint32_t count, size_t bytes,
		     int (*compare)(const void *, const void *))
{
	const char *found = count ? bsearch(key, all, count, bytes, compare) : NULL;

	return found ? (uint32_t)((size_t)(found - (const char *)all) / bytes) : CT_NONE;
}

uint32_t ct_order_ops_stream(const struct ct_order_ops *ops, uint32_t part, uint64_t id,
			     uint32_t device)
{
	const struct ct_order_stream key = {.id = id, .part = part, .device = device};

	return find(&key, ops->stream, ops->streams, sizeof(key), compare_streams);
}

uint32_t ct_order_ops_device(const struct ct_order_ops *ops, uint32_t part, uint32_t device)
{
	const struct ct_order_device key = {.part = part, .device = device};

	return find(&key, ops->device, ops->devices, sizeof(key), compare_devices);
}

uint32_t ct_order_ops_event(const struct ct_order_ops *ops, uint32_t part, uint64_t id)
{
	const struct ct_order_event key = {.id = id, .part = part};

	return find(&key, ops->event, ops->events, sizeof(key), compare_events);
}
