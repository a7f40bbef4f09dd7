/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what each process of a trace did and lost. */
#include "postproc/facts/processes.h"
#include "base/utf8.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ct_process_totals *find(const struct ct_processes *processes, uint32_t part)
{
	size_t low = 0, high = processes->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (processes->list[middle].info->part < part)
			low = middle + 1;
		else
			high = middle;
	}
	return low < processes->count && processes->list[low].info->part == part
		   ? &processes->list[low]
		   : NULL;
}

const struct ct_process_totals *ct_processes_of(const struct ct_processes *processes, uint32_t part)
{
	return find(processes, part);
}

/* Traces before version 3 have in the manifest what later ones have in an event. */
static void read_manifest(struct ct_process_totals *process)
{
	json_t *manifest = json_loads(process->info->manifest, 0, NULL), *word;
	const char *host = json_string_value(json_object_get(manifest, "host"));
	const char *error = json_string_value(json_object_get(manifest, "error"));
	size_t used = 0, i;

	process->complete =
	    json_is_true(json_object_get(manifest, "complete")) && !process->info->missing;
	process->start_ns = (uint64_t)json_integer_value(json_object_get(manifest, "start_ns"));
	if (!process->pid)
		process->pid = (uint64_t)json_integer_value(json_object_get(manifest, "pid"));
	if (error)
		snprintf(process->error, sizeof(process->error), "%s", error);
	if (!*process->host && host)
		snprintf(process->host, sizeof(process->host), "%s", host);
	if (!*process->program) {
		json_array_foreach(json_object_get(manifest, "command"), i, word)
		{
			if (json_is_string(word) && used < sizeof(process->program))
				used += (size_t)snprintf(process->program + used,
							 sizeof(process->program) - used, "%s%s",
							 i ? " " : "", json_string_value(word));
		}
	}
	ct_text_make_plain(process->error, strlen(process->error));
	ct_text_make_plain(process->host, strlen(process->host));
	ct_text_make_plain(process->program, strlen(process->program));
	json_decref(manifest);
}

static void read_process(struct ct_process_totals *process, const struct ct_process_info *info)
{
	process->info = info;
	process->pid = info->event ? info->event->pid : 0;
	process->parent = info->event ? info->event->parent : 0;
	snprintf(process->host, sizeof(process->host), "%s", info->host);
	snprintf(process->program, sizeof(process->program), "%s", info->program);
	read_manifest(process);
}

static void count_launches(struct ct_processes *processes, const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);
	struct ct_process_totals *process = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!process || process->info->part != launches[i].part)
			process = find(processes, launches[i].part);
		if (!process)
			continue;
		process->launches++;
		if (!(launches[i].event->flags & CT_LAUNCH_TRACED))
			continue;
		process->traced++;
		process->unfinished += !launches[i].done;
	}
}

static void count_losses(struct ct_processes *processes, const struct ct_trace *trace)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(trace, &losses);

	for (size_t i = 0; i < count; i++) {
		struct ct_process_totals *process = find(processes, losses[i].part);

		if (!process)
			continue;
		process->complete = 0;
		if (losses[i].event->chunks == UINT64_MAX)
			process->lost_unknown = 1;
		else
			process->lost_chunks += losses[i].event->chunks;
	}
}

static int compare_hosts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int count_hosts(struct ct_processes *processes)
{
	const char **hosts = malloc((processes->count + 1) * sizeof(*hosts));

	if (!hosts)
		return -ENOMEM;
	for (size_t i = 0; i < processes->count; i++)
		hosts[i] = processes->list[i].host;
	qsort(hosts, processes->count, sizeof(*hosts), compare_hosts);
	for (size_t i = 0; i < processes->count; i++)
		processes->hosts += *hosts[i] && (i == 0 || strcmp(hosts[i], hosts[i - 1]) != 0);
	free(hosts);
	return 0;
}

int ct_processes_init(struct ct_processes *processes, const struct ct_trace *trace)
{
	const struct ct_process_info *infos;

	memset(processes, 0, sizeof(*processes));
	processes->count = ct_trace_processes(trace, &infos);
	processes->list = calloc(processes->count + 1, sizeof(*processes->list));
	if (!processes->list)
		return -ENOMEM;
	for (size_t i = 0; i < processes->count; i++) {
		read_process(&processes->list[i], &infos[i]);
		if (infos[i].ranks > processes->ranks)
			processes->ranks = infos[i].ranks;
	}
	count_launches(processes, trace);
	count_losses(processes, trace);
	for (size_t i = 0; i < processes->count; i++)
		if (processes->list[i].unfinished)
			processes->list[i].complete = 0;
	return count_hosts(processes);
}

void ct_processes_fini(struct ct_processes *processes)
{
	free(processes->list);
	memset(processes, 0, sizeof(*processes));
}
