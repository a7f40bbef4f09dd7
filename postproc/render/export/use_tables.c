/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of waits and uses. */
#include "postproc/render/export/tables.h"
#include <string.h>

struct row_waits {
	uint64_t part, time_ns;
	const struct ct_row_wait *row;
	const char *means;
};

struct row_uses {
	uint64_t part, number, time_ns, offset, stack;
	const struct ct_row_use *row;
	const char *origin, *kind, *means, *reason;
};

#define CT_DESCRIBED "postproc/render/export/use_tables.def"
#include "postproc/tables/described.h"

#define NAME(values, number) name_of(values, sizeof(values) / sizeof(values[0]), number)
static const char *const origins[] = {"none", "to host", "from host", "pinned", "managed"};
static const char *const kinds[] = {"none",    "load",   "store", "atomic",   "free",   "copy",
				    "library", "system", "again", "replaced", "unknown"};
static const char *const means[] = {"none", "host", "pages", "calls"};

static const char *name_of(const char *const *names, size_t count, uint32_t number)
{
	return number < count ? names[number] : "?";
}

static uint64_t since_start(const struct ct_export *export, uint64_t time_ns)
{
	return time_ns > export->facts.start_ns ? time_ns - export->facts.start_ns : 0;
}

static int each_part(const struct ct_export *export, struct ct_table_sink *sink,
		     int (*write)(const struct ct_export *export, struct ct_table_sink *sink,
				  uint32_t part))
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(export->trace, &processes);
	int err = 0;

	for (size_t i = 0; i < parts && err == 0; i++)
		err = write(export, sink, processes[i].part);
	return err;
}

static int waits_of(const struct ct_export *export, struct ct_table_sink *sink, uint32_t part)
{
	const struct ct_row_wait *rows;
	size_t count;
	int err = ct_trace_rows(export->trace, part, CT_TABLE_WAIT, (const void **)&rows, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_waits row = {part, since_start(export, rows[i].end_ns), &rows[i],
					      NAME(means, rows[i].means)};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* An access may begin before the memory. */
static uint64_t offset_of(const struct ct_row_use *row)
{
	if (!row->at)
		return CT_MISSING;
	return row->at > row->address ? row->at - row->address : 0;
}

static int uses_of(const struct ct_export *export, struct ct_table_sink *sink, uint32_t part)
{
	const struct ct_row_use *rows;
	size_t count, nodes;
	const uint32_t *node = ct_stacks_part(&export->stacks, part, &nodes);
	int err = ct_trace_rows(export->trace, part, CT_TABLE_USE, (const void **)&rows, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_uses row = {
		    .part = part,
		    .number = i + 1,
		    .time_ns = since_start(export, rows[i].time_ns),
		    .offset = offset_of(&rows[i]),
		    .stack = node && rows[i].stack <= nodes ? node[rows[i].stack] : 0,
		    .row = &rows[i],
		    .origin = NAME(origins, rows[i].origin),
		    .kind = NAME(kinds, rows[i].kind),
		    .means = NAME(means, rows[i].means),
		    .reason = ct_trace_string(export->trace, part, rows[i].reason),
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_waits(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	return each_part(export, sink, waits_of);
}

static int rows_uses(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	return each_part(export, sink, uses_of);
}

static const struct ct_table_link of_waits[] = {{"part, call", NULL, NULL}, {0}};
static const struct ct_table_link of_uses[] = {
    {"stack", "stacks", "stack"}, {"part, wait", NULL, NULL}, {0}};

CT_TABLE_OF(waits, 0, of_waits, NULL);
CT_TABLE_OF(uses, CT_NEEDS_STACKS, of_uses, NULL);
