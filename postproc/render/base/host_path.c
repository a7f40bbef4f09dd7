/* SPDX-License-Identifier: Apache-2.0 */
/* From where the host launched, in words. */
#include "postproc/render/base/host_path.h"
#include "base/array.h"
#include "base/map.h"
#include "postproc/tables/sections.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_host_path_row *ct_host_path_rows_add(struct ct_host_path_rows *rows,
					       const struct ct_launch_info *launch)
{
	/* Strings of a trace are each there once for a part, and display names for a unit. */
	uint32_t path = ct_host_paths_of(rows->paths, launch);
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

struct row_launch_paths {
	uint64_t number;
	const struct ct_host_path_rows *list;
	const struct ct_host_path_row *of;
};

struct row_host_paths {
	uint32_t path;
	const char *text;
};

struct row_host_path_frames {
	uint64_t position;
	const struct ct_code_frame *frame;
};

#define CT_DESCRIBED "postproc/render/base/host_path.def"
#include "postproc/tables/described.h"

static int rows_launch_paths(const void *from, struct ct_table_sink *sink)
{
	const struct ct_host_path_rows *list = from;
	int err = 0;

	for (size_t i = 0; i < list->count && err == 0; i++)
		err = ct_table_put_row(sink, &(struct row_launch_paths){i, list, &list->row[i]});
	return err;
}

static int put_path(struct ct_table_sink *sink, const struct ct_host_paths *paths, uint32_t path)
{
	const struct ct_code_frame *const *frame;
	size_t count = ct_host_paths_frames(paths, path, &frame);
	char *text = ct_host_path_text(paths, path);
	int err = text ? ct_table_put_row(sink, &(struct row_host_paths){path, text}) : -ENOMEM;

	for (size_t i = 0; i < count && err == 0; i++)
		err = ct_table_put_child(sink, 0, &(struct row_host_path_frames){i, frame[i]});
	free(text);
	return err;
}

static int rows_host_paths(const void *from, struct ct_table_sink *sink)
{
	const struct ct_host_paths *paths = ((const struct ct_host_path_rows *)from)->paths;
	int err = 0;

	for (uint32_t path = 1; path <= ct_host_paths_count(paths) && err == 0; path++)
		err = put_path(sink, paths, path);
	return err;
}

#define rows_host_path_frames NULL
static const struct ct_table_def frames = {CT_TABLE_PARTS(host_path_frames, NULL)};
static const struct ct_table_child of_path[] = {{"frames", &frames}, {NULL, NULL}};

const struct ct_table_def ct_launch_paths_table = {CT_TABLE_SHOWN(launch_paths, NULL)};
const struct ct_table_def ct_host_paths_table = {CT_TABLE_PARTS(host_paths, NULL),
						 .child = of_path};

static bool has_path(const struct ct_host_path_rows *rows, uint32_t path)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].path == path)
			return true;
	return false;
}

int ct_host_path_rows_write(FILE *out, const struct ct_host_path_rows *rows,
			    const struct ct_style *style)
{
	uint32_t count = (uint32_t)ct_host_paths_count(rows->paths);
	int err = count ? ct_table_show(out, &ct_launch_paths_table, rows, SIZE_MAX, style) : 0;

	for (uint32_t path = 1; path <= count && err == 0; path++) {
		if (!has_path(rows, path))
			continue;
		fprintf(out, "path %u: host ", path);
		ct_host_path_write(out, rows->paths, path);
		fputs(" > launch\n", out);
	}
	return err;
}
