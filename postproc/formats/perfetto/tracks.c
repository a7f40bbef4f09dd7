/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks of the time line: their names, and the numbers of their processes. */
#include "postproc/formats/perfetto/perfetto.h"
#include <stdio.h>

void ct_perfetto_put(struct ct_perfetto *perfetto)
{
	if (!ct_perfetto_take(&perfetto->out))
		perfetto->left_out++;
}

static struct ct_json *open_metadata(struct ct_perfetto *perfetto, const char *what, uint64_t pid,
				     uint64_t tid)
{
	return ct_perfetto_open(
	    &perfetto->out,
	    &(struct ct_perfetto_event){.name = what, .phase = "M", .pid = pid, .tid = tid});
}

void ct_perfetto_name(struct ct_perfetto *perfetto, const char *what, uint64_t pid, uint64_t tid,
		      const char *name)
{
	ct_json_put_text(open_metadata(perfetto, what, pid, tid), "name", name);
	ct_perfetto_close(&perfetto->out);
	ct_perfetto_put(perfetto);
}

void ct_perfetto_sort(struct ct_perfetto *perfetto, const char *what, uint64_t pid, uint64_t tid,
		      uint64_t index)
{
	ct_json_put_number(open_metadata(perfetto, what, pid, tid), "sort_index", index);
	ct_perfetto_close(&perfetto->out);
	ct_perfetto_put(perfetto);
}

/* Parts may have large numbers: processes are counted. */
static uint64_t number_of(const struct ct_perfetto *perfetto, uint32_t part)
{
	const struct ct_process_totals *process = ct_processes_of(perfetto->processes, part);

	return process ? (uint64_t)(process - perfetto->processes->list)
		       : perfetto->processes->count;
}

uint64_t ct_perfetto_host(const struct ct_perfetto *perfetto, uint32_t part)
{
	return number_of(perfetto, part) * 1000 + 1;
}

uint64_t ct_perfetto_device(const struct ct_perfetto *perfetto, uint32_t part, uint32_t device)
{
	return number_of(perfetto, part) * 1000 + 2 + device % 998;
}

const char *ct_perfetto_process(const struct ct_perfetto *perfetto, uint32_t part, char *text,
				size_t bytes)
{
	const struct ct_process_totals *process = ct_processes_of(perfetto->processes, part);

	if (process && process->info->rank != CT_NO_RANK)
		snprintf(text, bytes, "rank %u, process %u", process->info->rank, part);
	else
		snprintf(text, bytes, "process %u", part);
	return text;
}
