/* SPDX-License-Identifier: Apache-2.0 */
/* Line pairs by place: instructions of one place, as of an unrolled loop, are one. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FINDINGS_LINES_H
#define CT_POSTPROC_ANALYSIS_COMM_FINDINGS_LINES_H

#include "postproc/analysis/comm/comm.h"

/* By bytes, falling; free *out. 0 or -ENOMEM */
int ct_comm_merge_lines(const struct ct_comm_figures *figures, struct ct_comm_line_pair **out,
			size_t *count);

#endif
