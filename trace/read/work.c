/* SPDX-License-Identifier: Apache-2.0 */
/* How much work a trace may ask of its readers. */
#include "trace/read/work.h"
#include "trace/read/reader_state.h"

#include <cudatrace/error.h>
#include <stdlib.h>
#include <string.h>

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
