/* SPDX-License-Identifier: Apache-2.0 */
/* From where the host launched, in words: the host's frames before the device's. */
#ifndef CT_POSTPROC_RENDER_BASE_HOST_PATH_H
#define CT_POSTPROC_RENDER_BASE_HOST_PATH_H

#include "base/map.h"
#include "postproc/symbols/path_text.h"
#include "postproc/tables/layout.h"
#include "postproc/tables/table.h"
#include <stdio.h>

/* A row is of what has been launched from a path. */
struct ct_host_path_row {
	const char *kernel, *symbol;
	uint32_t path;
	uint64_t launches;
	uint64_t load_bytes, store_bytes; /* for who says so */
	uint64_t communicated_load_bytes, communicated_store_bytes;
};

/* Rows by kernel (as it is named) and path, in the order in which they were first added. */
struct ct_host_path_rows {
	struct ct_host_path_row *row;
	size_t count, room;
	struct ct_map known;
	const struct ct_host_paths *paths;
	bool has_volumes;
};

/* The rows of these are made from struct ct_host_path_rows. */
extern const struct ct_table_def ct_launch_paths_table, ct_host_paths_table;

/* The row of a launch, with it counted; rows->paths is known. NULL: memory is short. */
struct ct_host_path_row *ct_host_path_rows_add(struct ct_host_path_rows *rows,
					       const struct ct_launch_info *launch);
void ct_host_path_rows_fini(struct ct_host_path_rows *rows);

/* A heading, the rows and a line for each path; nothing if the trace has no stacks. 0 or a negative
 * error. */
int ct_host_path_rows_write(FILE *out, const struct ct_host_path_rows *rows,
			    const struct ct_style *style);

#endif
