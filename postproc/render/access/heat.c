/* SPDX-License-Identifier: Apache-2.0 */
/* The heat map for a terminal and as JSON: a character for each 64th of an object, and each line's
 * part of all sectors as a bar. */
#include "postproc/facts/place.h"
#include "postproc/render/access/beside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 256u
#define BAR 40u

/* The lines of global memory together, by kernels' and objects' rows. */
struct line {
	const struct ct_unit *unit;
	uint32_t site;
	struct ct_place place;
	uint64_t sectors;
};

static int compare_places(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	int by_file = strcmp(a->place.file, b->place.file);

	if (by_file)
		return by_file;
	return a->place.line < b->place.line ? -1 : a->place.line > b->place.line;
}

static int compare_sectors(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->sectors != b->sectors)
		return a->sectors > b->sectors ? -1 : 1;
	return compare_places(left, right);
}

/* By line, the most sectors first; *all: of all. The caller frees it; NULL: no memory. */
static struct line *lines_of(const struct ct_access_results *results, size_t *count, uint64_t *all)
{
	struct line *lines = malloc((results->rows + 1) * sizeof(*lines));
	size_t rows = 0, last = 0;

	*all = *count = 0;
	for (size_t i = 0; lines && i < results->rows; i++) {
		const struct ct_access_row *row = &results->row[i];

		if (!row->figures.sectors)
			continue;
		*all += row->figures.sectors;
		lines[rows++] = (struct line){row->unit, row->site,
					      ct_place_of(row->unit, &row->unit->sites[row->site]),
					      row->figures.sectors};
	}
	if (!rows)
		return lines;
	qsort(lines, rows, sizeof(*lines), compare_places);
	for (size_t i = 1; i < rows; i++)
		if (compare_places(&lines[last], &lines[i]))
			lines[++last] = lines[i];
		else
			lines[last].sectors += lines[i].sectors;
	*count = last + 1;
	qsort(lines, *count, sizeof(*lines), compare_sectors);
	return lines;
}

static int write_lines(FILE *out, const struct ct_access_output *output,
		       const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"line", 0, 12, 0},
	    {"of all sectors", 1, 0, 0},
	    {"", 0, 0, 0},
	};
	struct ct_table *table;
	uint64_t all;
	size_t count;
	struct line *lines = lines_of(output->results, &count, &all);
	int err = lines ? ct_table_begin(&table, out, "Heat of lines", columns,
					 sizeof(columns) / sizeof(*columns), style)
			: -ENOMEM;

	for (size_t i = 0; err == 0 && i < count && i < output->rows; i++) {
		double share = (double)lines[i].sectors / (double)all;
		char text[LINE_BYTES];

		snprintf(text, sizeof(text), "%s:%u",
			 strrchr(lines[i].place.file, '/') ? strrchr(lines[i].place.file, '/') + 1
							   : lines[i].place.file,
			 lines[i].place.line);
		ct_table_text(table, text);
		snprintf(text, sizeof(text), "%.1f %%", 100 * share);
		ct_table_text(table, text);
		snprintf(text, sizeof(text), "%.*s", (int)(share * BAR + 0.5),
			 "########################################");
		ct_table_text(table, text);
	}
	if (err == 0)
		err = ct_table_finish(table, out, style, count, output->rows);
	free(lines);
	return err;
}

static int write_objects(FILE *out, const struct ct_access_output *output,
			 const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"object", 0, 8, 1},
	    {"sectors by 64ths of it, from . to @", 0, 0, 0},
	};
	const struct ct_access_heat *heat = &output->results->heat;
	struct ct_table *table;
	size_t count = 0;
	int err = ct_table_begin(&table, out, "Heat of objects", columns,
				 sizeof(columns) / sizeof(*columns), style);

	for (uint32_t g = 0; err == 0 && g < heat->groups; g++) {
		char text[CT_ACCESS_HEAT_BINS + 3] = "|";

		if (!heat->sectors[g] || count++ >= output->rows)
			continue;
		ct_access_heat_text(heat->sectors[g], text + 1);
		text[CT_ACCESS_HEAT_BINS + 1] = '|';
		text[CT_ACCESS_HEAT_BINS + 2] = '\0';
		ct_table_text(table, ct_access_group_text(output->results, g));
		ct_table_text(table, text);
	}
	return err == 0 ? ct_table_finish(table, out, style, count, output->rows) : err;
}

int ct_access_write_heat(FILE *out, const struct ct_access_output *output,
			 const struct ct_style *style)
{
	int err = write_lines(out, output, style);

	return err == 0 ? write_objects(out, output, style) : err;
}

void ct_access_put_heat(struct ct_json *json, const struct ct_access_results *results)
{
	ct_json_open_array(json, "heat", CT_JSON_LINES);
	for (uint32_t g = 0; g < results->heat.groups; g++) {
		if (!results->heat.sectors[g])
			continue;
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "object", ct_access_group_text(results, g));
		ct_json_open_array(json, "sectors_by_64th", CT_JSON_INLINE);
		for (uint32_t b = 0; b < CT_ACCESS_HEAT_BINS; b++)
			ct_json_put_number(json, NULL, results->heat.sectors[g][b]);
		ct_json_close(json);
		ct_json_close(json);
	}
	ct_json_close(json);
}
