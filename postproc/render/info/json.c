/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info as JSON: docs/json-schema.md. */
#include "postproc/render/base/json.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/host_path.h"
#include "postproc/render/base/sampling.h"
#include "postproc/render/findings/findings.h"
#include "postproc/render/info/info.h"

/* One field of the counts of a space, class by class. */
static json_t *classes(const struct ct_access_totals *totals, size_t field)
{
	json_t *object = json_object();

	for (int class = 0; class < CT_ACCESS_CLASSES; class ++)
		json_object_set_new(
		    object, ct_class_text(class),
		    ct_json_number(*(const uint64_t *)((const char *)&totals->of[class] + field)));
	return object;
}

static json_t *count(const struct ct_count *count)
{
	return json_pack("{s:I,s:I,s:I}", "accesses", (json_int_t)count->threads, "warps",
			 (json_int_t)count->warps, "bytes", (json_int_t)count->bytes);
}

static json_t *space(const struct ct_access_totals *totals)
{
	return json_pack("{s:o,s:o,s:o,s:o}", "accesses",
			 classes(totals, offsetof(struct ct_count, threads)), "warps",
			 classes(totals, offsetof(struct ct_count, warps)), "bytes",
			 classes(totals, offsetof(struct ct_count, bytes)), "reductions",
			 count(&totals->reduction));
}

/* Spaces other than global with an access in them, by name. */
static json_t *spaces(const struct ct_other_totals *other)
{
	json_t *object = json_object();

	for (uint32_t s = 0; other && s < CT_SPACES; s++)
		for (int class = 0; class < CT_ACCESS_CLASSES; class ++)
			if (other->space[s].of[class].warps)
				json_object_set_new(object, ct_words_space(s),
						    space(&other->space[s]));
	return object;
}

static json_t *events(const struct ct_other_totals *other)
{
	json_t *object = json_object();

	for (uint32_t operation = 0; other && operation < CT_OPERATIONS; operation++)
		if (other->event[operation].warps)
			json_object_set_new(object, ct_operation_text(operation),
					    json_pack("{s:I,s:I}", "threads",
						      (json_int_t)other->event[operation].threads,
						      "warps",
						      (json_int_t)other->event[operation].warps));
	return object;
}

/* What launches, kernels and the whole have in common. */
static void set_counts(json_t *value, const struct ct_launch_totals *totals)
{
	json_object_set_new(value, "accesses",
			    classes(&totals->global, offsetof(struct ct_count, threads)));
	json_object_set_new(value, "bytes",
			    classes(&totals->global, offsetof(struct ct_count, bytes)));
	json_object_set_new(value, "records", ct_json_number(totals->records));
	json_object_set_new(value, "warps",
			    classes(&totals->global, offsetof(struct ct_count, warps)));
	json_object_set_new(value, "reductions", count(&totals->global.reduction));
	json_object_set_new(value, "spaces", spaces(totals->other));
	json_object_set_new(value, "events", events(totals->other));
}

static void set_sample(json_t *value, const struct ct_launch_info *info,
		       const struct ct_launch_sample *sample)
{
	const struct ct_event_launch *event = info->event;

	json_object_set_new(value, "region", ct_json_text(info->region));
	json_object_set_new(value, "tier", json_string(ct_words_tier(event->tier)));
	json_object_set_new(value, "context", json_integer(event->context));
	json_object_set_new(value, "launch_period", json_integer(event->launch_period));
	json_object_set_new(value, "block_period", json_integer(event->block_period));
	json_object_set_new(value, "block_offset", json_integer(event->block_offset));
	json_object_set_new(value, "ctas", ct_json_number(sample->ctas));
	json_object_set_new(value, "recorded_ctas", ct_json_number(sample->recorded));
	json_object_set_new(value, "lost_chunks",
			    sample->lost_unknown ? json_null()
						 : ct_json_number(sample->lost_chunks));
}

