/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Supersteps and what happened before what.
 *
 * One walk over the sequence of calls keeps a clock per stream, event and part
 * (the host). A superstep keeps the clock that its stream had, its stream and
 * its position in it.
 */
#include "postproc/order/order.h"
#include "postproc/order/clock.h"
#include "postproc/order/ops.h"
#include <errno.h>
#include <stdlib.h>

/* Where a superstep is. */
struct place {
	uint32_t part, component; /* the stream */
	uint32_t position;        /* from 1, in the stream */
	uint32_t clock;           /* of other streams, when it starts */
};

struct launch_key {
	uint32_t part, launch;
	uint32_t superstep;
};

struct ct_order {
	struct ct_superstep *superstep;
	struct place *place;
	size_t supersteps;
	struct launch_key *by_launch; /* sorted */
	size_t launches;
	struct ct_clocks clocks;
};

/* Records what has happened before what comes next: others' work by clock, and that of one stream
 * up to position (0: none). */
struct past {
	uint32_t clock;
	uint32_t component, position;
	uint32_t level; /* that a launch would have */
};

#define NO_STREAM CT_NONE

struct stream {
	struct past past;
	uint32_t device;                          /* index */
	uint32_t host_version, default_version;   /* that it waited for last */
	uint32_t next_for_host, next_for_default; /* in the device's lists */
	uint8_t for_host, for_default;            /* is in them */
	uint8_t is_default, is_blocking;
};

/* The lists: streams that did something since the host, or the default stream,
 * waited for all of them. */
struct device {
	uint32_t default_stream;
	uint32_t default_version; /* counts what the default stream does */
	uint32_t first_for_host, first_for_default;
};

struct walk {
	struct ct_order *order;
	struct ct_order_ops ops;
	struct stream *stream;
	struct device *device;
	struct past *event;
	struct past host;
	uint32_t host_version; /* counts its changes */
	uint32_t part;
};

static void join(struct walk *walk, struct past *past, const struct past *other)
{
	struct ct_clocks *clocks = &walk->order->clocks;

	past->clock = ct_clocks_join(clocks, past->clock, other->clock);
	if (other->position &&
	    (other->component != past->component || other->position > past->position))
		past->clock =
		    ct_clocks_raise(clocks, past->clock, other->component, other->position);
	if (other->level > past->level)
		past->level = other->level;
}

static void host_waits(struct walk *walk, const struct past *past)
{
	uint32_t clock = walk->host.clock;

	ct_clocks_begin(&walk->order->clocks);
	join(walk, &walk->host, past);
	walk->host_version += walk->host.clock != clock;
}

static void host_waits_for_device(struct walk *walk, struct device *device)
{
	uint32_t clock = walk->host.clock;

	ct_clocks_begin(&walk->order->clocks);
	for (uint32_t s = device->first_for_host; s != NO_STREAM;
	     s = walk->stream[s].next_for_host) {
		join(walk, &walk->host, &walk->stream[s].past);
		walk->stream[s].for_host = 0;
	}
	device->first_for_host = NO_STREAM;
	walk->host_version += walk->host.clock != clock;
}

/* The default stream waits for the blocking ones. */
static void wait_for_blocking(struct walk *walk, struct stream *stream, struct device *device)
{
	for (uint32_t s = device->first_for_default; s != NO_STREAM;
	     s = walk->stream[s].next_for_default) {
		join(walk, &stream->past, &walk->stream[s].past);
		walk->stream[s].for_default = 0;
	}
	device->first_for_default = NO_STREAM;
	device->default_version++;
}

/* The call of an operation in a stream: bring its past up to date. */
static struct stream *act(struct walk *walk, uint32_t index)
{
	struct stream *stream = &walk->stream[index];
	struct device *device = &walk->device[stream->device];

