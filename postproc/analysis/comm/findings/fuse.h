/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the launches of two kernels can be one. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FINDINGS_FUSE_H
#define CT_POSTPROC_ANALYSIS_COMM_FINDINGS_FUSE_H

#include "postproc/analysis/comm/base/figures.h"

/* Every launch of the reading kernel comes right behind one of the writing kernel, without a copy,
 * memset or other launch between them, with the same shape in the same stream; CTAs read of the
 * latter only what the CTA of their id wrote, and write nothing that others of it accessed. False
 * if that is not known, as of launches that are not recorded as a whole. */
bool ct_comm_can_fuse(const struct ct_comm_figures *figures,
		      const struct ct_comm_kernel_pair *pair);

#endif