static json_t *launch(const struct ct_launch_info *info, const struct ct_launch_totals *totals,
		      const struct ct_launch_sample *sample)
{
	const struct ct_event_launch *event = info->event;
	json_t *value = json_object();

	json_object_set_new(value, "launch", json_integer(event->launch));
	json_object_set_new(value, "part", json_integer(info->part));
	json_object_set_new(value, "kernel", ct_json_text(info->kernel));
	json_object_set_new(value, "symbol", ct_json_text(info->kernel_name));
	json_object_set_new(value, "grid", ct_json_extent(event->grid));
	json_object_set_new(value, "block", ct_json_extent(event->block));
	json_object_set_new(value, "cluster", ct_json_extent(event->cluster));
	json_object_set_new(value, "cooperative",
			    json_boolean(event->flags & CT_LAUNCH_COOPERATIVE));
	json_object_set_new(value, "stream", ct_json_number(event->stream));
	json_object_set_new(value, "device", json_integer(event->device));
	json_object_set_new(value, "shared_bytes", ct_json_number(event->shared_bytes));
	json_object_set_new(value, "thread", json_integer(event->thread));
	json_object_set_new(value, "time_ns", ct_json_number(event->header.time_ns));
	json_object_set_new(value, "site", ct_json_descriptor(info->site));
	json_object_set_new(value, "traced", json_boolean(event->flags & CT_LAUNCH_TRACED));
	json_object_set_new(value, "reason", ct_json_text(info->reason));
	json_object_set_new(value, "done", json_boolean(info->done));
	json_object_set_new(value, "stored", json_boolean(info->stored));
	json_object_set_new(value, "error", json_integer(info->error));
	set_sample(value, info, sample);
	set_counts(value, totals);
	json_object_set_new(value, "upper_bound",
			    json_boolean(ct_launch_totals_is_bound(totals, info)));
	return value;
}

static json_t *launches(const struct ct_info *info)
{
	const struct ct_launch_info *list;
	size_t count = ct_trace_launches(info->trace, &list);
	json_t *array = json_array(), *value;

	for (size_t i = 0; i < count; i++) {
		if (!ct_filter_launch(info->filter, &list[i]))
			continue;
		value = launch(&list[i], ct_totals_launch(info->totals, i),
			       &info->summary->sampling.launch[i]);
		if (info->paths)
			json_object_set_new(value, "host_path",
					    ct_host_path_number(info->paths, &list[i]));
		json_array_append_new(array, value);
	}
	return array;
}

static json_t *sites(const struct ct_info *info)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(info->trace, &units);
	json_t *array = json_array();

	for (size_t u = 0; u < count; u++) {
		for (uint32_t s = 0; s < units[u].header->site_count; s++) {
			const struct ct_count *totals = ct_totals_site(info->totals, u, s);
			json_t *value = ct_json_site(&units[u], s);

			json_object_set_new(value, "executions", ct_json_number(totals->warps));
			json_object_set_new(value, "accesses", ct_json_number(totals->threads));
			json_object_set_new(value, "accessed_bytes", ct_json_number(totals->bytes));
			json_array_append_new(array, value);
		}
	}
	return array;
}

static json_t *coverage_row(const struct ct_cover_part *part, const struct ct_cover_row *row)
{
	json_t *value = json_object();

	json_object_set_new(
	    value, "unit",
	    json_sprintf("%016llx", (unsigned long long)part->unit->header->unit_id));
	json_object_set_new(value, "arch", json_integer(part->unit->header->arch));
	json_object_set_new(value, "in", ct_json_text(part->name));
	json_object_set_new(value, "symbol", ct_json_text(part->symbol));
	json_object_set_new(value, "is_kernel", json_boolean(part->kernel != CT_NONE));
	json_object_set_new(value, "pattern", ct_json_text(part->pattern));
	json_object_set_new(value, "operation", json_string(ct_operation_text(row->operation)));
	json_object_set_new(value, "class",
			    json_string(ct_class_text(ct_operation_class(row->operation))));
	json_object_set_new(value, "space", json_string(ct_words_space(row->space)));
	for (int cover = 0; cover < CT_COVERS; cover++)
		json_object_set_new(value,
				    cover == CT_COVER_SKIPPED ? "not_instrumented"
							      : ct_cover_text((enum ct_cover)cover),
				    ct_json_number(row->sites[cover]));
	return value;
}

static json_t *coverage(const struct ct_info *info)
{
	const struct ct_cover_part *part = info->coverage->part;
	json_t *array = json_array();

	for (size_t i = 0; i < info->coverage->count; i++)
		for (size_t r = 0; r < part[i].count; r++)
			json_array_append_new(array, coverage_row(&part[i], &part[i].row[r]));
	return array;
}

