/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels whose blocks have a number of threads that is no multiple of 32: the last warp of each
 * block, or its only one, has lanes that no thread is in. It needs launches alone, no records.
 */
#ifndef CT_POSTPROC_ANALYSIS_CTAS_PART_WARPS_H
#define CT_POSTPROC_ANALYSIS_CTAS_PART_WARPS_H

#include "postproc/analysis/finder.h"

/* The files that findings name. Zero-initialise; they outlive the findings. */
struct ct_part_warps {
	char **file;
	size_t files;
};

/* Adds a finding for each such kernel. 0 or a negative error; ct_part_warps_fini in either case. */
int ct_part_warps_find(struct ct_part_warps *found, struct ct_findings *findings,
		       const struct ct_inquiry *inquiry);
void ct_part_warps_fini(struct ct_part_warps *found);

#endif