	ct_clocks_begin(&walk->order->clocks);
	if (stream->host_version != walk->host_version)
		join(walk, &stream->past, &walk->host);
	stream->host_version = walk->host_version;
	if (stream->is_default) {
		wait_for_blocking(walk, stream, device);
	} else if (stream->is_blocking) {
		if (stream->default_version != device->default_version)
			join(walk, &stream->past, &walk->stream[device->default_stream].past);
		stream->default_version = device->default_version;
		if (!stream->for_default) {
			stream->next_for_default = device->first_for_default;
			device->first_for_default = index;
			stream->for_default = 1;
		}
	}
	if (!stream->for_host) {
		stream->next_for_host = device->first_for_host;
		device->first_for_host = index;
		stream->for_host = 1;
	}
	return stream;
}

static void add_superstep(struct walk *walk, const struct ct_order_op *op, uint32_t stream_index)
{
	struct ct_order *order = walk->order;
	struct stream *stream = act(walk, stream_index);
	struct past *past = &stream->past;
	uint32_t index = (uint32_t)order->supersteps++;
	const struct ct_event_launch *launch = op->launch ? op->launch->event : NULL;
	const struct ct_event_transfer *transfer = op->transfer ? op->transfer->event : NULL;

	order->superstep[index] =
	    (struct ct_superstep){.launch = op->launch,
				  .transfer = op->transfer,
				  .stream = launch ? launch->stream : transfer->stream,
				  .event_index = op->event_index,
				  .part = op->part,
				  .device = launch ? launch->device : transfer->device,
				  .level = past->level};
	order->place[index] =
	    (struct place){op->part, past->component, ++past->position, past->clock};
	if (launch) {
		past->level++;
		order->by_launch[order->launches++] =
		    (struct launch_key){op->part, launch->launch, index};
	} else if (transfer->flags & CT_TRANSFER_WAITED) {
		host_waits(walk, past);
	}
}

static void take_order(struct walk *walk, const struct ct_event_order *order, uint32_t stream)
{
	uint32_t event = ct_order_ops_event(&walk->ops, walk->part, order->event);
	uint32_t device = ct_order_ops_device(&walk->ops, walk->part, order->device);

	switch (order->kind) {
	case CT_ORDER_DEVICE:
		if (device != CT_NONE)
			host_waits_for_device(walk, &walk->device[device]);
		break;
	case CT_ORDER_STREAM:
		if (walk->stream[stream].is_default) /* blocking streams too: seen on an H200 */
			act(walk, stream);
		host_waits(walk, &walk->stream[stream].past);
		break;
	case CT_ORDER_EVENT:
		if (event != CT_NONE)
			host_waits(walk, &walk->event[event]);
		break;
	case CT_ORDER_RECORD:
		walk->event[event] = act(walk, stream)->past;
		break;
	case CT_ORDER_WAIT: {
		struct stream *waiting = act(walk, stream);

		if (event != CT_NONE)
			join(walk, &waiting->past, &walk->event[event]);
		break;
	}
	default:
		break;
	}
}

/* The stream of an op; NO_STREAM for waits that are not for one. */
static uint32_t stream_of(const struct walk *walk, const struct ct_order_op *op)
{
	uint64_t id;
	uint32_t device;

	if (op->launch) {
		id = op->launch->event->stream;
		device = op->launch->event->device;
	} else if (op->transfer) {
		id = op->transfer->event->stream;
		device = op->transfer->event->device;
	} else {
		id = op->order->stream;
		device = op->order->device;
	}
	return ct_order_ops_stream(&walk->ops, op->part, id, device);
}

static void walk_ops(struct walk *walk)
{
	for (size_t i = 0; i < walk->ops.ops; i++) {
		const struct ct_order_op *op = &walk->ops.op[i];
		uint32_t stream = stream_of(walk, op);

		if (op->part != walk->part) {
			walk->part = op->part;
			walk->host = (struct past){0};
			walk->host_version = 0;
		}
		if (op->order)
			take_order(walk, op->order, stream);
		else
			add_superstep(walk, op, stream);
	}
}

