/* SPDX-License-Identifier: Apache-2.0 */
/* Summarises what a trace holds as a whole: who was traced, how much, what is missing. */
#include "postproc/facts/summary.h"
#include "postproc/facts/coverage.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void append(char *buffer, size_t bytes, const char *text)
{
	size_t used = strlen(buffer);

	snprintf(buffer + used, bytes - used, "%s%s", used ? " " : "", text);
}

static const char *manifest_text(const struct ct_summary *summary, const char *key)
{
	const char *text = json_string_value(json_object_get(summary->manifest, key));

	return text ? text : "";
}

static void read_command(struct ct_summary *summary)
{
	json_t *command = json_object_get(summary->manifest, "command"), *word;
	size_t i;

	if (json_is_string(command))
		append(summary->command, sizeof(summary->command), json_string_value(command));
	json_array_foreach(command, i, word)
	{
		if (json_is_string(word))
			append(summary->command, sizeof(summary->command), json_string_value(word));
	}
}

static void read_start(struct ct_summary *summary)
{
	json_t *start = json_object_get(summary->manifest, "start_ns");
	time_t seconds;
	struct tm utc;

	if (!json_is_integer(start)) {
		snprintf(summary->started, sizeof(summary->started), "%s",
			 manifest_text(summary, "started"));
		return;
	}
	seconds = (time_t)(json_integer_value(start) / 1000000000);
	if (gmtime_r(&seconds, &utc))
		strftime(summary->started, sizeof(summary->started), "%Y-%m-%d %H:%M:%S UTC", &utc);
}

static int read_manifest(struct ct_summary *summary, const struct ct_trace *trace)
{
	const char *program, *slash;

	summary->manifest = json_loads(ct_trace_manifest(trace), 0, NULL);
	if (!json_is_object(summary->manifest)) {
		json_decref(summary->manifest);
		summary->manifest = json_object();
	}
	if (!summary->manifest)
		return -ENOMEM;
	read_command(summary);
	program = manifest_text(summary, "program");
	slash = strrchr(program, '/');
	snprintf(summary->program, sizeof(summary->program), "%s", slash ? slash + 1 : program);
	snprintf(summary->host, sizeof(summary->host), "%s", manifest_text(summary, "host"));
	read_start(summary);
	return 0;
}

static struct ct_reason *find_reason(struct ct_reasons *reasons, const char *text)
{
	struct ct_reason *bigger;

	for (size_t i = 0; i < reasons->count; i++)
		if (!strcmp(reasons->list[i].text, text))
			return &reasons->list[i];
	bigger = realloc(reasons->list, (reasons->count + 1) * sizeof(*bigger));
	if (!bigger)
		return NULL;
	reasons->list = bigger;
	bigger[reasons->count] = (struct ct_reason){.text = text};
	return &bigger[reasons->count++];
}

static int read_sites(struct ct_summary *summary, const struct ct_trace *trace)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);

	for (size_t u = 0; u < count; u++) {
		if (!ct_coverage_counts(trace, &units[u]))
			continue;
		for (uint32_t s = 0; s < units[u].header->site_count; s++) {
			const struct ct_unit_site *site = &units[u].sites[s];
			struct ct_reason *reason;

			if (site->verdict != CT_VERDICT_SKIPPED &&
			    site->verdict != CT_VERDICT_FILTERED)
				continue;
			reason =
			    find_reason(site->verdict == CT_VERDICT_FILTERED ? &summary->filtered
									     : &summary->sites,
					ct_unit_string(&units[u], site->reason));
			if (!reason)
				return -ENOMEM;
			if (!reason->count++) {
				reason->unit = &units[u];
				reason->site = s;
			}
		}
	}
	return 0;
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int count_kernels(struct ct_summary *summary, const struct ct_launch_info *launches,
			 size_t count)
{
	const char **names = malloc((count + 1) * sizeof(*names));

	if (!names)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		names[i] = launches[i].kernel_name;
	qsort(names, count, sizeof(*names), compare_text);
	for (size_t i = 0; i < count; i++)
		summary->kernels += i == 0 || strcmp(names[i], names[i - 1]) != 0;
	free(names);
	return 0;
}

static int read_launches(struct ct_summary *summary, const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++) {
		struct ct_reason *reason;

		if (launches[i].event->flags & CT_LAUNCH_TRACED) {
			summary->traced++;
			summary->unfinished += !launches[i].done;
			summary->stored += launches[i].stored;
			continue;
		}
		reason = find_reason(&summary->launches, launches[i].reason);
		if (!reason)
			return -ENOMEM;
		reason->count++;
	}
	return count_kernels(summary, launches, count);
}

static void read_losses(struct ct_summary *summary, const struct ct_trace *trace)
{
	const struct ct_loss_info *losses;
	const char *const *warnings;
	size_t count = ct_trace_losses(trace, &losses);
	int complete = 1;

	for (size_t i = 0; i < count; i++) {
		if (losses[i].event->chunks == UINT64_MAX)
			summary->lost_unknown = 1;
		else
			summary->lost_chunks += losses[i].event->chunks;
	}
	for (size_t i = 0; i < summary->processes.count; i++)
		complete &= summary->processes.list[i].complete;
	summary->complete = count == 0 && ct_trace_warnings(trace, &warnings) == 0 && complete &&
			    summary->unfinished == 0;
}

static void read_transfers(struct ct_summary *summary, const struct ct_trace *trace)
{
	const struct ct_transfer_info *transfers;
	size_t count = ct_trace_transfers(trace, &transfers);

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_transfer *event = transfers[i].event;
		uint64_t bytes;

		if (event->kind == CT_TRANSFER_COPY)
			summary->copies++;
		else
			summary->sets++;
		if (__builtin_mul_overflow(event->width, event->height, &bytes) ||
		    __builtin_mul_overflow(bytes, event->depth, &bytes) ||
		    __builtin_add_overflow(summary->transfer_bytes, bytes,
					   &summary->transfer_bytes))
			summary->transfer_bytes = UINT64_MAX;
	}
}

int ct_summary_init(struct ct_summary *summary, const struct ct_trace *trace)
{
	int err;

	memset(summary, 0, sizeof(*summary));
	err = read_manifest(summary, trace);
	if (err == 0)
		err = ct_processes_init(&summary->processes, trace);
	if (err == 0)
		err = ct_sampling_init(&summary->sampling, trace);
	if (err == 0)
		err = read_sites(summary, trace);
	if (err == 0)
		err = read_launches(summary, trace);
	if (err == 0)
		read_transfers(summary, trace);
	if (err == 0)
		read_losses(summary, trace);
	else
		ct_summary_fini(summary);
	return err;
}

void ct_summary_fini(struct ct_summary *summary)
{
	json_decref(summary->manifest);
	ct_processes_fini(&summary->processes);
	ct_sampling_fini(&summary->sampling);
	free(summary->sites.list);
	free(summary->filtered.list);
	free(summary->launches.list);
	memset(summary, 0, sizeof(*summary));
}
