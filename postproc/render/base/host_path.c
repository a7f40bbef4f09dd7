/* SPDX-License-Identifier: Apache-2.0 */
/* From where the host launched, in words. */
#include "postproc/render/base/host_path.h"
#include "base/array.h"
#include "base/map.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/base/json.h"
#include "postproc/render/base/number.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 8

json_t *ct_host_path_json(const struct ct_host_paths *paths, uint32_t path)
{
	const struct ct_code_frame *const *frame;
	size_t count = ct_host_paths_frames(paths, path, &frame);
	json_t *array = count ? json_array() : json_null();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_pack("{s:o,s:o,s:I,s:o,s:b}", "function",
						       ct_json_text(frame[i]->function), "file",
						       ct_json_text(frame[i]->file), "line",
						       (json_int_t)frame[i]->line, "module",
						       ct_json_text(frame[i]->module), "inlined",
						       frame[i]->is_inlined));
	return array;
}

json_t *ct_host_paths_json(const struct ct_host_paths *paths)
{
	json_t *array = json_array();

	for (uint32_t path = 1; path <= ct_host_paths_count(paths); path++)
		json_array_append_new(array, json_pack("{s:I,s:o}", "path", (json_int_t)path,
						       "frames", ct_host_path_json(paths, path)));
	return array;
}

json_t *ct_host_path_number(const struct ct_host_paths *paths, const struct ct_launch_info *launch)
{
	uint32_t path = ct_host_paths_of(paths, launch);

	return path ? json_integer(path) : json_null();
}

struct ct_host_path_row *ct_host_path_rows_add(struct ct_host_path_rows *rows,
					       const struct ct_host_paths *paths,
					       const struct ct_launch_info *launch)
{
	/* Strings of a trace are each there once for a part, and display names for a unit. */
	uint32_t path = ct_host_paths_of(paths, launch);
	union ct_map_value *known =
	    ct_map_put(&rows->known, (uint64_t)(uintptr_t)launch->kernel, path);
	struct ct_host_path_row *row;

	if (!known)
		return NULL;
	for (size_t i = 0; i < rows->count && !known->number; i++)
		if (rows->row[i].path == path && !strcmp(rows->row[i].kernel, launch->kernel))
			known->number = i + 1;
	if (!known->number) {
		if (ct_array_reserve(&rows->row, &rows->room, rows->count + 1, sizeof(*rows->row)) <
		    0)
			return NULL;
		rows->row[rows->count] = (struct ct_host_path_row){
		    .kernel = launch->kernel, .symbol = launch->kernel_name, .path = path};
		known->number = ++rows->count;
	}
	row = &rows->row[known->number - 1];
	row->launches++;
	return row;
}

void ct_host_path_rows_fini(struct ct_host_path_rows *rows)
{
	ct_map_fini(&rows->known);
	free(rows->row);
	*rows = (struct ct_host_path_rows){0};
}

static void put_row(struct ct_table *table, const struct ct_host_path_row *row, bool with_volumes)
{
	char text[CT_NUMBER_BYTES], name[CT_BRIEF_NAME_BYTES];

	ct_table_text(table, row->path ? ct_number(row->path, text) : "-");
	ct_table_name(table, ct_source_name_brief(row->kernel, name));
	ct_table_number(table, row->launches);
	if (!with_volumes)
		return;
	ct_table_text(table, ct_size(row->load_bytes, text));
	ct_table_text(table, ct_size(row->communicated_load_bytes, text));
	ct_table_text(table, ct_size(row->store_bytes, text));
	ct_table_text(table, ct_size(row->communicated_store_bytes, text));
}

static bool has_path(const struct ct_host_path_rows *rows, uint32_t path)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].path == path)
			return true;
	return false;
}

int ct_host_path_rows_write(FILE *out, const struct ct_host_path_rows *rows,
			    const struct ct_host_paths *paths, bool with_volumes,
			    const struct ct_style *style)
{
	static const struct ct_column columns[COLUMNS_MAX] = {
	    {"path", 1, 0, 0},         {"kernel", 0, 12, 0},      {"launches", 1, 0, 0},
	    {"loaded", 1, 0, 0},       {"communicated", 1, 0, 0}, {"stored", 1, 0, 0},
	    {"communicated", 1, 0, 0},
	};
	struct ct_table *table;
	int err;

	if (!ct_host_paths_count(paths))
		return 0;
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, "Launched from");
	fputc('\n', out);
	err = ct_table_open(&table, columns, with_volumes ? 7 : 3);
	for (size_t i = 0; i < rows->count && err == 0; i++)
		put_row(table, &rows->row[i], with_volumes);
	if (err == 0)
		err = ct_table_write(table, out, style);
	ct_table_close(table);
	for (uint32_t path = 1; path <= ct_host_paths_count(paths) && err == 0; path++) {
		if (!has_path(rows, path))
			continue;
		fprintf(out, "path %u: host ", path);
		ct_host_path_write(out, paths, path);
		fputs(" > launch\n", out);
	}
	return err;
}
