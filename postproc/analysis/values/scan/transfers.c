/* SPDX-License-Identifier: Apache-2.0 */
/* From transfers to pieces: what copies and memsets read and write of each page. */
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/scan/alone.h"
#include "postproc/analysis/values/scan/put.h"
#include "postproc/analysis/values/scan/scan.h"
#include "trace/read/work.h"

#include <stdlib.h>

/* Returns the range of a row of a transfer: a memset of one object, whose value is reported, is a
 * fill. */
static struct ct_value_range range_of(const struct ct_value_engine *engine, uint32_t step,
				      uint64_t address, const struct ct_event_transfer *event)
{
	struct ct_value_range range = {.operation = CT_OPERATION_OVERWRITE, .object = CT_NONE};
	const struct ct_event_alloc *alloc;
	uint32_t bytes = event->value_bytes;

	if (event->kind != CT_TRANSFER_SET || (bytes != 1 && bytes != 2 && bytes != 4))
		return range;
	range.object = ct_value_object_at(engine, step, address);
	if (range.object == CT_NONE)
		return range;
	alloc = engine->first_object[range.object].event;
	if (alloc->bytes - (address - alloc->address) < event->width) {
		range.object = CT_NONE;
		return range;
	}
	range.operation = CT_OPERATION_FILL;
	for (uint32_t i = 0; i < 8; i += bytes)
		range.pattern |= ((uint64_t)event->value & (UINT64_MAX >> (64 - 8 * bytes)))
				 << 8 * i;
	return range;
}

/* Puts what a copy reads of objects. */
static int put_source(struct ct_value_put *put, const struct ct_event_transfer *event)
{
	static const struct ct_value_range read = {
	    .operation = CT_OPERATION_OVERWRITE, .object = CT_NONE, .is_read = true};
	uint64_t rows = event->height * event->depth;
	int err = 0;

	if (event->kind != CT_TRANSFER_COPY || !event->source || !ct_transfer_is_sound(event))
		return 0;
	for (uint64_t row = 0; row < rows && err == 0; row++) {
		uint64_t address = (event->source + row / event->height * event->source_slice +
				    row % event->height * event->source_row) &
				   CT_ADDRESS_MASK;

		if (ct_value_object_at(put->engine, put->place.step, address) != CT_NONE)
			err = ct_value_put_range(put, address, event->width, &read);
	}
	return err;
}

static int put_transfer(struct ct_value_put *put, const struct ct_event_transfer *event)
{
	uint64_t rows = event->height * event->depth;
	int err = 0;

	if (!event->target || !ct_transfer_is_sound(event))
		return 0;
	for (uint64_t row = 0; row < rows && err == 0; row++) {
		uint64_t address = (event->target + row / event->height * event->target_slice +
				    row % event->height * event->target_row) &
				   CT_ADDRESS_MASK;
		const struct ct_value_range range =
		    range_of(put->engine, put->place.step, address, event);

		err = ct_value_put_range(put, address, event->width, &range);
	}
	return err;
}

static int put_both(struct ct_value_put *put, const struct ct_event_transfer *event)
{
	int err;

	ct_value_put_move(put);
	err = put_source(put, event);
	return err == 0 ? put_transfer(put, event) : err;
}

/* Counts what is known of a copy that stands alone. */
static int count_written(const struct ct_value_engine *engine, uint32_t step,
			 const struct ct_event_transfer *event)
{
	uint32_t object = ct_value_alone_target(engine, step);

	return object == CT_NONE
		   ? 0
		   : ct_sums_add(engine->sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_WROTE, object), step,
				 event->width * event->height * event->depth, 0);
}

int ct_value_scan_transfers(struct ct_value_engine *engine)
{
	struct ct_value_put put = {.engine = engine};
	int err = ct_trace_transfers_work(engine->trace);
	bool *alone = NULL;

	if (err == 0)
		err = ct_value_alone_find(&alone, engine);
	for (uint32_t i = 0; i < engine->steps && err == 0; i++) {
		const struct ct_transfer_info *transfer = engine->superstep[i].transfer;

		if (!transfer)
			continue;
		put.place.step = i;
		err = alone[i] ? count_written(engine, i, transfer->event)
			       : put_both(&put, transfer->event);
	}
	free(alone);
	return err;
}
