/* SPDX-License-Identifier: Apache-2.0 */
/* The report's tables of kernels, kernel pairs, objects and line pairs. */
#include "postproc/analysis/comm/figures/pattern.h"
#include "postproc/facts/source_name.h"
#include "postproc/facts/words.h"
#include "postproc/render/report/parts.h"
#include <stdlib.h>
#include <string.h>

/* A superstep that launched the kernel, NULL if there is none. */
static const struct ct_launch_info *launch_of(const struct ct_report *report, size_t kernel)
{
	for (size_t s = 0; s < report->figures->supersteps; s++)
		if (report->kernel_of[s] == kernel)
			return report->figures->superstep[s].launch;
	return NULL;
}

static void put_place(const struct ct_report_writer *w, size_t kernel)
{
	const struct ct_launch_info *launch = launch_of(w->report, kernel);
	const struct ct_unit_kernel *in_unit;

	if (!launch || !launch->unit || launch->kernel_index == CT_NONE) {
		ct_out_json(w->out, "place", json_null());
		return;
	}
	in_unit = &launch->unit->kernels[launch->kernel_index];
	ct_sources_put(w->sources, w->out, "place", ct_unit_string(launch->unit, in_unit->file),
		       in_unit->line);
}

void ct_report_put_kernels(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	char name[CT_BRIEF_NAME_BYTES];

	ct_out_array(w->out, "kernels");
	for (size_t k = 0; k < f->kernels; k++) {
		const struct ct_comm_kernel *kernel = &f->kernel[k];

		ct_out_object(w->out, NULL);
		ct_out_text(w->out, "name", ct_source_name_brief(kernel->name, name));
		ct_out_text(w->out, "symbol", kernel->symbol);
		put_place(w, k);
		ct_out_integer(w->out, "launches", kernel->launches);
		ct_out_integer(w->out, "load_bytes", kernel->load_bytes);
		ct_out_integer(w->out, "store_bytes", kernel->store_bytes);
		ct_out_integer(w->out, "communicated_load_bytes", kernel->communicated_load_bytes);
		ct_out_integer(w->out, "communicated_store_bytes",
			       kernel->communicated_store_bytes);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

/* Begin a table of which at most CT_REPORT_ROWS are written. Returns how many. */
static size_t begin(const struct ct_report_writer *w, const char *key, size_t count)
{
	ct_out_object(w->out, key);
	ct_out_integer(w->out, "count", count);
	ct_out_array(w->out, "rows");
	return count < CT_REPORT_ROWS ? count : CT_REPORT_ROWS;
}

static void end(const struct ct_report_writer *w)
{
	ct_out_end(w->out);
	ct_out_end(w->out);
}

void ct_report_put_kernel_pairs(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	size_t shown = begin(w, "kernel_pairs", f->kernel_pairs);
	char why[512];

	for (size_t i = 0; i < shown; i++) {
		const struct ct_comm_kernel_pair *pair = &f->kernel_pair[i];

		ct_out_object(w->out, NULL);
		ct_out_integer(w->out, "source", pair->source);
		ct_out_integer(w->out, "target", pair->target);
		ct_out_text(w->out, "pattern", ct_pattern_text(pair->pattern));
		ct_out_text(w->out, "evidence", ct_pattern_why(pair, why, sizeof(why)));
		ct_out_integer(w->out, "transfers", pair->transfers);
		ct_out_integer(w->out, "bytes", pair->bytes);
		ct_out_integer(w->out, "self_bytes", pair->self_bytes);
		ct_out_integer(w->out, "distinct_bytes", pair->distinct_bytes);
		ct_out_integer(w->out, "sources", pair->sources);
		ct_out_integer(w->out, "targets", pair->targets);
		ct_out_integer(w->out, "partners", pair->partners);
		ct_out_integer(w->out, "out_degree_max", pair->out_degree_max);
		ct_out_integer(w->out, "in_degree_max", pair->in_degree_max);
		ct_out_end(w->out);
	}
	end(w);
}

static void put_object(const struct ct_report_writer *w, const struct ct_object_info *info)
{
	char name[256] = "memory of no known object", size[128] = "";

	if (info) {
		ct_words_object(info, name, sizeof(name));
		ct_site_field(info->site, 6, size, sizeof(size));
	}
	ct_out_text(w->out, "name", name);
	ct_out_text(w->out, "kind", info ? ct_words_object_kind(info->event->kind) : "");
	ct_out_integer(w->out, "bytes", info ? info->event->bytes : 0);
	ct_out_text(w->out, "size", size);
	ct_sources_put_descriptor(w->sources, w->out, "place", info ? info->site : "");
}

void ct_report_put_objects(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	size_t shown = begin(w, "objects", f->objects);

	for (size_t i = 0; i < shown; i++) {
		const struct ct_comm_object *object = &f->object[i];

		ct_out_object(w->out, NULL);
		put_object(w, object->object);
		ct_out_integer(w->out, "objects", object->objects);
		ct_out_integer(w->out, "load_bytes", object->load_bytes);
		ct_out_integer(w->out, "store_bytes", object->store_bytes);
		ct_out_integer(w->out, "communicated_load_bytes", object->communicated_load_bytes);
		ct_out_integer(w->out, "communicated_store_bytes",
			       object->communicated_store_bytes);
		ct_out_integer(w->out, "transferred_bytes", object->transferred_bytes);
		ct_out_end(w->out);
	}
	end(w);
}

/* Optimised code may have lost the line: then that of the kernel. */
static void put_site_place(const struct ct_report_writer *w, const struct ct_unit *unit,
			   uint32_t index)
{
	const struct ct_unit_site *site = &unit->sites[index];
	const struct ct_unit_kernel *kernel;
	int is_known = ct_place_of(unit, site).line != 0;

	ct_out_bool(w->out, "exact", is_known);
	if (is_known || site->kernel == CT_NONE) {
		ct_sources_put_site(w->sources, w->out, "place", unit, index);
		return;
	}
	kernel = &unit->kernels[site->kernel];
	ct_sources_put(w->sources, w->out, "place", ct_unit_string(unit, kernel->file),
		       kernel->line);
}

/* The number of the kernel that holds a site, or -1. */
static double site_kernel(const struct ct_report_writer *w, const struct ct_unit *unit,
			  const struct ct_unit_site *site)
{
	const struct ct_comm_figures *f = w->report->figures;
	const char *symbol;

	if (site->kernel == CT_NONE)
		return -1;
	symbol = ct_unit_string(unit, unit->kernels[site->kernel].name);
	for (size_t k = 0; k < f->kernels; k++)
		if (f->kernel[k].symbol && !strcmp(f->kernel[k].symbol, symbol))
			return (double)k;
	return -1;
}

static void put_site(const struct ct_report_writer *w, const char *key, const struct ct_unit *unit,
		     uint32_t index)
{
	const struct ct_unit_site *site;
	char type[32], name[CT_BRIEF_NAME_BYTES];

	if (!unit || index >= unit->header->site_count) {
		ct_out_json(w->out, key, json_null());
		return;
	}
	site = &unit->sites[index];
	ct_out_object(w->out, key);
	put_site_place(w, unit, index);
	ct_out_text(w->out, "operation", ct_operation_text(site->operation));
	ct_out_real(w->out, "kernel", site_kernel(w, unit, site));
	ct_out_text(w->out, "type", ct_words_type(site, type, sizeof(type)));
	ct_out_text(w->out, "variable", ct_unit_string(unit, site->variable));
	ct_out_text(w->out, "function",
		    site->kernel == CT_NONE
			? ct_unit_string(unit, site->function)
			: ct_source_name_brief(
			      ct_unit_string(unit, unit->kernels[site->kernel].display), name));
	ct_out_end(w->out);
}

void ct_report_put_line_pairs(const struct ct_report_writer *w)
{
	size_t shown = begin(w, "line_pairs", w->line_pairs);

	for (size_t i = 0; i < shown; i++) {
		const struct ct_comm_line_pair *pair = &w->line_pair[i];

		ct_out_object(w->out, NULL);
		put_site(w, "source", pair->source_unit, pair->source_site);
		put_site(w, "target", pair->target_unit, pair->target_site);
		ct_out_integer(w->out, "bytes", pair->bytes);
		ct_out_integer(w->out, "loaded_bytes", pair->loaded_bytes);
		ct_out_end(w->out);
	}
	end(w);
}

/* Mean bytes that cross into a superstep, per point. */
static void put_crossing(const struct ct_report_writer *w, const struct ct_scaling_row *row)
{
	size_t count = w->report->figures->supersteps;
	size_t per = count / CT_REPORT_BINS + 1;

	ct_out_integer(w->out, "per_point", per);
	ct_out_array(w->out, "superstep_bytes");
	for (size_t first = 0; first < count; first += per) {
		struct ct_report_point point = {.count = 0};

		for (size_t s = first; s < first + per && s < count; s++)
			ct_report_point_add(&point, (double)row->superstep_bytes[s]);
		ct_out_real(w->out, NULL, point.sum / (double)point.count);
	}
	ct_out_end(w->out);
}

void ct_report_put_scaling(const struct ct_report_writer *w)
{
	const struct ct_report *report = w->report;

	if (!report->model)
		return;
	ct_out_object(w->out, "scaling");
	ct_out_real(w->out, "bandwidth", report->model->bandwidth);
	ct_out_real(w->out, "latency", report->model->latency);
	ct_out_array(w->out, "rows");
	for (size_t i = 0; i < report->scaling_rows; i++) {
		const struct ct_scaling_row *row = &report->scaling[i];

		ct_out_object(w->out, NULL);
		ct_out_integer(w->out, "devices", row->devices);
		ct_out_text(w->out, "placement", ct_placement_text(row->placement));
		ct_out_integer(w->out, "crossing_bytes", row->crossing_bytes);
		ct_out_integer(w->out, "crossing_transfers", row->crossing_transfers);
		ct_out_real(w->out, "crossing_part", row->crossing_part);
		ct_out_real(w->out, "predicted_seconds", row->predicted_seconds);
		ct_out_real(w->out, "balance", row->balance);
		ct_out_bool(w->out, "is_best", row->is_best);
		ct_out_bool(w->out, "is_bound", row->is_bound);
		put_crossing(w, row);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
	ct_out_end(w->out);
}
