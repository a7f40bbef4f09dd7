/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info as JSON: docs/json-schema.md. */
#include "info.h"
#include "json.h"
#include "words.h"

static json_t *classes(const uint64_t value[CT_CLASSES])
{
	json_t *object = json_object();

	for (int class = 0; class < CT_CLASSES; class ++)
		json_object_set_new(object, ct_class_text(class), ct_json_number(value[class]));
	return object;
}

static json_t *launch(const struct ct_launch_info *info, const struct ct_launch_totals *totals)
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
	json_object_set_new(value, "error", json_integer(info->error));
	json_object_set_new(value, "accesses", classes(totals->accesses));
	json_object_set_new(value, "bytes", classes(totals->bytes));
	json_object_set_new(value, "records", ct_json_number(totals->records));
	return value;
}

static json_t *launches(const struct ct_info *info)
{
	const struct ct_launch_info *list;
	size_t count = ct_trace_launches(info->trace, &list);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		if (!info->launch || list[i].event->launch == info->launch)
			json_array_append_new(array,
					      launch(&list[i], ct_totals_launch(info->totals, i)));
	return array;
}

static json_t *sites(const struct ct_info *info)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(info->trace, &units);
	json_t *array = json_array();

	for (size_t u = 0; u < count; u++) {
		for (uint32_t s = 0; s < units[u].header->site_count; s++) {
			const struct ct_site_totals *totals = ct_totals_site(info->totals, u, s);
			json_t *value = ct_json_site(&units[u], s);

			json_object_set_new(value, "executions",
					    ct_json_number(totals->executions));
			json_object_set_new(value, "accesses", ct_json_number(totals->accesses));
			json_array_append_new(array, value);
		}
	}
	return array;
}

static json_t *kernels(const struct ct_info *info)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(info->trace, &units);
	json_t *array = json_array();

	for (size_t u = 0; u < count; u++) {
		for (uint32_t k = 0; k < units[u].header->kernel_count; k++) {
			const struct ct_unit_kernel *kernel = &units[u].kernels[k];
			const struct ct_unit_param *param = &units[u].params[kernel->param_first];
			json_t *params = json_array();

			for (uint32_t p = 0; p < kernel->param_count; p++)
				json_array_append_new(
				    params,
				    json_pack(
					"{s:o,s:o}", "name",
					ct_json_text(ct_unit_string(&units[u], param[p].name)),
					"type",
					ct_json_text(ct_unit_string(&units[u], param[p].type))));
			json_array_append_new(
			    array,
			    json_pack(
				"{s:o,s:o,s:o,s:I,s:I,s:b,s:o,s:o}", "kernel",
				ct_json_text(ct_unit_string(&units[u], kernel->display)), "symbol",
				ct_json_text(ct_unit_string(&units[u], kernel->name)), "file",
				ct_json_text(ct_unit_string(&units[u], kernel->file)), "line",
				(json_int_t)kernel->line, "arch", (json_int_t)units[u].header->arch,
				"instrumented", !kernel->reason, "reason",
				ct_json_text(ct_unit_string(&units[u], kernel->reason)),
				"parameters", params));
		}
	}
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

		json_array_append_new(array, json_pack("{s:o,s:I,s:I,s:o}", "chunks",
						       event->chunks == UINT64_MAX
							   ? json_null()
							   : ct_json_number(event->chunks),
						       "launch", (json_int_t)event->launch, "part",
						       (json_int_t)list[i].part, "reason",
						       ct_json_text(list[i].reason)));
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
	struct ct_launch_totals sum = ct_totals_sum(info->totals);
	const struct ct_launch_info *list;
	const struct ct_summary *s = info->summary;

	return json_pack("{s:I,s:I,s:I,s:o,s:o,s:I,s:o}", "launches",
			 (json_int_t)ct_trace_launches(info->trace, &list), "traced",
			 (json_int_t)s->traced, "kernels", (json_int_t)s->kernels, "accesses",
			 classes(sum.accesses), "bytes", classes(sum.bytes), "records",
			 (json_int_t)sum.records, "lost_chunks",
			 s->lost_unknown ? json_null() : ct_json_number(s->lost_chunks));
}

int ct_info_write_json(FILE *out, const struct ct_info *info)
{
	const struct ct_summary *s = info->summary;
	json_t *value = json_object();

	json_object_set_new(value, "schema", json_string("cudatrace-info-1"));
	json_object_set_new(value, "trace", ct_json_text(ct_trace_directory(info->trace)));
	json_object_set_new(value, "program", ct_json_text(s->program));
	json_object_set_new(value, "size_bytes", ct_json_number(ct_trace_bytes(info->trace)));
	json_object_set_new(value, "complete", json_boolean(s->complete));
	json_object_set_new(value, "unfinished_launches", ct_json_number(s->unfinished));
	json_object_set(value, "manifest", s->manifest);
	json_object_set_new(value, "devices", devices(info));
	json_object_set_new(value, "launches", launches(info));
	json_object_set_new(value, "kernels", kernels(info));
	json_object_set_new(value, "sites", sites(info));
	json_object_set_new(value, "objects", objects(info));
	json_object_set_new(value, "losses", losses(info));
	json_object_set_new(value, "warnings", warnings(info));
	json_object_set_new(value, "totals", totals(info));
	return ct_json_write(out, value, 1);
}
