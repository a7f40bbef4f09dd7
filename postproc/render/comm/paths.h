/* SPDX-License-Identifier: Apache-2.0 */
/* From which host paths kernels were launched that write what others read, and read it. */
#ifndef CT_RENDER_COMM_PATHS_H
#define CT_RENDER_COMM_PATHS_H

#include "postproc/render/base/host_path.h"
#include "postproc/render/comm/comm.h"

/* Volumes by kernel and host path, and the paths of the lines that are shown; rows 0: of all lines.
 * 0 or a negative error. */
int ct_comm_write_paths(FILE *out, const struct ct_comm_output *output,
			const struct ct_style *style, size_t rows);

/* What each kernel exchanged, by the path that it was launched from. 0 or -ENOMEM; to be freed in
 * either case. */
int ct_comm_path_rows(struct ct_host_path_rows *rows, const struct ct_comm_output *output);

/* Numbers of the paths from which the kernel that holds a site was launched; none of a site in a
 * device function. */
json_t *ct_comm_site_paths(const struct ct_host_path_rows *rows, const struct ct_unit *unit,
			   uint32_t site);

#endif
