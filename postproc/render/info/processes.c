/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a trace in ctpost info. */
#include "postproc/render/base/json.h"
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

static json_t *number_or_null(uint64_t number, int known)
{
	return known ? ct_json_number(number) : json_null();
}

static json_t *process_json(const struct ct_process_totals *process)
{
	const struct ct_process_info *info = process->info;
	json_t *value = json_object(), *manifest = json_loads(info->manifest, 0, NULL);

	json_object_set_new(value, "part", json_integer(info->part));
	json_object_set_new(value, "rank", number_or_null(info->rank, info->rank != CT_NO_RANK));
	json_object_set_new(value, "ranks", number_or_null(info->ranks, info->ranks != 0));
	json_object_set_new(value, "host", ct_json_text(process->host));
	json_object_set_new(value, "pid", number_or_null(process->pid, process->pid != 0));
	json_object_set_new(value, "parent", number_or_null(process->parent, process->parent != 0));
	json_object_set_new(value, "command", ct_json_text(process->program));
	json_object_set_new(value, "launches", ct_json_number(process->launches));
	json_object_set_new(value, "traced", ct_json_number(process->traced));
	json_object_set_new(value, "unfinished_launches", ct_json_number(process->unfinished));
	json_object_set_new(value, "lost_chunks",
			    number_or_null(process->lost_chunks, !process->lost_unknown));
	json_object_set_new(value, "size_bytes", ct_json_number(info->bytes));
	json_object_set_new(value, "complete", json_boolean(process->complete));
	json_object_set_new(value, "manifest",
			    json_is_object(manifest) ? json_incref(manifest) : json_object());
	json_decref(manifest);
	return value;
}

json_t *ct_info_processes_json(const struct ct_info *info)
{
	const struct ct_processes *processes = &info->summary->processes;
	json_t *array = json_array();

	for (size_t i = 0; i < processes->count; i++)
		json_array_append_new(array, process_json(&processes->list[i]));
	return array;
}
