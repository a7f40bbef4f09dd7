/* SPDX-License-Identifier: Apache-2.0 */
/* How much work a trace may ask of its readers. */
#include "trace/read/work.h"
#include "trace/read/reader_state.h"

#include <cudatrace/error.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX (1u << 28) /* of a transfer */

void ct_work_init(struct ct_trace_work *work, uint64_t bytes)
{
	const char *expand = getenv("CTPOST_EXPAND");

	work->done = 0;
	work->limit = CT_WORK_FREE;
	if (expand && strcmp(expand, "all") == 0)
		work->limit = UINT64_MAX;
	else if (__builtin_mul_overflow(bytes, CT_WORK_PER_BYTE, &bytes) ||
		 __builtin_add_overflow(work->limit, bytes, &work->limit))
		work->limit = UINT64_MAX;
}

void ct_trace_begin_work(struct ct_trace *trace)
{
	trace->work->done = 0;
}

/* Whether no two rows have bytes in common: CUDA refuses pitches that are less than a row. Of
 * arrays, which have no addresses, there are none. */
static bool is_apart(const struct ct_event_transfer *transfer, uint64_t address, uint64_t row,
		     uint64_t slice)
{
	uint64_t end; /* of a slice */

	if (!address)
		return true;
	if (transfer->height > 1 && row < transfer->width)
		return false;
	if (transfer->depth <= 1)
		return true;
	if (transfer->height > 1 && row > CT_ADDRESS_MASK / transfer->height)
		return false;
	end =
	    transfer->height > 1 ? (transfer->height - 1) * row + transfer->width : transfer->width;
	return slice >= end;
}

bool ct_transfer_is_sound(const struct ct_event_transfer *transfer)
{
	uint64_t rows = transfer->height * transfer->depth;

	return transfer->height <= ROWS_MAX && transfer->depth <= ROWS_MAX && rows <= ROWS_MAX &&
	       transfer->width <= CT_ADDRESS_MASK / (rows + 1) &&
	       is_apart(transfer, transfer->target, transfer->target_row, transfer->target_slice) &&
	       is_apart(transfer, transfer->source, transfer->source_row, transfer->source_slice);
}

int ct_trace_transfers_work(const struct ct_trace *trace)
{
	const struct ct_transfer_info *transfers =
	    CT_ARRAY(const struct ct_transfer_info, &trace->transfers);
	size_t count = CT_COUNT(struct ct_transfer_info, &trace->transfers);
	uint64_t sum = 0;

	if (trace->work->limit == UINT64_MAX)
		return 0;
	for (size_t i = 0; i < count; i++) {
		const struct ct_event_transfer *event = transfers[i].event;
		uint64_t pieces = 1 + (event->width >> CT_WORK_PIECE_BITS);

		/* Below 2^52: it does not overflow. */
		if (!ct_transfer_is_sound(event))
			continue;
		sum += CT_WORK_PIECE * event->height * event->depth * pieces;
		if (sum > trace->work->limit)
			return -CT_EWORK;
	}
	return 0;
}

int ct_work_add(struct ct_trace_work *work, uint64_t count, uint64_t times)
{
	uint64_t more, done;

	if (work->limit == UINT64_MAX)
		return 0;
	if (__builtin_mul_overflow(count, times, &more) || more > work->limit)
		return -CT_EWORK;
	done = atomic_fetch_add_explicit(&work->done, more, memory_order_relaxed);
	return done > work->limit - more ? -CT_EWORK : 0;
}
