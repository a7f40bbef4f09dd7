/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the CTA clock that are complete become rows of CTA. */
#include "host-rt/calls/symbols.h"
#include "host-rt/ctas/state.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "trace/write/writer.h"
#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>

#define PIECE 32768u /* entries fetched at once, rows of a chunk */

struct pieces {
	struct ct_cta_times times[PIECE];
	struct ct_row_cta rows[PIECE];
};

static int fetch(const struct ct_drain *drain, struct ct_cta_times *to, uint64_t from,
		 uint64_t count)
{
	if (__real_cudaMemcpyAsync(to, (const void *)(uintptr_t)from, count * sizeof(*to),
				   cudaMemcpyDeviceToHost, drain->stream) != cudaSuccess ||
	    __real_cudaStreamSynchronize(drain->stream) != cudaSuccess)
		return -CT_ECUDA;
	return 0;
}

/* Entries are not cleared: what has ended before the page was used again is another launch's. */
static bool is_reported(const struct ct_cta_times *times, const struct ct_ctas_page *page)
{
	return times->end > page->after &&
	       CT_CTA_AGE(times->begin, times->end) < times->end - page->after;
}

/* Rows of those entries that hold times; how many. */
static size_t make_rows(const struct ct_ctas_table *table, struct pieces *pieces, uint64_t first,
			uint64_t count)
{
	struct ct_ctas_page *page = table->page;
	size_t reported = 0;

	for (uint64_t i = 0; i < count; i++) {
		const struct ct_cta_times *times = &pieces->times[i];
		uint64_t age;

		if (!is_reported(times, page))
			continue;
		age = CT_CTA_AGE(times->begin, times->end);
		pieces->rows[reported++] = (struct ct_row_cta){.cta = first + i,
							       .begin_ns = times->end - age,
							       .duration_ns = age,
							       .launch = table->launch,
							       .sm = CT_CTA_SM(times->begin)};
		if (times->end > page->newest)
			page->newest = times->end;
	}
	return reported;
}

static int write_table(const struct ct_drain *drain, const struct ct_ctas_table *table,
		       struct pieces *pieces)
{
	uint64_t from = table->page->address + table->first * sizeof(struct ct_cta_times);
	uint64_t reported = 0;

	for (uint64_t first = 0; first < table->ctas; first += PIECE) {
		uint64_t count = table->ctas - first < PIECE ? table->ctas - first : PIECE;
		int err = fetch(drain, pieces->times, from + first * sizeof(*pieces->times), count);
		size_t rows = err < 0 ? 0 : make_rows(table, pieces, first, count);

		if (rows)
			err = ct_session_check(ct_writer_rows(ct_session_writer(), CT_TABLE_CTA,
							      pieces->rows, rows, NULL));
		if (err < 0)
			return err;
		reported += rows;
	}
	if (reported < table->ctas)
		ct_events_loss(UINT64_MAX, table->launch,
			       "thread blocks whose end the clock did not see");
	return 0;
}

/* Writes, unless an earlier one failed, and frees. */
static int take_tables(const struct ct_drain *drain, struct ct_ctas_table **list,
		       struct ct_ctas_table ***end, struct pieces *pieces, int err)
{
	struct ct_ctas_table **link = list, *table;

	while ((table = *link)) {
		if (table->phase != CT_CTAS_LAUNCHED) {
			link = &table->next;
			continue;
		}
		if (err == 0)
			err = write_table(drain, table, pieces);
		*link = table->next;
		if (table->stream)
			table->stream->ctas -= table->ctas;
		ct_ctas_page_return(table->page);
		free(table);
	}
	*end = link;
	return err;
}

static bool is_complete(const struct ct_ctas_mark *mark)
{
	return mark->is_recorded && __real_cudaEventQuery(mark->event) == cudaSuccess;
}

static int take_marks(struct ct_drain *drain, struct pieces *pieces, bool all)
{
	struct ct_ctas_device *device = ct_ctas_device_of(drain);
	struct ct_ctas_mark **link = &device->marks, *mark;
	struct ct_ctas_table **end;
	int err = 0;

	while ((mark = *link)) {
		if (!all && !is_complete(mark)) {
			link = &mark->next;
			continue;
		}
		err = take_tables(drain, &mark->tables, &end, pieces, err);
		*link = mark->next;
		mark->next = device->spare;
		device->spare = mark;
	}
	return err;
}

/* The size limit and a full disk are no failures of the drain. */
static int result_of(int err)
{
	return err == -CT_ECUDA || err == -ENOMEM ? err : 0;
}

int ct_ctas_read(struct ct_drain *drain)
{
	struct ct_ctas_device *device = ct_ctas_device_of(drain);
	struct pieces *pieces;
	int err;

	if (!device->marks || drain->phase != CT_DRAIN_READY)
		return 0;
	pieces = malloc(sizeof(*pieces));
	if (!pieces)
		return -ENOMEM;
	err = take_marks(drain, pieces, false);
	free(pieces);
	return result_of(err);
}

int ct_ctas_finish(struct ct_drain *drain)
{
	struct ct_ctas_device *device = ct_ctas_device_of(drain);
	struct pieces *pieces = malloc(sizeof(*pieces));
	int err;

	if (!pieces)
		return -ENOMEM;
	err = take_marks(drain, pieces, true);
	for (struct ct_ctas_stream *stream = device->streams; stream; stream = stream->next)
		err = take_tables(drain, &stream->tables, &stream->end, pieces, err);
	free(pieces);
	ct_ctas_clock_tell(drain);
	return result_of(err);
}