static int open_walk(struct walk *walk)
{
	const struct ct_order_ops *ops = &walk->ops;

	walk->stream = calloc(ops->streams + 1, sizeof(*walk->stream));
	walk->device = calloc(ops->devices + 1, sizeof(*walk->device));
	walk->event = calloc(ops->events + 1, sizeof(*walk->event));
	if (!walk->stream || !walk->device || !walk->event)
		return -ENOMEM;
	for (uint32_t i = 0; i < ops->devices; i++)
		walk->device[i] =
		    (struct device){.default_stream = ct_order_ops_stream(ops, ops->device[i].part,
									  0, ops->device[i].device),
				    .first_for_host = NO_STREAM,
				    .first_for_default = NO_STREAM};
	for (uint32_t i = 0; i < ops->streams; i++) {
		const struct ct_order_stream *from = &ops->stream[i];
		struct stream *stream = &walk->stream[i];

		stream->past.component = from->component;
		stream->device = ct_order_ops_device(ops, from->part, from->device);
		stream->is_default = from->id == 0;
		stream->is_blocking = !(from->flags & CT_STREAM_NON_BLOCKING) &&
				      walk->device[stream->device].default_stream != NO_STREAM;
	}
	return 0;
}

static void close_walk(struct walk *walk)
{
	free(walk->stream);
	free(walk->device);
	free(walk->event);
	ct_order_ops_fini(&walk->ops);
}

static int compare_launches(const void *left, const void *right)
{
	const struct launch_key *a = left, *b = right;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->launch > b->launch) - (a->launch < b->launch);
}

int ct_order_open(struct ct_order **out, const struct ct_trace *trace)
{
	struct ct_order *order = calloc(1, sizeof(*order));
	struct walk walk = {.order = order};
	int err;

	*out = NULL;
	if (!order)
		return -ENOMEM;
	err = ct_order_ops_init(&walk.ops, trace);
	if (err < 0)
		goto close;
	err = -ENOMEM;
	order->superstep = calloc(walk.ops.supersteps + 1, sizeof(*order->superstep));
	order->place = calloc(walk.ops.supersteps + 1, sizeof(*order->place));
	order->by_launch = calloc(walk.ops.supersteps + 1, sizeof(*order->by_launch));
	if (!order->superstep || !order->place || !order->by_launch ||
	    ct_clocks_init(&order->clocks, walk.ops.components) < 0 || open_walk(&walk) < 0)
		goto close;
	walk_ops(&walk);
	err = order->clocks.err;
	if (err < 0)
		goto close;
	qsort(order->by_launch, order->launches, sizeof(*order->by_launch), compare_launches);
	close_walk(&walk);
	*out = order;
	return 0;

close:
	close_walk(&walk);
	ct_order_close(order);
	return err;
}

void ct_order_close(struct ct_order *order)
{
	if (!order)
		return;
	ct_clocks_fini(&order->clocks);
	free(order->superstep);
	free(order->place);
	free(order->by_launch);
	free(order);
}

size_t ct_order_supersteps(const struct ct_order *order, const struct ct_superstep **supersteps)
{
	*supersteps = order->superstep;
	return order->supersteps;
}

uint32_t ct_order_of_launch(const struct ct_order *order, uint32_t part, uint32_t launch)
{
	const struct launch_key key = {.part = part, .launch = launch};
	const struct launch_key *first = order->by_launch, *found;

	/* Ids count from 1: most are where they would be if none were missing. */
	if (order->launches && launch - first->launch < order->launches &&
	    !compare_launches(&key, &first[launch - first->launch]))
		return first[launch - first->launch].superstep;
	found = bsearch(&key, first, order->launches, sizeof(key), compare_launches);
	return found ? found->superstep : CT_NO_SUPERSTEP;
}

bool ct_order_before(const struct ct_order *order, uint32_t s, uint32_t t)
{
	const struct place *first = &order->place[s], *then = &order->place[t];

	if (s >= t || first->part != then->part)
		return false;
	if (first->component == then->component)
		return true;
	return ct_clocks_at(&order->clocks, then->clock, first->component) >= first->position;
}

uint32_t ct_order_distance(const struct ct_order *order, uint32_t s, uint32_t t)
{
	uint32_t first = order->superstep[s].level, then = order->superstep[t].level;

	return then > first + 1 ? then - first - 1 : 0;
}
