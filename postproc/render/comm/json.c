/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost comm as JSON: docs/json-schema.md. */
#include "postproc/render/comm/json.h"
#include "postproc/analysis/comm/base/spread.h"
#include "postproc/render/base/selection.h"
#include "postproc/render/comm/bins.h"
#include "postproc/render/comm/paths.h"
#include "postproc/render/comm/words.h"
#include "postproc/render/findings/findings.h"

static json_t *text_or_null(const char *text)
{
	return text ? ct_json_text(text) : json_null();
}

/* As far as there is one of each: what was said before selections could be lists. */
static json_t *filter(const struct ct_selection *s)
{
	return json_pack("{s:o,s:o,s:o,s:o}", "kernels", text_or_null(s->kernels), "launches",
			 s->launches == 1 ? json_pack("[I,I]", (json_int_t)s->launch->first,
						      (json_int_t)s->launch->last)
					  : json_null(),
			 "stream", s->streams == 1 ? ct_json_number(s->stream->first) : json_null(),
			 "object", text_or_null(s->objects == 1 ? *s->object : NULL));
}

static json_t *volume(const struct ct_comm_volume *v)
{
	json_t *value = json_object();

	json_object_set_new(value, "load_bytes", ct_json_number(v->load_bytes));
	json_object_set_new(value, "store_bytes", ct_json_number(v->store_bytes));
	json_object_set_new(value, "communicated_bytes",
			    ct_json_number(v->communicated_store_bytes));
	json_object_set_new(
	    value, "fraction",
	    json_real(ct_comm_percent(v->communicated_store_bytes, v->store_bytes) / 100));
	json_object_set_new(value, "communicated_load_bytes",
			    ct_json_number(v->communicated_load_bytes));
	json_object_set_new(value, "communicated_store_bytes",
			    ct_json_number(v->communicated_store_bytes));
	json_object_set_new(value, "exchanged_store_bytes",
			    ct_json_number(v->exchanged_store_bytes));
	json_object_set_new(
	    value, "exchanged_fraction",
	    json_real(ct_comm_percent(v->exchanged_store_bytes, v->store_bytes) / 100));
	json_object_set_new(value, "transfers", ct_json_number(v->transfers));
	json_object_set_new(value, "transferred_bytes", ct_json_number(v->transferred_bytes));
	json_object_set_new(value, "self_transfers", ct_json_number(v->self_transfers));
	json_object_set_new(value, "self_bytes", ct_json_number(v->self_bytes));
	json_object_set_new(value, "unwritten_bytes", ct_json_number(v->unwritten_bytes));
	return value;
}

/* {"key": count} */
static void write_histogram(struct ct_json *json, const char *name,
			    const struct ct_comm_histogram *histogram)
{
	char key[32];

	ct_json_open_object(json, name, CT_JSON_LINES);
	for (size_t i = 0; i < histogram->count; i++) {
		snprintf(key, sizeof(key), "%llu", (unsigned long long)histogram->entry[i].key);
		ct_json_field(json, key, ct_json_number(histogram->entry[i].count));
	}
	ct_json_close(json);
}

static void write_cdf(struct ct_json *json, const struct ct_comm_histogram *sizes)
{
	uint64_t total = ct_comm_total(sizes), so_far = 0;

	ct_json_open_array(json, "transfer_size_cdf", CT_JSON_LINES);
	for (size_t i = 0; i < sizes->count; i++) {
		so_far += sizes->entry[i].count;
		ct_json_field(json, NULL,
			      json_pack("{s:I,s:f,s:I}", "bytes", (json_int_t)sizes->entry[i].key,
					"cumulative", (double)so_far / (double)total, "transfers",
					(json_int_t)sizes->entry[i].count));
	}
	ct_json_close(json);
}

static json_t *bisection(const struct ct_comm_bisection cut[3])
{
	static const char *const axis[] = {"x", "y", "z"};
	json_t *value = json_object();

	for (int d = 0; d < 3; d++)
		json_object_set_new(value, axis[d],
				    json_pack("{s:I,s:f}", "bytes", (json_int_t)cut[d].bytes,
					      "relative", cut[d].relative));
	return value;
}

