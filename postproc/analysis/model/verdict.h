/* SPDX-License-Identifier: Apache-2.0 */
/* Says what bounds a kernel, why that is said, and what changes would bring: the model again,
 * with one of its inputs as it would be. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_VERDICT_H
#define CT_POSTPROC_ANALYSIS_MODEL_VERDICT_H

#include "postproc/analysis/model/kernel.h"

/* Fills in bound, evidence and change of a kernel whose input, device and perf are there. */
void ct_model_verdict(struct ct_model_kernel *kernel, const struct ct_machine *machine);

#endif
