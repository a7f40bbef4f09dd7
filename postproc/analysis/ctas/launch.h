/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of one launch from its CTAs. */
#ifndef CT_POSTPROC_ANALYSIS_CTAS_LAUNCH_H
#define CT_POSTPROC_ANALYSIS_CTAS_LAUNCH_H

#include "postproc/analysis/ctas/ctas.h"

/* launch, row, ctas (not 0) and device_sms are set. 0 or -ENOMEM. */
int ct_ctas_measure(struct ct_ctas_launch *launch);

#endif