static void write_density(struct ct_json *json, const struct ct_comm_density *density)
{
	ct_json_open_object(json, "density", CT_JSON_LINES);
	ct_json_field(json, "first_cta", ct_json_number(density->first_cta));
	ct_json_field(json, "last_cta", ct_json_number(density->last_cta));
	ct_json_field(json, "ctas_per_bin", ct_json_number(density->ctas_per_bin));
	ct_json_field(json, "bins", ct_json_number(density->bins));
	ct_json_open_array(json, "cells", CT_JSON_LINES);
	for (size_t i = 0; i < density->cells; i++) {
		const struct ct_comm_cell *cell = &density->cell[i];

		ct_json_field(json, NULL,
			      json_pack("[I,I,I,I]", (json_int_t)cell->source,
					(json_int_t)cell->target, (json_int_t)cell->transfers,
					(json_int_t)cell->bytes));
	}
	ct_json_close(json);
	ct_json_close(json);
}

static void write_degrees(struct ct_json *json, const struct ct_comm_figures *f)
{
	ct_json_open_object(json, "degree", CT_JSON_LINES);
	ct_json_open_object(json, "in", CT_JSON_LINES);
	write_histogram(json, "histogram", &f->in_degree);
	ct_json_close(json);
	ct_json_open_object(json, "out", CT_JSON_LINES);
	write_histogram(json, "histogram", &f->out_degree);
	ct_json_close(json);
	ct_json_close(json);
}

static json_t *losses(const struct ct_comm_output *output)
{
	const struct ct_loss_info *list;
	size_t count = output->trace ? ct_trace_losses(output->trace, &list) : 0;
	json_t *reasons = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(reasons,
				      json_pack("{s:o,s:I,s:I,s:o}", "chunks",
						list[i].event->chunks == UINT64_MAX
						    ? json_null()
						    : ct_json_number(list[i].event->chunks),
						"launch", (json_int_t)list[i].event->launch, "part",
						(json_int_t)list[i].part, "reason",
						ct_json_text(list[i].reason)));
	return json_pack("{s:I,s:I,s:o}", "lost_chunks", (json_int_t)output->figures->lost_chunks,
			 "damaged_chunks", (json_int_t)output->figures->damaged_chunks, "reasons",
			 reasons);
}

static json_t *warnings(const struct ct_trace *trace)
{
	const char *const *list;
	size_t count = trace ? ct_trace_warnings(trace, &list) : 0;
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, ct_json_text(list[i]));
	return array;
}

static json_t *speedup_json(const struct ct_speedup *speedup)
{
	return json_pack("{s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f}", "kernels", speedup->kernels,
			 "exchange", speedup->exchange, "host", speedup->host, "seconds",
			 speedup->seconds, "replicated", speedup->replicated, "overlapped",
			 speedup->overlapped, "speedup", speedup->speedup, "efficiency",
			 speedup->efficiency);
}

/* By time where it is known, else by what crosses. */
static int is_best_row(const struct ct_comm_output *output, size_t row)
{
	return output->speedup ? output->speedup[row].is_best : output->scaling[row].is_best != 0;
}

static void write_scaling(struct ct_json *json, const struct ct_comm_output *output)
{
	const struct ct_scaling_options *options = output->scaling_options;

	if (!options)
		return;
	ct_json_field(
	    json, "interconnect",
	    json_pack("{s:f,s:f}", "bandwidth", options->bandwidth, "latency", options->latency));
	if (output->speedup)
		ct_json_field(json, "one_device",
			      json_pack("{s:f,s:f,s:f,s:I}", "kernels", output->alone->kernels,
					"host", output->alone->host, "seconds",
					output->alone->seconds, "untimed_launches",
					(json_int_t)output->untimed));
	ct_json_open_array(json, "scaling", CT_JSON_LINES);
	for (size_t i = 0; i < output->scaling_rows; i++) {
		const struct ct_scaling_row *row = &output->scaling[i];
		json_t *steps = json_array(), *of;

		for (size_t s = 0; s < output->figures->supersteps; s++)
			json_array_append_new(steps, ct_json_number(row->superstep_bytes[s]));
		of = json_pack("{s:I,s:s,s:I,s:f,s:I,s:f,s:f,s:b,s:b,s:o}", "devices",
			       (json_int_t)row->devices, "placement",
			       ct_placement_text(row->placement), "crossing_bytes",
			       (json_int_t)row->crossing_bytes, "crossing_part", row->crossing_part,
			       "crossing_transfers", (json_int_t)row->crossing_transfers,
			       "predicted_seconds", row->predicted_seconds, "balance", row->balance,
			       "best", is_best_row(output, i), "upper_bound", row->is_bound != 0,
			       "superstep_bytes", steps);
		if (output->speedup)
			json_object_set_new(of, "times", speedup_json(&output->speedup[i]));
		ct_json_field(json, NULL, of);
	}
	ct_json_close(json);
}

