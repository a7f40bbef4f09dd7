/* SPDX-License-Identifier: Apache-2.0 */
/* Supersteps, kernels, objects, lines and CTAs of ctpost comm --json. */
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/analysis/comm/figures/pattern.h"
#include "postproc/render/base/words.h"
#include "postproc/render/comm/json.h"
#include "postproc/render/comm/paths.h"
#include "postproc/render/comm/words.h"
#include <errno.h>

static void set(json_t *object, const char *key, uint64_t number)
{
	json_object_set_new(object, key, ct_json_number(number));
}

static json_t *launch(const struct ct_comm_figures *f, size_t s)
{
	const struct ct_superstep *step = &f->superstep[s];
	const struct ct_comm_superstep *of = &f->of_superstep[s];
	const struct ct_event_launch *event = step->launch->event;
	json_t *value = json_object();

	set(value, "superstep", s);
	set(value, "launch", event->launch);
	set(value, "part", step->part);
	json_object_set_new(value, "kernel", ct_json_text(step->launch->kernel));
	json_object_set_new(value, "symbol", ct_json_text(step->launch->kernel_name));
	json_object_set_new(value, "grid", ct_json_extent(event->grid));
	set(value, "stream", step->stream);
	set(value, "device", step->device);
	set(value, "level", step->level);
	json_object_set_new(value, "traced", json_boolean(event->flags & CT_LAUNCH_TRACED));
	json_object_set_new(value, "region", ct_json_text(step->launch->region));
	set(value, "load_bytes", of->load_bytes);
	set(value, "store_bytes", of->store_bytes);
	set(value, "communicated_load_bytes", of->communicated_load_bytes);
	set(value, "communicated_store_bytes", of->communicated_store_bytes);
	set(value, "received_bytes", of->received_bytes);
	set(value, "sent_bytes", of->sent_bytes);
	set(value, "from_host_bytes", of->from_host_bytes);
	set(value, "to_host_bytes", of->to_host_bytes);
	json_object_set_new(value, "out_degree_mean", json_real(of->out_degree_mean));
	json_object_set_new(value, "out_degree_sd", json_real(of->out_degree_sd));
	json_object_set_new(value, "in_degree_mean", json_real(of->in_degree_mean));
	json_object_set_new(value, "in_degree_sd", json_real(of->in_degree_sd));
	return value;
}

static json_t *copy(const struct ct_comm_figures *f, size_t s)
{
	const struct ct_superstep *step = &f->superstep[s];
	const struct ct_event_transfer *event = step->transfer->event;
	json_t *value = json_object();

	set(value, "superstep", s);
	set(value, "transfer", event->transfer);
	set(value, "part", step->part);
	json_object_set_new(value, "call", ct_json_text(ct_comm_transfer_call(step->transfer)));
	json_object_set_new(value, "kind",
			    json_string(event->kind == CT_TRANSFER_SET ? "set" : "copy"));
	set(value, "stream", step->stream);
	set(value, "level", step->level);
	set(value, "bytes", event->width * event->height * event->depth);
	set(value, "from_host_bytes", f->of_superstep[s].from_host_bytes);
	set(value, "to_host_bytes", f->of_superstep[s].to_host_bytes);
	return value;
}

static json_t *with_path(const struct ct_comm_output *output, json_t *value, size_t s)
{
	if (output->paths)
		json_object_set_new(
		    value, "host_path",
		    ct_host_path_number(output->paths, output->figures->superstep[s].launch));
	return value;
}

void ct_comm_json_supersteps(struct ct_json *json, const struct ct_comm_output *output)
{
	const struct ct_comm_figures *f = output->figures;
	json_t *copies = json_array();

	ct_json_open_array(json, "supersteps", CT_JSON_LINES);
	for (size_t s = 0; s < f->supersteps; s++) {
		if (!f->of_superstep[s].passes)
			continue;
		if (f->superstep[s].launch)
			ct_json_field(json, NULL, with_path(output, launch(f, s), s));
		else
			json_array_append_new(copies, copy(f, s));
	}
	ct_json_close(json);
	ct_json_field(json, "host",
		      json_pack("{s:I,s:I,s:o}", "from_host_bytes",
				(json_int_t)f->volume.from_host_bytes, "to_host_bytes",
				(json_int_t)f->volume.to_host_bytes, "transfers", copies));
}

static void write_pairs(struct ct_json *json, const struct ct_comm_figures *f)
{
	char why[256];

	ct_json_open_array(json, "kernel_pairs", CT_JSON_LINES);
	for (size_t i = 0; i < f->kernel_pairs; i++) {
		const struct ct_comm_kernel_pair *pair = &f->kernel_pair[i];
		json_t *value = json_object();

		json_object_set_new(value, "source", ct_json_text(f->kernel[pair->source].name));
		json_object_set_new(value, "target", ct_json_text(f->kernel[pair->target].name));
		set(value, "source_kernel", pair->source);
		set(value, "target_kernel", pair->target);
		set(value, "transfers", pair->transfers);
		set(value, "bytes", ct_comm_pair_bytes(f, pair));
		set(value, "self_bytes", pair->self_bytes);
		set(value, "distinct_bytes", pair->distinct_bytes);
		set(value, "sources", pair->sources);
		set(value, "targets", pair->targets);
		set(value, "partners", pair->partners);
		set(value, "out_degree_max", pair->out_degree_max);
		set(value, "in_degree_max", pair->in_degree_max);
		set(value, "source_ctas", pair->source_ctas);
		set(value, "target_ctas", pair->target_ctas);
		json_object_set_new(value, "pattern", json_string(ct_pattern_text(pair->pattern)));
		json_object_set_new(value, "evidence",
				    ct_json_text(ct_pattern_why(pair, why, sizeof(why))));
		ct_json_field(json, NULL, value);
	}
	ct_json_close(json);
}

