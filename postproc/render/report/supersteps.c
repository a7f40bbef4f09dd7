/* SPDX-License-Identifier: Apache-2.0 */
/* The report's lines over supersteps and its table of launches. */
#include "postproc/facts/words.h"
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LOADED,
	STORED,
	COMMUNICATED_LOADS,
	COMMUNICATED_STORES,
	RECEIVED,
	SENT,
	OUT_DEGREE_MEAN,
	OUT_DEGREE_SD,
	IN_DEGREE_MEAN,
	IN_DEGREE_SD,
	FIELDS
};

static const char *const field_names[FIELDS] = {
    "load_bytes",     "store_bytes",  "communicated_load_bytes", "communicated_store_bytes",
    "received_bytes", "sent_bytes",   "out_degree_mean",         "out_degree_sd",
    "in_degree_mean", "in_degree_sd",
};

static double field_of(const struct ct_comm_superstep *s, int field)
{
	switch (field) {
	case LOADED:
		return (double)s->load_bytes;
	case STORED:
		return (double)s->store_bytes;
	case COMMUNICATED_LOADS:
		return (double)s->communicated_load_bytes;
	case COMMUNICATED_STORES:
		return (double)s->communicated_store_bytes;
	case RECEIVED:
		return (double)s->received_bytes;
	case SENT:
		return (double)s->sent_bytes;
	case OUT_DEGREE_MEAN:
		return s->out_degree_mean;
	case OUT_DEGREE_SD:
		return s->out_degree_sd;
	case IN_DEGREE_MEAN:
		return s->in_degree_mean;
	default:
		return s->in_degree_sd;
	}
}

/* Launches that pass the filter, as indices of supersteps. */
struct chosen {
	size_t *superstep;
	size_t count;
};

static int choose(struct chosen *chosen, const struct ct_comm_figures *f)
{
	chosen->superstep = malloc((f->supersteps + 1) * sizeof(*chosen->superstep));
	chosen->count = 0;
	if (!chosen->superstep)
		return -ENOMEM;
	for (size_t s = 0; s < f->supersteps; s++)
		if (f->superstep[s].launch && f->of_superstep[s].passes)
			chosen->superstep[chosen->count++] = s;
	return 0;
}

