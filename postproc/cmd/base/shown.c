/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a command for programs. */
#include "postproc/cmd/base/shown.h"
#include "base/error.h"
#include "postproc/tables/output.h"
#include "postproc/tables/sections.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ctpost_read_format(struct ctpost_call *call, const struct ct_table_format **format)
{
	const char *name = ctpost_value(call, "format"), *output = ctpost_value(call, "output");
	const char *command = call->command->name;

	*format = NULL;
	if (ctpost_value(call, "json") && name && strcmp(name, "json") != 0)
		return ctpost_fail(call, CTPOST_USAGE, "%s: --json is not --format=%s", command,
				   name);
	if (ctpost_value(call, "json"))
		name = "json";
	if (name)
		*format = ct_table_format_of(name);
	if (!*format && output)
		return ctpost_fail(call, CTPOST_USAGE, "%s: text goes to standard output", command);
	if (*format && *format != &ct_format_json && !output)
		return ctpost_fail(call, CTPOST_USAGE, "%s: the output is missing: -o %s", command,
				   (*format)->is_directory ? "DIR" : "FILE");
	return CTPOST_OK;
}

static int write_all(struct ct_table_sink *sink, const struct ctpost_shown *shown)
{
	int err = ct_table_sink_begin(sink);

	for (; shown->table && err == 0; shown++)
		err = ct_table_write_rows(sink, shown->table, shown->from);
	if (err == 0)
		err = ct_table_sink_end(sink);
	return ct_table_sink_close(sink, err);
}

static int write_file(struct ctpost_call *call, struct ct_table_sink *sink,
		      const struct ctpost_shown *shown, const char *path)
{
	bool is_json = sink->format == &ct_format_json;
	int err = ct_output_open(&sink->output, path, sink->format->is_directory, call->why,
				 sizeof(call->why));

	if (err < 0)
		return CTPOST_FAILED;
	sink->out = is_json ? ct_output_file(sink->output, NULL) : NULL;
	err = is_json && !sink->out ? -errno : write_all(sink, shown);
	if (sink->out && fclose(sink->out) != 0 && err == 0)
		err = -errno;
	if (err < 0)
		ct_output_discard(sink->output);
	else
		err = ct_output_commit(sink->output);
	return err < 0 ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", path,
				     *sink->why ? sink->why : ct_strerror(err))
		       : CTPOST_OK;
}

/* The tables alone, ended by NULL; to be freed. NULL: memory is short. */
static const struct ct_table_def **tables_of(const struct ctpost_shown *shown)
{
	const struct ct_table_def **tables;
	size_t count = 0;

	while (shown[count].table)
		count++;
	tables = calloc(count + 1, sizeof(*tables));
	for (size_t i = 0; tables && i < count; i++)
		tables[i] = shown[i].table;
	return tables;
}

static int write_stdout(struct ctpost_call *call, struct ct_table_sink *sink,
			const struct ctpost_shown *shown)
{
	int err = write_all(sink, shown);

	if (err == 0 && fflush(stdout) != 0)
		err = -errno;
	return err < 0 ? ctpost_fail(call, CTPOST_FAILED, "%s",
				     *sink->why ? sink->why : ct_strerror(err))
		       : CTPOST_OK;
}

int ctpost_write_shown(struct ctpost_call *call, const struct ct_table_format *format,
		       const struct ct_trace *trace, const struct ctpost_shown *shown)
{
	const struct ct_table_def **tables = tables_of(shown);
	const char *path = ctpost_value(call, "output");
	char schema[64];
	const char *const head[] = {"schema", schema, "trace", call->operand[0], NULL};
	struct ct_table_sink sink = {
	    .format = format, .tables = tables, .head = head, .out = stdout};
	int status;

	if (!tables)
		return ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	snprintf(schema, sizeof(schema), "cudatrace-%s-%d", call->command->name, CT_TABLES_SCHEMA);
	if (trace)
		ct_trace_units(trace, &sink.unit);
	status = path ? write_file(call, &sink, shown, path) : write_stdout(call, &sink, shown);
	free(tables);
	return status;
}

int ctpost_show_tables(struct ctpost_call *call, const struct ctpost_shown *shown, size_t rows,
		       const struct ct_style *style)
{
	int err = 0;

	for (; shown->table && err == 0; shown++)
		if (shown->table->title && shown->from)
			err = ct_table_show(stdout, shown->table, shown->from, rows, style);
	return err < 0
		   ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0], ct_strerror(err))
		   : CTPOST_OK;
}
