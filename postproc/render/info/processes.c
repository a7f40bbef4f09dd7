/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a trace in ctpost info. */
#include "postproc/render/info/info.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char *rank_text(const struct ct_process_info *info, char *buffer, size_t bytes)
{
	if (info->rank == CT_NO_RANK)
		return "";
	snprintf(buffer, bytes, "%u", info->rank);
	return buffer;
}

/* By rank, then by part; those without a rank come last. */
static int compare_ranks(const void *a, const void *b)
{
	const struct ct_process_info *x = (*(const struct ct_process_totals *const *)a)->info;
	const struct ct_process_info *y = (*(const struct ct_process_totals *const *)b)->info;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static const struct ct_process_totals **sort(const struct ct_processes *processes)
{
	const struct ct_process_totals **list = malloc(processes->count * sizeof(*list));

	if (!list)
		return NULL;
	for (size_t i = 0; i < processes->count; i++)
		list[i] = &processes->list[i];
	qsort(list, processes->count, sizeof(*list), compare_ranks);
	return list;
}

static const char *lost_text(const struct ct_process_totals *process, char *buffer, size_t bytes)
{
	char number[CT_NUMBER_BYTES];

	snprintf(buffer, bytes, "%s%s", ct_number(process->lost_chunks, number),
		 process->lost_unknown ? " or more" : "");
	return buffer;
}

static void add_process(struct ct_table *table, const struct ct_process_totals *process)
{
	char buffer[64];

	snprintf(buffer, sizeof(buffer), "%u", process->info->part);
	ct_table_text(table, buffer);
	ct_table_text(table, rank_text(process->info, buffer, sizeof(buffer)));
	ct_table_text(table, process->host);
	snprintf(buffer, sizeof(buffer), "%llu", (unsigned long long)process->pid);
	ct_table_text(table, process->pid ? buffer : "");
	ct_table_number(table, process->launches);
	ct_table_number(table, process->traced);
	ct_table_text(table, lost_text(process, buffer, sizeof(buffer)));
	ct_table_text(table, ct_size(process->info->bytes, buffer));
	ct_table_text(table, process->complete ? "yes" : "no");
	ct_table_text(table, process->program);
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

int ct_info_write_processes(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"part", 1, 0, 0},     {"rank", 1, 0, 0},     {"host", 0, 0, 0}, {"process", 1, 0, 0},
	    {"launches", 1, 0, 0}, {"traced", 1, 0, 0},   {"lost", 1, 0, 0}, {"size", 1, 0, 0},
	    {"complete", 0, 0, 0}, {"command", 0, 12, 1},
	};
	const struct ct_processes *processes = &info->summary->processes;
	const struct ct_process_totals **sorted;
	struct ct_table *table;
	int err;

	write_stops(out, processes, style);
	if (processes->count < 2)
		return 0;
	sorted = sort(processes);
	if (!sorted)
		return -ENOMEM;
	err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));
	if (err < 0)
		goto free_sorted;
	for (size_t i = 0; i < processes->count; i++)
		add_process(table, sorted[i]);
	fputc('\n', out);
	err = ct_table_write(table, out, style);
	ct_table_close(table);
free_sorted:
	free(sorted);
	return err;
}