static void put_field(const struct ct_report_writer *w, const struct chosen *chosen, int field,
		      uint64_t per)
{
	const struct ct_comm_superstep *of = w->report->figures->of_superstep;

	ct_out_array(w->out, field_names[field]);
	for (size_t first = 0; first < chosen->count; first += per) {
		struct ct_report_point point = {.count = 0};

		for (size_t i = first; i < first + per && i < chosen->count; i++)
			ct_report_point_add(&point, field_of(&of[chosen->superstep[i]], field));
		if (per == 1) {
			ct_out_real(w->out, NULL, point.sum);
			continue;
		}
		ct_out_array(w->out, NULL);
		ct_out_real(w->out, NULL, point.sum / (double)point.count);
		ct_out_real(w->out, NULL, point.min);
		ct_out_real(w->out, NULL, point.max);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

/* Per point the number of its first launch; its kernel, -1 if there are several. */
static void put_names(const struct ct_report_writer *w, const struct chosen *chosen, uint64_t per)
{
	const struct ct_superstep *superstep = w->report->figures->superstep;
	const uint32_t *kernel_of = w->report->kernel_of;

	ct_out_array(w->out, "launch");
	for (size_t first = 0; first < chosen->count; first += per)
		ct_out_integer(w->out, NULL,
			       superstep[chosen->superstep[first]].launch->event->launch);
	ct_out_end(w->out);
	ct_out_array(w->out, "kernel");
	for (size_t first = 0; first < chosen->count; first += per) {
		uint32_t kernel = kernel_of[chosen->superstep[first]];
		int is_mixed = 0;

		for (size_t i = first; i < first + per && i < chosen->count; i++)
			is_mixed |= kernel_of[chosen->superstep[i]] != kernel;
		ct_out_real(w->out, NULL, is_mixed ? -1 : (double)kernel);
	}
	ct_out_end(w->out);
}

int ct_report_put_supersteps(const struct ct_report_writer *w)
{
	struct chosen chosen;
	uint64_t per;
	int err = choose(&chosen, w->report->figures);

	if (err < 0)
		return err;
	per = ct_report_per_point(chosen.count);
	ct_out_object(w->out, "supersteps");
	ct_out_integer(w->out, "count", chosen.count);
	ct_out_integer(w->out, "per_point", per);
	put_names(w, &chosen, per);
	for (int field = 0; field < FIELDS; field++)
		put_field(w, &chosen, field, per);
	ct_out_end(w->out);
	free(chosen.superstep);
	return 0;
}

static uint64_t weight(const void *user, size_t i)
{
	const struct ct_comm_figures *f = user;

	/* 1: launches without accesses go after those with, but before transfers. */
	return f->superstep[i].launch
		   ? f->of_superstep[i].load_bytes + f->of_superstep[i].store_bytes + 1
		   : 0;
}

static void put_extent(struct ct_out *out, const uint32_t extent[3])
{
	char buffer[64];

	ct_out_text(out, NULL, ct_words_extent(extent, buffer, sizeof(buffer)));
}

/* Which part of a traced launch is in the trace; "" for all of it. */
static void put_sample(const struct ct_report_writer *w, const struct ct_launch_info *info)
{
	const struct ct_launch_sample *sample = ct_sampling_of(&w->report->summary->sampling, info);
	char text[128] = "";

	if (info->event->flags & CT_LAUNCH_TRACED && sample->recorded < sample->ctas)
		snprintf(text, sizeof(text), "%llu of %llu CTAs",
			 (unsigned long long)sample->recorded, (unsigned long long)sample->ctas);
	if (sample->lost_unknown || sample->lost_chunks)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%schunks LOST",
			 *text ? "; " : "");
	ct_out_text(w->out, NULL, text);
}

static void put_launch(const struct ct_report_writer *w, size_t s)
{
	const struct ct_superstep *superstep = &w->report->figures->superstep[s];
	const struct ct_launch_info *info = superstep->launch;
	const struct ct_event_launch *event = info->event;

	ct_out_array(w->out, NULL);
	ct_out_integer(w->out, NULL, event->launch);
	ct_out_integer(w->out, NULL, superstep->part);
	ct_out_integer(w->out, NULL, w->report->kernel_of[s]);
	put_extent(w->out, event->grid);
	put_extent(w->out, event->block);
	ct_out_integer(w->out, NULL, superstep->stream);
	ct_out_integer(w->out, NULL, superstep->device);
	ct_out_integer(w->out, NULL, superstep->level);
	for (int field = 0; field < FIELDS; field++)
		ct_out_real(w->out, NULL, field_of(&w->report->figures->of_superstep[s], field));
	ct_sources_put_descriptor(w->sources, w->out, NULL, info->site);
	ct_out_bool(w->out, NULL, event->flags & CT_LAUNCH_TRACED);
	ct_out_text(w->out, NULL, info->reason);
	ct_out_text(w->out, NULL, info->region);
	put_sample(w, info);
	ct_out_integer(w->out, NULL, ct_report_path_of(w, info));
	ct_out_end(w->out);
}

int ct_report_put_launches(const struct ct_report_writer *w)
{
	static const char *const before[] = {"launch", "part",   "kernel", "grid",
					     "block",  "stream", "device", "level"};
	static const char *const after[] = {"site", "traced", "reason", "region", "sample", "path"};
	const struct ct_comm_figures *f = w->report->figures;
	size_t chosen, *row = ct_report_heaviest(f->supersteps, weight, f, &chosen);
	uint64_t launches = 0;

	if (!row)
		return -ENOMEM;
	for (size_t s = 0; s < f->supersteps; s++)
		launches += f->superstep[s].launch != NULL;
	ct_out_object(w->out, "launches");
	ct_out_integer(w->out, "count", launches);
	ct_out_array(w->out, "columns");
	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		ct_out_text(w->out, NULL, before[i]);
	for (int field = 0; field < FIELDS; field++)
		ct_out_text(w->out, NULL, field_names[field]);
	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++)
		ct_out_text(w->out, NULL, after[i]);
	ct_out_end(w->out);
	ct_out_array(w->out, "rows");
	for (size_t i = 0; i < chosen; i++)
		if (f->superstep[row[i]].launch)
			put_launch(w, row[i]);
	ct_out_end(w->out);
	ct_out_end(w->out);
	free(row);
	return 0;
}
