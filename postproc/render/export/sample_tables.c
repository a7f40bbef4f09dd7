/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of sampled program counters. */
#include "postproc/render/export/tables.h"
#include "postproc/sass/resolve.h"
#include "postproc/sass/weigh.h"
#include <stdio.h>

struct row_looks {
	uint64_t part, number, time_ns;
	const struct ct_row_look *row;
	const char *mode;
};

struct row_samples {
	uint64_t part, number, line, column;
	bool is_latency;
	const struct ct_row_sample *row;
	const char *function, *file, *subprogram;
	char reason[64], inlined_at[512];
};

#define CT_DESCRIBED "postproc/render/export/sample_tables.def"
#include "postproc/tables/described.h"

static int looks_of(const struct ct_export *export, struct ct_table_sink *sink, uint32_t part)
{
	const struct ct_row_look *rows;
	size_t count;
	int err = ct_trace_rows(export->trace, part, CT_TABLE_LOOK, (const void **)&rows, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_looks row = {
		    .part = part,
		    .number = i + 1,
		    .time_ns = rows[i].time_ns > export->facts.start_ns
				   ? rows[i].time_ns - export->facts.start_ns
				   : 0,
		    .row = &rows[i],
		    .mode = rows[i].mode == CT_LOOK_CONCURRENT ? "concurrent" : "serial",
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* Others than stalls as they are. */
static void name_reason(struct row_samples *row, const char *reason)
{
	const char *name;
	size_t bytes;
	bool is_latency;

	ct_stall_reason(reason, &name, &bytes, &is_latency);
	row->is_latency = is_latency;
	snprintf(row->reason, sizeof(row->reason), "%.*s", (int)bytes, name);
}

static int locate(struct row_samples *row, struct ct_code *code, const char *function)
{
	const struct ct_weight_place *places, *place;
	struct ct_instruction instruction;
	int err = ct_code_find(code, row->row->cubin, function, row->row->pc, &instruction);
	size_t count = ct_code_places(code, &places);

	row->line = row->column = CT_MISSING;
	if (err < 0)
		return err;
	row->function = instruction.symbol;
	if (instruction.place >= count)
		return 0;
	place = &places[instruction.place];
	row->file = place->file;
	row->line = place->line ? place->line : CT_MISSING;
	row->column = place->column ? place->column : CT_MISSING;
	row->subprogram = place->function;
	if (place->inlined_at < count)
		snprintf(row->inlined_at, sizeof(row->inlined_at), "%.480s:%u",
			 places[place->inlined_at].file, places[place->inlined_at].line);
	return 0;
}

static int samples_of(const struct ct_export *export, struct ct_table_sink *sink, uint32_t part,
		      struct ct_code *code)
{
	const struct ct_row_sample *rows;
	size_t count;
	int err = ct_trace_rows(export->trace, part, CT_TABLE_SAMPLE, (const void **)&rows, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		struct row_samples row = {.part = part, .number = i + 1, .row = &rows[i]};

		name_reason(&row, ct_trace_string(export->trace, part, rows[i].reason));
		err = locate(&row, code, ct_trace_string(export->trace, part, rows[i].function));
		if (err == 0)
			err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_looks(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(export->trace, &processes);
	int err = 0;

	for (size_t i = 0; i < parts && err == 0; i++)
		err = looks_of(export, sink, processes[i].part);
	return err;
}

static int rows_samples(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(export->trace, &processes);
	struct ct_code *code;
	int err = ct_code_open(&code, export->trace);

	for (size_t i = 0; i < parts && err == 0; i++)
		err = samples_of(export, sink, processes[i].part, code);
	ct_code_close(code);
	return err;
}

/* A row each, and no more. */
static uint64_t count_samples(const struct ct_export *export)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(export->trace, &processes), count;
	const void *rows;
	uint64_t all = 0;

	for (size_t i = 0; i < parts; i++)
		if (ct_trace_rows(export->trace, processes[i].part, CT_TABLE_SAMPLE, &rows,
				  &count) == 0)
			all += count;
	return all;
}

static const struct ct_table_link of_looks[] = {{"part, launch", NULL, NULL}, {0}};
static const struct ct_table_link of_samples[] = {{"part, look", "looks", "part, look"}, {0}};

CT_TABLE_OF(looks, 0, of_looks, NULL);
CT_TABLE_OF(samples, CT_IS_LARGE, of_samples, count_samples);
