/* SPDX-License-Identifier: Apache-2.0 */
/* From which host paths kernels were launched that communicate. */
#include "postproc/render/comm/comm.h"
#include <errno.h>

int ct_comm_path_rows(struct ct_host_path_rows *rows, const struct ct_comm_shown *shown)
{
	const struct ct_comm_figures *figures = shown->figures;

	rows->paths = shown->paths;
	rows->has_volumes = true;
	for (size_t s = 0; s < figures->supersteps; s++) {
		const struct ct_comm_superstep *of = &figures->of_superstep[s];
		struct ct_host_path_row *row;

		if (!figures->superstep[s].launch || !of->passes)
			continue;
		row = ct_host_path_rows_add(rows, figures->superstep[s].launch);
		if (!row)
			return -ENOMEM;
		row->load_bytes += of->load_bytes;
		row->store_bytes += of->store_bytes;
		row->communicated_load_bytes += of->communicated_load_bytes;
		row->communicated_store_bytes += of->communicated_store_bytes;
	}
	return 0;
}