/* Names of the bits of mask. */
static json_t *names(uint32_t mask, const char *(*text)(uint32_t bit))
{
	json_t *array = json_array();

	for (uint32_t bit = 0; bit < 32; bit++)
		if (mask >> bit & 1)
			json_array_append_new(array, json_string(text(bit)));
	return array;
}

static json_t *units(const struct ct_info *info)
{
	const struct ct_unit *list;
	size_t count = ct_trace_units(info->trace, &list);
	json_t *array = json_array();

	for (size_t u = 0; u < count; u++) {
		const struct ct_unit_header *header = list[u].header;

		json_array_append_new(
		    array, json_pack("{s:o,s:I,s:o,s:o,s:o,s:o,s:b}", "unit",
				     json_sprintf("%016llx", (unsigned long long)header->unit_id),
				     "arch", (json_int_t)header->arch, "source",
				     ct_json_text(ct_unit_string(&list[u], header->source)),
				     "spaces", names(header->spaces, ct_words_space), "kinds",
				     names(header->kinds, ct_words_kind), "events",
				     names(header->events, ct_words_event), "values",
				     header->values != 0));
	}
	return array;
}

static json_t *kernel(const struct ct_info *info, size_t u, uint32_t k)
{
	const struct ct_unit *units;
	const struct ct_launch_totals *totals = ct_totals_kernel(info->totals, u, k);
	const struct ct_unit_kernel *kernel;
	const struct ct_unit_param *param;
	json_t *params = json_array(), *value;

	ct_trace_units(info->trace, &units);
	kernel = &units[u].kernels[k];
	param = &units[u].params[kernel->param_first];
	for (uint32_t p = 0; p < kernel->param_count; p++)
		json_array_append_new(
		    params,
		    json_pack("{s:o,s:o}", "name",
			      ct_json_text(ct_unit_string(&units[u], param[p].name)), "type",
			      ct_json_text(ct_unit_string(&units[u], param[p].type))));
	value = json_pack("{s:o,s:o,s:o,s:I,s:I,s:b,s:o,s:o,s:I}", "kernel",
			  ct_json_text(ct_unit_string(&units[u], kernel->display)), "symbol",
			  ct_json_text(ct_unit_string(&units[u], kernel->name)), "file",
			  ct_json_text(ct_unit_string(&units[u], kernel->file)), "line",
			  (json_int_t)kernel->line, "arch", (json_int_t)units[u].header->arch,
			  "instrumented", !kernel->reason, "reason",
			  ct_json_text(ct_unit_string(&units[u], kernel->reason)), "parameters",
			  params, "launches", (json_int_t)totals->launches);
	set_counts(value, totals);
	json_object_set_new(value, "estimated",
			    ct_info_estimate_json(info->estimates
						      ? ct_estimates_kernel(info->estimates, u, k)
						      : NULL));
	return value;
}

static json_t *kernels(const struct ct_info *info)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(info->trace, &units);
	json_t *array = json_array();

	for (size_t u = 0; u < count; u++)
		for (uint32_t k = 0; k < units[u].header->kernel_count; k++)
			json_array_append_new(array, kernel(info, u, k));
	return array;
}

static json_t *objects(const struct ct_info *info)
{
	const struct ct_object_info *list;
	size_t count = ct_trace_objects(info->trace, &list);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_alloc *event = list[i].event;

		json_array_append_new(
		    array,
		    json_pack("{s:I,s:I,s:o,s:s,s:o,s:I,s:I,s:o,s:b}", "object",
			      (json_int_t)event->object, "part", (json_int_t)list[i].part, "name",
			      ct_json_text(list[i].name), "kind", ct_words_object_kind(event->kind),
			      "address", ct_json_address(event->address), "bytes",
			      (json_int_t)event->bytes, "device", (json_int_t)event->device, "site",
			      ct_json_descriptor(list[i].site), "freed",
			      list[i].died != UINT64_MAX));
	}
	return array;
}