static json_t *sampling(const struct ct_comm_output *output)
{
	const struct ct_comm_figures *f = output->figures;
	json_t *value = output->sampling ? ct_sampling_json(output->sampling) : json_object();

	json_object_set_new(value, "launches", ct_json_number(f->launches));
	json_object_set_new(value, "traced_launches", ct_json_number(f->traced_launches));
	return value;
}

static void write_beside(struct ct_json *json, const struct ct_comm_output *output)
{
	const struct ct_comm_figures *f = output->figures;
	const struct ct_comm_volume *v = &f->volume;

	ct_json_field(json, "unordered",
		      json_pack("{s:I,s:I,s:I}", "bytes", (json_int_t)v->unordered_bytes,
				"same_superstep_bytes", (json_int_t)v->same_superstep_bytes,
				"forgotten_bytes", (json_int_t)v->forgotten_bytes));
	ct_json_field(json, "sampling", sampling(output));
	ct_json_field(json, "losses", losses(output));
	ct_json_field(json, "warnings", warnings(output->trace));
}

static json_t *spread(const struct ct_comm_histogram *histogram)
{
	struct ct_comm_spread of = ct_comm_spread_of(histogram);
	json_t *value;

	if (!of.count)
		return json_null();
	value = json_object();
	json_object_set_new(value, "count", ct_json_number(of.count));
	json_object_set_new(value, "p5", ct_json_number(of.p5));
	json_object_set_new(value, "p25", ct_json_number(of.p25));
	json_object_set_new(value, "median", ct_json_number(of.median));
	json_object_set_new(value, "p75", ct_json_number(of.p75));
	json_object_set_new(value, "p95", ct_json_number(of.p95));
	json_object_set_new(value, "max", ct_json_number(of.most));
	json_object_set_new(value, "mean", json_real(of.mean));
	return value;
}

int ct_comm_write_json(FILE *out, const struct ct_comm_output *output)
{
	static const struct ct_selection everything;
	const struct ct_selection *selection =
	    output->options->selection ? output->options->selection : &everything;
	const struct ct_comm_figures *f = output->figures;
	struct ct_json json;

	ct_json_begin(&json, out);
	ct_json_field(&json, "schema", json_string("cudatrace-comm-1"));
	ct_json_field(&json, "trace", ct_json_text(output->directory));
	ct_json_field(&json, "program", ct_json_text(output->program));
	ct_json_field(&json, "filter", filter(selection));
	ct_json_field(&json, "selection", ct_selection_json(selection));
	ct_json_field(&json, "self", json_boolean(output->options->self));
	if (f->is_exchanged)
		ct_json_field(&json, "exchanged", json_true());
	ct_json_field(&json, "volume", volume(&f->volume));
	write_cdf(&json, &f->transfer_size);
	write_degrees(&json, f);
	ct_json_field(&json, "bisection", bisection(f->bisection));
	ct_json_open_object(&json, "strides", CT_JSON_LINES);
	ct_json_field(&json, "cta_step", ct_json_number(f->stride_step));
	write_histogram(&json, "load", &f->load_stride);
	write_histogram(&json, "store", &f->store_stride);
	ct_json_field(&json, "load_spread", spread(&f->load_stride));
	ct_json_field(&json, "store_spread", spread(&f->store_stride));
	ct_json_close(&json);
	write_density(&json, &f->density);
	write_histogram(&json, "superstep_distance", &f->distance);
	ct_comm_json_supersteps(&json, output);
	ct_comm_json_kernels(&json, output);
	ct_comm_json_objects(&json, output);
	ct_comm_json_lines(&json, output);
	if (output->paths)
		ct_json_field(&json, "host_paths", ct_host_paths_json(output->paths));
	ct_comm_json_ctas(&json, output);
	write_beside(&json, output);
	ct_json_field(&json, "findings", ct_findings_json(output->findings, output->trace));
	write_scaling(&json, output);
	ct_comm_json_lists(&json, output);
	return ct_json_end(&json);
}
