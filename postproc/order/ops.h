/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a trace says about order, as one sequence, and the streams, devices and events in
 * it. */
#ifndef CT_POSTPROC_ORDER_OPS_H
#define CT_POSTPROC_ORDER_OPS_H

#include "trace/read/reader.h"
#include <stddef.h>
#include <stdint.h>

/* One of the three is not NULL. */
struct ct_order_op {
	uint64_t event_index;
	uint32_t part;
	const struct ct_launch_info *launch;
	const struct ct_transfer_info *transfer;
	const struct ct_event_order *order;
};

struct ct_order_stream {
	uint64_t id;
	uint32_t part;
	uint32_t device;
	uint32_t flags;     /* enum ct_stream_flags */
	uint32_t component; /* number within the part */
	uint32_t certainty; /* of the device: 2 from its STREAM event, 1 from what it runs */
};

struct ct_order_device {
	uint32_t part;
	uint32_t device;
};

struct ct_order_event {
	uint64_t id;
	uint32_t part;
};

struct ct_order_ops {
	struct ct_order_op *op; /* by part, then position */
	size_t ops, supersteps;
	struct ct_order_stream *stream; /* by part, id and, of the default streams, device */
	uint32_t streams, components;   /* components: of the part with the most streams */
	struct ct_order_device *device;
	uint32_t devices;
	struct ct_order_event *event;
	uint32_t events;
};

int ct_order_ops_init(struct ct_order_ops *ops, const struct ct_trace *trace);
void ct_order_ops_fini(struct ct_order_ops *ops);

/* Indices; everything that an op names is there. CT_NONE for another. */
uint32_t ct_order_ops_stream(const struct ct_order_ops *ops, uint32_t part, uint64_t id,
			     uint32_t device);
uint32_t ct_order_ops_device(const struct ct_order_ops *ops, uint32_t part, uint32_t device);
uint32_t ct_order_ops_event(const struct ct_order_ops *ops, uint32_t part, uint64_t id);

#endif
