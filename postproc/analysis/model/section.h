/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of the report on what bounds kernels. */
#ifndef CT_MODEL_SECTION_H
#define CT_MODEL_SECTION_H

#include "postproc/analysis/model/kernel.h"
#include "postproc/facts/section.h"

#define CT_MODEL_SECTION "model"

/* Kernels with the most time first. */
void ct_model_show(struct ct_sections *sections, const struct ct_model_kernel *kernel,
		   size_t kernels);

#endif
