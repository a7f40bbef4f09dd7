/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a side, without what their lines have. */
#ifndef CT_POSTPROC_COMPARISON_KERNELS_H
#define CT_POSTPROC_COMPARISON_KERNELS_H

#include "postproc/comparison/side.h"

/* 0 or -ENOMEM */
int ct_side_add_kernels(struct ct_side *side);

#endif
