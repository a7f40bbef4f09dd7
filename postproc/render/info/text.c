/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info for a terminal. */
#include "postproc/facts/losses.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/sampling.h"
#include "postproc/render/findings/findings.h"
#include "postproc/render/info/info.h"
#include "postproc/tables/sections.h"
#include <string.h>

static void write_header(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	const struct ct_summary *s = info->summary;
	char size[CT_NUMBER_BYTES];

	ct_emphasise(out, style, CT_BOLD, ct_trace_directory(info->trace));
	fprintf(out, ": %s, ", *s->program ? s->program : "unknown program");
	if (s->processes.count > 1)
		fprintf(out, "%zu processes on %zu host%s, ", s->processes.count,
			s->processes.hosts, s->processes.hosts == 1 ? "" : "s");
	fprintf(out, "%s, ", ct_size(ct_trace_bytes(info->trace), size));
	ct_emphasise(out, style, s->complete ? CT_GOOD : CT_BAD,
		     s->complete ? "complete" : "incomplete");
	fputc('\n', out);
	if (*s->command && s->processes.count == 1)
		fprintf(out, "command: %s\n", s->command);
	if (*s->started || *s->host)
		fprintf(out, "traced:  %s%s%s\n", s->started, *s->started && *s->host ? " on " : "",
			s->host);
}

static int is_same_device(const struct ct_device_info *a, const struct ct_device_info *b)
{
	return a->event->device == b->event->device && a->event->arch == b->event->arch &&
	       a->event->sm_count == b->event->sm_count &&
	       a->event->memory_bytes == b->event->memory_bytes && !strcmp(a->name, b->name);
}

/* Devices that look the same in several processes stand once. */
static void write_devices(FILE *out, const struct ct_info *info)
{
	const struct ct_device_info *devices;
	size_t count = ct_trace_devices(info->trace, &devices);
	char size[CT_NUMBER_BYTES];

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_device *event = devices[i].event;
		size_t first = 0, same = 0;

		while (first < i && !is_same_device(&devices[first], &devices[i]))
			first++;
		if (first < i)
			continue;
		for (size_t j = i; j < count; j++)
			same += (size_t)is_same_device(&devices[j], &devices[i]);
		fprintf(out, "device %u: %s", event->device, devices[i].name);
		if (event->is_cpu_target)
			fprintf(out, ", CPU target, %u workers", event->sm_count);
		else if (event->arch)
			fprintf(out, ", sm_%u, %u SMs", event->arch, event->sm_count);
		if (event->memory_bytes)
			fprintf(out, ", %s", ct_size(event->memory_bytes, size));
		if (info->summary->processes.count > 1)
			fprintf(out, ", in %zu process%s", same, same == 1 ? "" : "es");
		fputc('\n', out);
	}
}

static void write_troubles(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	const char *const *warnings;
	struct ct_loss_run run;
	char number[CT_NUMBER_BYTES];
	size_t count, at = 0;

	ct_sampling_write(out, &info->summary->sampling, style);
	while (ct_losses_next(info->trace, &at, &run)) {
		ct_emphasise(out, style, CT_BAD, "lost");
		if (run.is_unknown)
			fprintf(out, ": an unknown number of chunks");
		else
			fprintf(out, ": %s chunks", ct_number(run.chunks, number));
		ct_losses_put_launches(out, &run);
		if (info->summary->processes.count > 1)
			fprintf(out, " of part %u", run.part);
		fprintf(out, "%s%s\n", *run.reason ? ": " : "", run.reason);
	}
	count = ct_trace_warnings(info->trace, &warnings);
	for (size_t i = 0; i < count; i++) {
		ct_emphasise(out, style, CT_BAD, "warning");
		fprintf(out, ": %s\n", warnings[i]);
	}
	if (info->summary->unfinished)
		fprintf(out, "unfinished: %s traced launches have no end in the trace\n",
			ct_number(info->summary->unfinished, number));
	if (info->summary->stored && info->summary->stored < info->summary->traced)
		fprintf(out,
			"whole: of the first %s traced launches everything is there, but for "
			"what is lost\n",
			ct_number(info->summary->stored, number));
}

static void write_stops(FILE *out, const struct ct_processes *processes,
			const struct ct_style *style)
{
	for (size_t i = 0; i < processes->count; i++) {
		if (!*processes->list[i].error)
			continue;
		ct_emphasise(out, style, CT_BAD, "stopped");
		if (processes->count > 1)
			fprintf(out, ": part %u", processes->list[i].info->part);
		fprintf(out, ": %s\n", processes->list[i].error);
	}
}

/* Why tracing stopped; a table if there are several. */
static int write_processes(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	const struct ct_processes *processes = &info->summary->processes;

	write_stops(out, processes, style);
	return processes->count < 2
		   ? 0
		   : ct_table_show(out, &ct_processes_table, &info->facts, SIZE_MAX, style);
}

static void write_accesses(FILE *out, const struct ct_access_totals *totals)
{
	char number[CT_NUMBER_BYTES];

	fprintf(out, "%s loads", ct_number(totals->of[CT_CLASS_LOAD].threads, number));
	fprintf(out, ", %s stores", ct_number(totals->of[CT_CLASS_STORE].threads, number));
	if (totals->of[CT_CLASS_ATOMIC].threads)
		fprintf(out, ", %s atomics",
			ct_number(totals->of[CT_CLASS_ATOMIC].threads, number));
	if (totals->reduction.threads)
		fprintf(out, " (%s of them reductions)",
			ct_number(totals->reduction.threads, number));
}

