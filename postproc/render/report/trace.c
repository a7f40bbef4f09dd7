/* SPDX-License-Identifier: Apache-2.0 */
/* What the report says of the trace itself: program, machine, what was recorded and what not. */
#include "postproc/facts/source_name.h"
#include "postproc/render/base/selection.h"
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void put_devices(const struct ct_report_writer *w)
{
	ct_out_array(w->out, "devices");
	for (size_t i = 0; i < w->report->device_count; i++) {
		const struct ct_device_info *device = &w->report->devices[i];

		ct_out_object(w->out, NULL);
		ct_out_integer(w->out, "device", device->event->device);
		ct_out_integer(w->out, "part", device->part);
		ct_out_text(w->out, "name", device->name);
		ct_out_integer(w->out, "arch", device->event->arch);
		ct_out_integer(w->out, "sm_count", device->event->sm_count);
		ct_out_integer(w->out, "memory_bytes", device->event->memory_bytes);
		ct_out_bool(w->out, "cpu_target", device->event->is_cpu_target != 0);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

static void put_processes(const struct ct_report_writer *w)
{
	const struct ct_processes *processes = &w->report->summary->processes;

	ct_out_integer(w->out, "process_count", processes->count);
	ct_out_integer(w->out, "hosts", processes->hosts);
	ct_out_array(w->out, "processes");
	for (size_t i = 0; i < processes->count && i < CT_REPORT_ROWS; i++) {
		const struct ct_process_totals *process = &processes->list[i];

		ct_out_object(w->out, NULL);
		ct_out_integer(w->out, "part", process->info->part);
		if (process->info->rank != CT_NO_RANK)
			ct_out_integer(w->out, "rank", process->info->rank);
		ct_out_text(w->out, "host", process->host);
		ct_out_integer(w->out, "pid", process->pid);
		ct_out_text(w->out, "command", process->program);
		ct_out_integer(w->out, "launches", process->launches);
		ct_out_integer(w->out, "traced_launches", process->traced);
		ct_out_bool(w->out, "lost_unknown", process->lost_unknown);
		ct_out_integer(w->out, "lost_chunks", process->lost_chunks);
		ct_out_integer(w->out, "size_bytes", process->info->bytes);
		ct_out_bool(w->out, "complete", process->complete);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

static void put_reasons(const struct ct_report_writer *w, const char *key,
			const struct ct_reasons *reasons)
{
	ct_out_array(w->out, key);
	for (size_t i = 0; i < reasons->count && i < CT_REPORT_ROWS; i++) {
		const struct ct_reason *reason = &reasons->list[i];

		ct_out_object(w->out, NULL);
		ct_out_text(w->out, "reason", *reason->text ? reason->text : "unknown reason");
		ct_out_integer(w->out, "count", reason->count);
		ct_sources_put_site(w->sources, w->out, "place", reason->unit, reason->site);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

static void put_losses(const struct ct_report_writer *w)
{
	ct_out_array(w->out, "losses");
	for (size_t i = 0; i < w->report->loss_count && i < CT_REPORT_ROWS; i++) {
		const struct ct_loss_info *loss = &w->report->losses[i];

		ct_out_object(w->out, NULL);
		if (loss->event->chunks == UINT64_MAX)
			ct_out_json(w->out, "chunks", json_null());
		else
			ct_out_integer(w->out, "chunks", loss->event->chunks);
		ct_out_integer(w->out, "launch", loss->event->launch);
		ct_out_integer(w->out, "part", loss->part);
		ct_out_text(w->out, "reason", loss->reason);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
	ct_out_array(w->out, "warnings");
	for (size_t i = 0; i < w->report->warning_count; i++)
		ct_out_text(w->out, NULL, w->report->warnings[i]);
	ct_out_end(w->out);
}

/* Sites of a kernel and of the device functions that it reaches. */
static void sum_sites(const struct ct_coverage *coverage, size_t index, unsigned char *reached,
		      uint64_t sites[CT_COVERS])
{
	memset(reached, 0, coverage->count);
	ct_coverage_reach(coverage, index, reached);
	reached[index] = 1;
	memset(sites, 0, CT_COVERS * sizeof(*sites));
	for (size_t i = 0; i < coverage->count; i++)
		for (size_t r = 0; reached[i] && r < coverage->part[i].count; r++)
			for (int cover = 0; cover < CT_COVERS; cover++)
				sites[cover] += coverage->part[i].row[r].sites[cover];
}

static void put_coverage(const struct ct_report_writer *w)
{
	const struct ct_coverage *coverage = w->report->coverage;
	unsigned char *reached = malloc(coverage->count + 1);
	uint64_t sites[CT_COVERS];
	char name[CT_BRIEF_NAME_BYTES];

	ct_out_array(w->out, "coverage");
	for (size_t i = 0; reached && i < coverage->count; i++) {
		const struct ct_cover_part *part = &coverage->part[i];
		const struct ct_unit_kernel *kernel;

		if (part->kernel == CT_NONE || !part->is_launched)
			continue;
		kernel = &part->unit->kernels[part->kernel];
		sum_sites(coverage, i, reached, sites);
		ct_out_object(w->out, NULL);
		ct_out_text(w->out, "kernel", ct_source_name_brief(part->name, name));
		ct_sources_put(w->sources, w->out, "place",
			       ct_unit_string(part->unit, kernel->file), kernel->line);
		for (int cover = 0; cover < CT_COVERS; cover++)
			ct_out_integer(w->out,
				       cover == CT_COVER_SKIPPED
					   ? "not_instrumented"
					   : ct_cover_text((enum ct_cover)cover),
				       sites[cover]);
		ct_out_text(w->out, "reason", ct_unit_string(part->unit, kernel->reason));
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
	if (!reached)
		ct_json_fail(&w->out->json, -ENOMEM);
	free(reached);
}

static void put_options(const struct ct_report_writer *w)
{
	ct_out_object(w->out, "options");
	ct_out_bool(w->out, "self", w->report->self);
	if (w->report->selection)
		ct_out_json(w->out, "selection", ct_selection_json(w->report->selection));
	ct_out_end(w->out);
}

void ct_report_put_trace(const struct ct_report_writer *w)
{
	const struct ct_summary *s = w->report->summary;
	const struct ct_comm_figures *f = w->report->figures;

	ct_out_object(w->out, "trace");
	ct_out_text(w->out, "directory", w->report->trace);
	ct_out_text(w->out, "program", s->program);
	ct_out_text(w->out, "command", s->command);
	ct_out_text(w->out, "host", s->host);
	ct_out_text(w->out, "started", s->started);
	ct_out_integer(w->out, "size_bytes", w->report->trace_bytes);
	ct_out_bool(w->out, "complete", s->complete);
	ct_out_integer(w->out, "unfinished_launches", s->unfinished);
	ct_out_bool(w->out, "lost_unknown", s->lost_unknown);
	ct_out_integer(w->out, "lost_chunks", f->lost_chunks);
	ct_out_integer(w->out, "damaged_chunks", f->damaged_chunks);
	ct_out_integer(w->out, "launches", f->launches);
	ct_out_integer(w->out, "traced_launches", f->traced_launches);
	put_processes(w);
	put_devices(w);
	put_reasons(w, "launches_not_traced", &s->launches);
	put_reasons(w, "sites_not_instrumented", &s->sites);
	put_reasons(w, "sites_left_out", &s->filtered);
	put_losses(w);
	put_coverage(w);
	ct_out_end(w->out);
	put_options(w);
}