void ct_comm_json_kernels(struct ct_json *json, const struct ct_comm_output *output)
{
	const struct ct_comm_figures *f = output->figures;

	ct_json_open_array(json, "kernels", CT_JSON_LINES);
	for (size_t k = 0; k < f->kernels; k++) {
		const struct ct_comm_kernel *kernel = &f->kernel[k];
		json_t *value = json_object();

		json_object_set_new(value, "kernel", ct_json_text(kernel->name));
		json_object_set_new(value, "symbol", ct_json_text(kernel->symbol));
		set(value, "launches", kernel->launches);
		set(value, "load_bytes", kernel->load_bytes);
		set(value, "store_bytes", kernel->store_bytes);
		set(value, "communicated_load_bytes", kernel->communicated_load_bytes);
		set(value, "communicated_store_bytes", kernel->communicated_store_bytes);
		ct_json_field(json, NULL, value);
	}
	ct_json_close(json);
	write_pairs(json, f);
}

void ct_comm_json_objects(struct ct_json *json, const struct ct_comm_output *output)
{
	const struct ct_comm_figures *f = output->figures;

	ct_json_open_array(json, "objects", CT_JSON_LINES);
	for (size_t i = 0; i < f->objects; i++) {
		const struct ct_comm_object *of = &f->object[i];
		const struct ct_object_info *object = of->object;
		json_t *value = json_object();

		json_object_set_new(value, "object",
				    object ? ct_json_number(object->event->object) : json_null());
		json_object_set_new(value, "name", ct_json_text(object ? object->name : ""));
		json_object_set_new(value, "kind",
				    object ? json_string(ct_words_object_kind(object->event->kind))
					   : json_null());
		json_object_set_new(value, "site",
				    object ? ct_json_descriptor(object->site) : json_null());
		set(value, "allocations", of->objects);
		set(value, "load_bytes", of->load_bytes);
		set(value, "store_bytes", of->store_bytes);
		set(value, "communicated_load_bytes", of->communicated_load_bytes);
		set(value, "communicated_store_bytes", of->communicated_store_bytes);
		set(value, "transferred_bytes", of->transferred_bytes);
		ct_json_field(json, NULL, value);
	}
	ct_json_close(json);
}

static json_t *line(const struct ct_comm_output *output, const struct ct_host_path_rows *rows,
		    const struct ct_unit *unit, uint32_t site)
{
	json_t *value = ct_json_line(unit, site);

	if (output->paths && json_is_object(value))
		json_object_set_new(value, "host_paths", ct_comm_site_paths(rows, unit, site));
	return value;
}

void ct_comm_json_lines(struct ct_json *json, const struct ct_comm_output *output)
{
	const struct ct_comm_figures *f = output->figures;
	struct ct_host_path_rows rows = {.count = 0};

	if (output->paths && ct_comm_path_rows(&rows, output) < 0)
		ct_json_fail(json, -ENOMEM);
	ct_json_open_array(json, "lines", CT_JSON_LINES);
	for (size_t i = 0; i < f->line_pairs; i++) {
		const struct ct_comm_line_pair *pair = &f->line_pair[i];

		ct_json_field(json, NULL,
			      json_pack("{s:o,s:o,s:I,s:I}", "source",
					line(output, &rows, pair->source_unit, pair->source_site),
					"target",
					line(output, &rows, pair->target_unit, pair->target_site),
					"bytes", (json_int_t)pair->bytes, "loaded_bytes",
					(json_int_t)pair->loaded_bytes));
	}
	ct_json_close(json);
	ct_host_path_rows_fini(&rows);
}

static json_t *strides(uint64_t count, uint64_t sum, uint64_t most)
{
	return json_pack("{s:I,s:I,s:I}", "count", (json_int_t)count, "sum", (json_int_t)sum, "max",
			 (json_int_t)most);
}

void ct_comm_json_ctas(struct ct_json *json, const struct ct_comm_output *output)
{
	const struct ct_comm_figures *f = output->figures;

	ct_json_open_array(json, "ctas", CT_JSON_LINES);
	for (uint64_t c = 0; c < f->ctas; c++) {
		const struct ct_comm_cta_figures *cta = &f->cta[c];
		json_t *value;

		if (!ct_comm_lists_cta(f, c))
			continue;
		value = json_object();
		set(value, "cta", c);
		set(value, "in_degree", cta->in_degree);
		set(value, "out_degree", cta->out_degree);
		set(value, "received_bytes", cta->received_bytes);
		set(value, "sent_bytes", cta->sent_bytes);
		json_object_set_new(
		    value, "load_strides",
		    strides(cta->load_strides, cta->load_stride_sum, cta->load_stride_max));
		json_object_set_new(
		    value, "store_strides",
		    strides(cta->store_strides, cta->store_stride_sum, cta->store_stride_max));
		ct_json_field(json, NULL, value);
	}
	ct_json_close(json);
}
