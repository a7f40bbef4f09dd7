/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump of what is no access. */
#include "postproc/cmd/base/dump_host.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/formats/dump/host_events.h"
#include "postproc/formats/dump/rows.h"
#include "trace/codec/table.h"
#include <string.h>

/* --format and --limit go with them, what selects accesses does not, nor one with the other. */
static int check_options(struct ctpost_call *call, const char *this)
{
	const char *const fitting[] = {"format", "limit", this};
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;

	while ((option = ctpost_next_option(call->command, &place))) {
		bool fits = option->stands_for || !ctpost_value(call, option->name);

		for (size_t i = 0; i < sizeof(fitting) / sizeof(*fitting); i++)
			fits |= !strcmp(option->name, fitting[i]);
		if (!fits)
			return ctpost_fail(call, CTPOST_USAGE,
					   "dump: --%s is about accesses, and --%s shows none",
					   ctpost_spelling(call, option->name), this);
	}
	return CTPOST_OK;
}

static enum ct_rows_form form_of(const struct ctpost_call *call)
{
	const char *format = ctpost_value(call, "format");

	if (format && !strcmp(format, "csv"))
		return CT_ROWS_CSV;
	return format && !strcmp(format, "jsonl") ? CT_ROWS_JSON : CT_ROWS_TEXT;
}

/* Tables by number, from a list of their names. */
static int read_tables(struct ctpost_call *call, bool wanted[CT_TABLES])
{
	const char *rest = ctpost_value(call, "tables");
	unsigned count = 0;

	for (size_t length; *rest; rest += length + (rest[length] == ',')) {
		bool is_known = false;

		length = strcspn(rest, ",");
		for (uint32_t table = 1; table < CT_TABLES; table++) {
			const char *name = ct_table_layout(table)->name;

			if (strlen(name) != length || strncmp(name, rest, length) != 0)
				continue;
			count += !wanted[table];
			wanted[table] = is_known = true;
		}
		if (!is_known)
			return ctpost_wrong(call, "tables",
					    "names of tables: call, activity, stack, content, cta, "
					    "wait, use, frame, "
					    "source, source_line");
	}
	if (!count)
		return ctpost_wrong(
		    call, "tables",
		    "names of tables: call, activity, stack, content, cta, wait, use, frame, "
		    "source, source_line");
	if (count > 1 && form_of(call) == CT_ROWS_CSV)
		return ctpost_fail(call, CTPOST_USAGE,
				   "dump: tables have different columns: CSV is of one of them");
	return CTPOST_OK;
}

static int check(struct ctpost_call *call, bool wanted[CT_TABLES])
{
	bool tables = ctpost_value(call, "tables") != NULL;
	int status = check_options(call, tables ? "tables" : "host-events");

	if (status == CTPOST_OK && tables)
		return read_tables(call, wanted);
	if (status == CTPOST_OK && form_of(call) == CT_ROWS_CSV)
		return ctpost_fail(call, CTPOST_USAGE,
				   "dump: --host-events have different fields, and so no CSV: text "
				   "or jsonl");
	return status;
}

int ctpost_dump_host(struct ctpost_call *call, uint64_t limit)
{
	bool wanted[CT_TABLES] = {false}, tables = ctpost_value(call, "tables") != NULL;
	struct ct_trace *trace;
	int status = check(call, wanted), err = 0;

	if (status != CTPOST_OK)
		return status;
	trace = ctpost_open_trace(call, call->operand[0]);
	if (!trace)
		return CTPOST_FAILED;
	if (!tables)
		ctpost_warn_unread(trace);
	for (uint32_t table = 1; table < CT_TABLES && err == 0; table++)
		if (wanted[table])
			err = ct_dump_rows(trace, stdout, table, form_of(call), &limit);
	if (tables)
		ctpost_warn_unread(trace);
	else
		err = ct_dump_host_events(trace, stdout, form_of(call) == CT_ROWS_JSON, limit);
	ct_trace_close(trace);
	return err < 0 ? CTPOST_FAILED : CTPOST_OK;
}