static int has_accesses(const struct ct_access_totals *totals)
{
	return totals->of[CT_CLASS_LOAD].warps || totals->of[CT_CLASS_STORE].warps ||
	       totals->of[CT_CLASS_ATOMIC].warps;
}

/* A line for each other space, and one for events. */
static void write_other(FILE *out, const struct ct_other_totals *other)
{
	const char *before = "events: ";
	char number[CT_NUMBER_BYTES];

	for (uint32_t space = 0; other && space < CT_SPACES; space++) {
		if (!has_accesses(&other->space[space]))
			continue;
		fprintf(out, "%s memory: ", ct_words_space(space));
		write_accesses(out, &other->space[space]);
		fputc('\n', out);
	}
	for (uint32_t operation = 0; other && operation < CT_OPERATIONS; operation++) {
		if (!other->event[operation].warps)
			continue;
		fprintf(out, "%s%s %s by threads", before, ct_operation_text(operation),
			ct_number(other->event[operation].threads, number));
		fprintf(out, " (%s by warps)", ct_number(other->event[operation].warps, number));
		before = ", ";
	}
	if (*before == ',')
		fputc('\n', out);
}

static void write_transfers(FILE *out, const struct ct_info *info)
{
	const struct ct_summary *s = info->summary;
	char number[CT_NUMBER_BYTES];

	if (info->is_selected || s->copies + s->sets == 0)
		return;
	fprintf(out, "transfers: %s %s, ", ct_number(s->copies, number),
		s->copies == 1 ? "copy" : "copies");
	fprintf(out, "%s %s; ", ct_number(s->sets, number), s->sets == 1 ? "memset" : "memsets");
	fprintf(out, "%s\n", ct_size(s->transfer_bytes, number));
}

static void write_lost(FILE *out, const struct ct_summary *s)
{
	char number[CT_NUMBER_BYTES];

	if (s->lost_unknown)
		fprintf(out, ", %s or more chunks lost", ct_number(s->lost_chunks, number));
	else if (s->lost_chunks)
		fprintf(out, ", %s chunks lost", ct_number(s->lost_chunks, number));
	else
		fprintf(out, ", 0 lost");
}

/* The sum of what was chosen. */
static void write_selected(FILE *out, const struct ct_info *info)
{
	const struct ct_launch_totals *sum = ct_totals_sum(info->totals);
	const struct ct_launch_info *launches;
	size_t i = 0, chosen = ct_filter_launch_count(info->filter);
	char number[CT_NUMBER_BYTES];

	ct_trace_launches(info->trace, &launches);
	while (chosen && !ct_filter_launch(info->filter, &launches[i]))
		i++;
	if (chosen == 1)
		fprintf(out, ": launch %u: ", launches[i].event->launch);
	else
		fprintf(out, ": %s launches selected: ", ct_number(chosen, number));
	write_accesses(out, &sum->global);
	fputc('\n', out);
}

static void write_totals(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	const struct ct_summary *s = info->summary;
	const struct ct_launch_totals *sum = ct_totals_sum(info->totals);
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(info->trace, &launches);
	uint64_t accesses = sum->global.of[CT_CLASS_LOAD].threads +
			    sum->global.of[CT_CLASS_STORE].threads +
			    sum->global.of[CT_CLASS_ATOMIC].threads;
	uint64_t bytes = ct_trace_bytes(info->trace);
	char number[CT_NUMBER_BYTES];

	ct_emphasise(out, style, CT_BOLD, *s->program ? s->program : "trace");
	if (info->is_selected) {
		write_selected(out, info);
		return;
	}
	fprintf(out, ": %s %s of ", ct_number(count, number), count == 1 ? "launch" : "launches");
	fprintf(out, "%s %s, ", ct_number(s->kernels, number),
		s->kernels == 1 ? "kernel" : "kernels");
	write_accesses(out, &sum->global);
	write_lost(out, s);
	fprintf(out, "; trace %s", ct_size(bytes, number));
	if (accesses)
		fprintf(out, " (%.2f B/access)", (double)bytes / (double)accesses);
	fputc('\n', out);
}

int ct_info_write_text(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	int err;

	write_header(out, info, style);
	write_devices(out, info);
	ct_info_write_options(out, info);
	write_troubles(out, info, style);
	err = write_processes(out, info, style);
	if (err < 0)
		return err;
	fputc('\n', out);
	err = ct_info_write_launches(out, info, style);
	if (err == 0)
		err = ct_info_write_paths(out, info, style);
	if (err == 0)
		err = ct_info_write_regions(out, info, style);
	if (err == 0)
		err = ct_info_write_estimates(out, info, style);
	if (err == 0 && info->with_sites)
		err = ct_table_show(out, &ct_sites_table, &info->facts, SIZE_MAX, style);
	if (err == 0)
		err = ct_info_write_counts(out, info, style);
	if (err == 0)
		err = ct_info_write_coverage(out, info);
	if (err < 0)
		return err;
	ct_findings_write(out, info->findings, SIZE_MAX, style);
	fputc('\n', out);
	ct_info_write_not_recorded(out, info);
	write_other(out, ct_totals_sum(info->totals)->other);
	write_transfers(out, info);
	write_totals(out, info, style);
	return 0;
}
