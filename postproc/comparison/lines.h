/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a side, and what its kernels have of each figure. */
#ifndef CT_POSTPROC_COMPARISON_LINES_H
#define CT_POSTPROC_COMPARISON_LINES_H

#include "postproc/comparison/side.h"

/* Adds the lines of kernels that are known. 0 or -ENOMEM */
int ct_side_add_lines(struct ct_side *side);

#endif
