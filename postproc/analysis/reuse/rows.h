/* SPDX-License-Identifier: Apache-2.0 */
/* Curves of kernels and groups of objects while they are counted. */
#ifndef CT_POSTPROC_ANALYSIS_REUSE_ROWS_H
#define CT_POSTPROC_ANALYSIS_REUSE_ROWS_H

#include "postproc/analysis/reuse/analysis.h"
#include "postproc/analysis/reuse/stack.h"

#include "base/map.h"

struct ct_reuse_rows {
	struct ct_reuse_row *row;
	size_t count;
	struct ct_map number; /* from 1; key: kernel, group */
	uint32_t last;        /* number of the row found last; 0: none */
};

/* NULL: no memory. Valid until the next one. */
struct ct_reuse_row *ct_reuse_rows_find(struct ct_reuse_rows *rows, uint32_t kernel,
					uint32_t group);
void ct_reuse_rows_fini(struct ct_reuse_rows *rows);

/* An access of a line that is sampled, in a launch, of a row and of its kernel. */
void ct_reuse_count(struct ct_reuse_row *row, struct ct_reuse_kernel *kernel, uint32_t size,
		    uint32_t launch, const struct ct_reuse_touch *touch);

/* Sums of all kernels' rows, which are sorted and brought to as many accesses as there were. */
void ct_reuse_rows_finish(struct ct_reuse_rows *rows, struct ct_reuse_results *results);

#endif
