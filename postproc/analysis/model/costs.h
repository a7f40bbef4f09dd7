/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what the instructions of a kernel are on a machine (costs.def): how many it issues,
 * how long the mean one takes, and which pipeline is the busiest. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_COSTS_H
#define CT_POSTPROC_ANALYSIS_MODEL_COSTS_H

#include "postproc/analysis/model/kernel.h"

#define CT_ISSUE_LANES                                                                             \
	128.0 /* of an SM in a cycle: four schedulers, an instruction of a warp each */

/* Counts executions by warps of a block's mix, as often as it was executed. */
void ct_costs_count(struct ct_model_kernel *kernel, const struct ct_unit_mix *mix, uint64_t warps,
		    uint64_t lanes);

/* Costs of a block: cycles that a scheduler needs to issue it, those of its slowest chain,
 * wavefronts of shared memory. */
struct ct_script;
void ct_costs_block(struct ct_script *script, const struct ct_unit *unit,
		    const struct ct_unit_block *block, const struct ct_machine *machine);

/* A machine instruction of a class, of postproc/sass: which pipeline it takes, and for how many
 * cycles one of a warp takes that of a scheduler. Accesses take the scheduler alone. */
#define CT_COST_PIPELINES 8u
struct ct_cost_turn {
	uint32_t pipeline;
	double cycles;
};
struct ct_cost_turn ct_costs_turn(uint32_t class, const struct ct_machine *machine);

/* Fills in the instructions of kernel->input (of a warp), latencies and widths of kernel->device,
 * and the pipeline. After all blocks are counted. */
void ct_costs_finish(struct ct_model_kernel *kernel, const struct ct_machine *machine);

#endif
