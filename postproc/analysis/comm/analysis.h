/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis as one of the scan engine's. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_COMM_ANALYSIS_H

#include "postproc/analysis/comm/base/engine.h"
#include "postproc/scan/analysis.h"

/* Its job: a struct ct_comm (comm.h), which begins with a struct ct_engine. After the pass it has
 * the sums of all ranks on rank 0, and on each rank the flows and volumes of its partitions. */
extern const struct ct_analysis ct_comm_analysis;

/* Shuffles, sums and what else the pass makes; they may be absent. */
void ct_engine_close_shuffles(struct ct_engine *engine);

#endif
