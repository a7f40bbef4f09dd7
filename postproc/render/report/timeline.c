/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report's time line: supersteps by stream. Successive supersteps make a
 * slot, so that there are at most CT_REPORT_POINTS of them; what a stream has
 * in a slot is one item.
 */
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct stream {
	uint32_t part, device;
	uint64_t id;
};

struct item {
	uint64_t launches, transfers, untraced;
	uint64_t first_ns, last_ns;
	uint64_t load_bytes, store_bytes;
	uint64_t heaviest; /* of its launches: bytes + 1 */
	uint32_t kernel;   /* of that one */
	uint32_t level;    /* of the first */
};

struct timeline {
	const struct ct_report_writer *w;
	struct stream stream[CT_REPORT_STREAMS]; /* the last stands for all others if is_full */
	uint32_t streams;
	int is_full;
	struct item item[CT_REPORT_STREAMS]; /* of the current slot */
};

static uint32_t row_of(struct timeline *t, const struct ct_superstep *s)
{
	for (uint32_t i = 0; i < t->streams; i++)
		if (t->stream[i].part == s->part && t->stream[i].id == s->stream &&
		    t->stream[i].device == s->device)
			return i;
	if (t->streams == CT_REPORT_STREAMS) {
		t->is_full = 1;
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
	const struct ct_report *report = t->w->report;
	const struct ct_superstep *s = &report->figures->superstep[index];
	const struct ct_comm_superstep *of = &report->figures->of_superstep[index];
	struct item *item = &t->item[row_of(t, s)];
	uint64_t bytes = of->load_bytes + of->store_bytes + 1;

	if (!item->launches && !item->transfers) {
		item->first_ns = time_of(s);
		item->level = s->level;
		item->kernel = CT_NONE;
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
		item->kernel = report->kernel_of[index];
	}
}

/* [slot, row, launches, transfers, untraced, kernel, level, first ns, last ns, loaded, stored] */
static void put_slot(struct timeline *t, uint64_t slot, uint64_t base_ns)
{
	for (uint32_t row = 0; row < t->streams; row++) {
		const struct item *item = &t->item[row];
		struct ct_out *out = t->w->out;

		if (!item->launches && !item->transfers)
			continue;
		ct_out_array(out, NULL);
		ct_out_integer(out, NULL, slot);
		ct_out_integer(out, NULL, row);
		ct_out_integer(out, NULL, item->launches);
		ct_out_integer(out, NULL, item->transfers);
		ct_out_integer(out, NULL, item->untraced);
		ct_out_real(out, NULL, item->kernel == CT_NONE ? -1 : (double)item->kernel);
		ct_out_integer(out, NULL, item->level);
		ct_out_real(out, NULL, (double)item->first_ns - (double)base_ns);
		ct_out_real(out, NULL, (double)item->last_ns - (double)base_ns);
		ct_out_integer(out, NULL, item->load_bytes);
		ct_out_integer(out, NULL, item->store_bytes);
		ct_out_end(out);
	}
	memset(t->item, 0, sizeof(t->item));
}

static void put_streams(const struct timeline *t)
{
	struct ct_out *out = t->w->out;

	ct_out_array(out, "streams");
	for (uint32_t i = 0; i < t->streams; i++) {
		ct_out_object(out, NULL);
		ct_out_integer(out, "part", t->stream[i].part);
		ct_out_integer(out, "device", t->stream[i].device);
		ct_out_integer(out, "stream", t->stream[i].id);
		ct_out_bool(out, "others", t->is_full && i + 1 == t->streams);
		ct_out_end(out);
	}
	ct_out_end(out);
}

int ct_report_put_timeline(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	uint64_t per = ct_report_per_point(f->supersteps), base_ns = UINT64_MAX;
	struct timeline *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->w = w;
	for (size_t s = 0; s < f->supersteps; s++)
		if (time_of(&f->superstep[s]) < base_ns)
			base_ns = time_of(&f->superstep[s]);
	ct_out_object(w->out, "timeline");
	ct_out_integer(w->out, "count", f->supersteps);
	ct_out_integer(w->out, "per_slot", per);
	ct_out_array(w->out, "items");
	for (size_t s = 0; s < f->supersteps; s++) {
		add(t, s);
		if ((s + 1) % per == 0 || s + 1 == f->supersteps)
			put_slot(t, s / per, base_ns);
	}
	ct_out_end(w->out);
	put_streams(t);
	ct_out_end(w->out);
	free(t);
	return 0;
}