static json_t *devices(const struct ct_info *info)
{
	const struct ct_device_info *list;
	size_t count = ct_trace_devices(info->trace, &list);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_device *event = list[i].event;

		json_array_append_new(array, json_pack("{s:I,s:I,s:o,s:I,s:I,s:I,s:b}", "device",
						       (json_int_t)event->device, "part",
						       (json_int_t)list[i].part, "name",
						       ct_json_text(list[i].name), "arch",
						       (json_int_t)event->arch, "sm_count",
						       (json_int_t)event->sm_count, "memory_bytes",
						       (json_int_t)event->memory_bytes,
						       "cpu_target", (int)event->is_cpu_target));
	}
	return array;
}

static json_t *losses(const struct ct_info *info)
{
	const struct ct_loss_info *list;
	size_t count = ct_trace_losses(info->trace, &list);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_loss *event = list[i].event;

		json_t *loss = json_pack(
		    "{s:o,s:I,s:I,s:o}", "chunks",
		    event->chunks == UINT64_MAX ? json_null() : ct_json_number(event->chunks),
		    "launch", (json_int_t)event->launch, "part", (json_int_t)list[i].part, "reason",
		    ct_json_text(list[i].reason));

		if (event->last_launch)
			json_object_set_new(loss, "last_launch",
					    json_integer((json_int_t)event->last_launch));
		json_array_append_new(array, loss);
	}
	return array;
}

static json_t *warnings(const struct ct_info *info)
{
	const char *const *list;
	size_t count = ct_trace_warnings(info->trace, &list);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, ct_json_text(list[i]));
	return array;
}

static json_t *totals(const struct ct_info *info)
{
	const struct ct_launch_info *list;
	const struct ct_summary *s = info->summary;
	json_t *value = json_pack(
	    "{s:I,s:I,s:I,s:o}", "launches", (json_int_t)ct_trace_launches(info->trace, &list),
	    "traced", (json_int_t)s->traced, "kernels", (json_int_t)s->kernels, "lost_chunks",
	    s->lost_unknown ? json_null() : ct_json_number(s->lost_chunks));

	json_object_set_new(value, "transfers",
			    json_pack("{s:o,s:o,s:o}", "copies", ct_json_number(s->copies), "sets",
				      ct_json_number(s->sets), "bytes",
				      ct_json_number(s->transfer_bytes)));
	set_counts(value, ct_totals_sum(info->totals));
	json_object_set_new(
	    value, "estimated",
	    ct_info_estimate_json(info->estimates ? ct_estimates_sum(info->estimates) : NULL));
	return value;
}

int ct_info_write_json(FILE *out, const struct ct_info *info)
{
	const struct ct_summary *s = info->summary;
	json_t *value = json_object();
	int err;

	json_object_set_new(value, "schema", json_string("cudatrace-info-1"));
	json_object_set_new(value, "trace", ct_json_text(ct_trace_directory(info->trace)));
	json_object_set_new(value, "program", ct_json_text(s->program));
	json_object_set_new(value, "size_bytes", ct_json_number(ct_trace_bytes(info->trace)));
	json_object_set_new(value, "complete", json_boolean(s->complete));
	json_object_set_new(value, "unfinished_launches", ct_json_number(s->unfinished));
	json_object_set(value, "manifest", s->manifest);
	json_object_set_new(value, "processes", ct_info_processes_json(info));
	json_object_set_new(value, "devices", devices(info));
	json_object_set_new(value, "sampling", ct_sampling_json(&s->sampling));
	json_object_set_new(value, "regions", ct_info_regions_json(info));
	json_object_set_new(value, "launches", launches(info));
	if (info->paths)
		json_object_set_new(value, "host_paths", ct_host_paths_json(info->paths));
	json_object_set_new(value, "kernels", kernels(info));
	json_object_set_new(value, "sites", sites(info));
	json_object_set_new(value, "coverage", coverage(info));
	json_object_set_new(value, "units", units(info));
	json_object_set_new(value, "objects", objects(info));
	json_object_set_new(value, "losses", losses(info));
	json_object_set_new(value, "warnings", warnings(info));
	json_object_set_new(value, "findings", ct_findings_json(info->findings, info->trace));
	json_object_set_new(value, "totals", totals(info));
	err = ct_info_counts_json(value, info);
	if (err < 0) {
		json_decref(value);
		return err;
	}
	return ct_json_write(out, value, 1);
}
