/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report's time line: supersteps by stream. Successive supersteps make a
 * slot, so that there are at most CT_REPORT_POINTS of them; what a stream has
 * in a slot is one row.
 */
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct stream {
	uint32_t part, device;
	uint64_t id;
};

struct row_page_slots {
	uint64_t slot, stream;
	uint64_t launches, transfers, untraced;
	uint64_t first_ns, last_ns, base_ns;
	uint64_t load_bytes, store_bytes;
	uint64_t heaviest;  /* of its launches: bytes + 1 */
	const char *kernel; /* of that one */
	uint32_t level;     /* of the first */
};

struct row_page_streams {
	const struct stream *stream;
	bool has_others;
};

struct timeline {
	const struct ct_comm_figures *figures;
	struct stream stream[CT_REPORT_STREAMS]; /* the last stands for all others if is_full */
	uint32_t streams;
	bool is_full;
	uint64_t base_ns;
	struct row_page_slots slot[CT_REPORT_STREAMS]; /* the current one, by stream */
};

#define CT_DESCRIBED "postproc/render/report/timeline.def"
#include "postproc/tables/described.h"

static uint32_t row_of(struct timeline *t, const struct ct_superstep *s)
{
	for (uint32_t i = 0; i < t->streams; i++)
		if (t->stream[i].part == s->part && t->stream[i].id == s->stream &&
		    t->stream[i].device == s->device)
			return i;
	if (t->streams == CT_REPORT_STREAMS) {
		t->is_full = true;
		return CT_REPORT_STREAMS - 1;
	}
	t->stream[t->streams] =
	    (struct stream){.part = s->part, .device = s->device, .id = s->stream};
	return t->streams++;
}

static uint64_t time_of(const struct ct_superstep *s)
{
	return s->launch ? s->launch->event->header.time_ns : s->transfer->event->header.time_ns;
}

static uint64_t end_of(const struct ct_superstep *s)
{
	return s->launch && s->launch->done && s->launch->done_ns > time_of(s) ? s->launch->done_ns
									       : time_of(s);
}

static void add(struct timeline *t, size_t index)
{
	const struct ct_superstep *s = &t->figures->superstep[index];
	const struct ct_comm_superstep *of = &t->figures->of_superstep[index];
	struct row_page_slots *item = &t->slot[row_of(t, s)];
	uint64_t bytes = of->load_bytes + of->store_bytes + 1;

	if (!item->launches && !item->transfers) {
		item->first_ns = time_of(s);
		item->level = s->level;
	}
	if (end_of(s) > item->last_ns)
		item->last_ns = end_of(s);
	if (!s->launch) {
		item->transfers++;
		return;
	}
	item->launches++;
	item->untraced += !(s->launch->event->flags & CT_LAUNCH_TRACED);
	item->load_bytes += of->load_bytes;
	item->store_bytes += of->store_bytes;
	if (bytes > item->heaviest) {
		item->heaviest = bytes;
		item->kernel = s->launch->kernel;
	}
}

/* Rows of the current slot, which is empty then. */
static int put_slot(struct timeline *t, uint64_t slot, struct ct_table_sink *sink)
{
	int err = 0;

	for (uint32_t i = 0; i < t->streams && err == 0; i++) {
		struct row_page_slots *row = &t->slot[i];

		if (!row->launches && !row->transfers)
			continue;
		row->slot = slot;
		row->stream = i;
		row->base_ns = t->base_ns;
		err = ct_table_put_row(sink, row);
	}
	memset(t->slot, 0, sizeof(t->slot));
	return err;
}

/* Freed by the caller. NULL: memory is short. */
static struct timeline *begin(const struct ct_comm_figures *f)
{
	struct timeline *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->figures = f;
	t->base_ns = UINT64_MAX;
	for (size_t s = 0; s < f->supersteps; s++)
		if (time_of(&f->superstep[s]) < t->base_ns)
			t->base_ns = time_of(&f->superstep[s]);
	return t;
}

static int rows_page_slots(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *f = ((const struct ct_report_writer *)from)->figures;
	uint64_t per = ct_report_per_point(f->supersteps);
	struct timeline *t = begin(f);
	int err = t ? 0 : -ENOMEM;

	for (size_t s = 0; s < f->supersteps && err == 0; s++) {
		add(t, s);
		if ((s + 1) % per == 0 || s + 1 == f->supersteps)
			err = put_slot(t, s / per, sink);
	}
	free(t);
	return err;
}

static int rows_page_streams(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *f = ((const struct ct_report_writer *)from)->figures;
	struct timeline *t = begin(f);
	int err = t ? 0 : -ENOMEM;

	for (size_t s = 0; s < f->supersteps && err == 0; s++)
		row_of(t, &f->superstep[s]);
	for (uint32_t i = 0; err == 0 && i < t->streams; i++)
		err = ct_table_put_row(sink, &(struct row_page_streams){
						 &t->stream[i], t->is_full && i + 1 == t->streams});
	free(t);
	return err;
}

const struct ct_table_def ct_page_slots_table = {CT_TABLE_PARTS(page_slots, NULL)};
const struct ct_table_def ct_page_streams_table = {CT_TABLE_PARTS(page_streams, NULL)};
