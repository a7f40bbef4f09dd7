/* SPDX-License-Identifier: Apache-2.0 */
/* All tables, and the way of their rows to a format. */
#include "postproc/render/export/tables.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
/* Those that others refer to come first. */
#define CT_TABLES(T)                                                                               \
	T(meta) T(schema) T(processes) T(devices) T(units) T(kernels) T(launches) T(launch_counts)              \
	T(transfers_host) T(objects) T(sites) T(site_counts) T(coverage)                            \
	T(threads) T(stacks) T(frames) T(calls) T(activities) T(waits) T(uses) T(cta_times) T(looks) T(samples) T(losses) T(warnings)                \
	T(supersteps) T(totals) T(kernel_volumes) T(cta_volumes) T(sm_volumes) T(transfers)        \
	T(transfer_sizes) T(distances) T(strides) T(cta_figures) T(degrees) T(bisection)           \
	T(density) T(kernel_pairs) T(line_pairs) T(object_flows) T(accesses) T(object_heat) T(models) T(model_points) T(history)                           \
	T(value_lines) T(value_sets) T(value_tops) T(value_summaries) T(value_contexts) T(value_launches) \
	T(value_transfers) T(value_lifetimes) T(value_memory) T(value_flows)
/* clang-format on */

#define DECLARE(name) extern const struct ct_export_table ct_export_table_##name;
CT_TABLES(DECLARE)

#define LIST(name) &ct_export_table_##name,
const struct ct_export_table *const ct_export_tables[] = {CT_TABLES(LIST) NULL};

bool ct_cell_is_missing(const struct ct_export_column *column, const union ct_cell *cell)
{
	if (!(column->flags & CT_COLUMN_OPTIONAL))
		return false;
	switch (column->type) {
	case CT_COLUMN_REAL:
		return isnan(cell->real);
	case CT_COLUMN_TEXT:
		return !cell->text || !*cell->text;
	default:
		return cell->number == CT_MISSING;
	}
}

bool ct_export_sink_has(const struct ct_export_sink *sink, const char *table)
{
	for (size_t i = 0; sink->tables[i]; i++)
		if (!strcmp(sink->tables[i]->name, table))
			return true;
	return false;
}

/* Length of the UTF-8 character at text, 0 if it is none. */
static size_t character_bytes(const unsigned char *text)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t bytes = *text < 0x80       ? 1
		       : *text >> 5 == 6  ? 2
		       : *text >> 4 == 14 ? 3
		       : *text >> 3 == 30 ? 4
					  : 0;
	uint32_t code = bytes > 1 ? *text & (0x7fu >> bytes) : *text;

	for (size_t i = 1; i < bytes; i++) {
		if (text[i] >> 6 != 2)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	return code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
											   : bytes;
}

static bool is_utf8(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		size_t bytes = character_bytes(at);

		if (!bytes)
			return false;
		at += bytes;
	}
	return true;
}

/* A copy with '?' for each byte that is not of a character; to be freed. */
static char *as_utf8(const char *text)
{
	char *copy = strdup(text);

	for (char *c = copy; c && *c;) {
		size_t bytes = character_bytes((const unsigned char *)c);

		if (!bytes)
			*c = '?';
		c += bytes ? bytes : 1;
	}
	return copy;
}

int ct_export_sink_row(struct ct_export_sink *sink, const void *row)
{
	const struct ct_export_table *table = sink->table;
	union ct_cell cell[CT_EXPORT_COLUMNS_MAX];
	char *mended[CT_EXPORT_COLUMNS_MAX];
	size_t count = 0;
	int err = 0;

	table->fill(row, cell);
	for (size_t i = 0; i < table->columns && err == 0; i++) {
		if (table->column[i].type != CT_COLUMN_TEXT)
			continue;
		if (!cell[i].text)
			cell[i].text = "";
		if (is_utf8(cell[i].text))
			continue;
		mended[count] = as_utf8(cell[i].text);
		cell[i].text = mended[count];
		err = mended[count++] ? 0 : -ENOMEM;
	}
	if (err == 0)
		err = sink->format->row(sink, cell);
	while (count)
		free(mended[--count]);
	sink->rows += err == 0;
	return err;
}

static int write_table(struct ct_export *export, struct ct_export_sink *sink,
		       const struct ct_export_table *table)
{
	int err;

	sink->table = table;
	sink->rows = 0;
	err = sink->format->begin_table(sink);
	if (err == 0)
		err = table->rows(export, sink);
	if (err == 0)
		err = sink->format->end_table(sink);
	return err;
}

int ct_export_write(struct ct_export *export, struct ct_export_sink *sink)
{
	int err;

	sink->state = NULL;
	sink->why[0] = '\0';
	err = sink->format->begin(sink);
	for (size_t i = 0; sink->tables[i] && err == 0; i++)
		err = write_table(export, sink, sink->tables[i]);
	if (err == 0)
		err = sink->format->end(sink);
	sink->format->close(sink);
	if (err < 0 && !sink->why[0])
		snprintf(sink->why, sizeof(sink->why), "%s", ct_strerror(err));
	return err;
}
