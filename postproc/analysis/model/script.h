/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a warp does in each block, in the order in which the machine would: code generation moves
 * the loads of a block up to where their addresses are known, so those that wait for as many
 * others (ct_unit_step.wait) are issued together, at the place of their first, and are waited for
 * where the first of them is used. Barriers are passed by nothing. Computation is what stands
 * between.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_SCRIPT_H
#define CT_POSTPROC_ANALYSIS_MODEL_SCRIPT_H

#include "postproc/analysis/model/kernel.h"

enum ct_script_kind {
	CT_SCRIPT_COMPUTE, /* so much of the block's computation */
	CT_SCRIPT_ACCESS,  /* one of the block's accesses of global memory is issued */
	CT_SCRIPT_WAIT,    /* for what is under way of this block */
	CT_SCRIPT_BARRIER,
};

struct ct_script_op {
	enum ct_script_kind kind;
	uint32_t access;  /* of ACCESS: which, in the order of the block's steps */
	uint32_t used_in; /* of ACCESS: the block, of all units, that waits for it; CT_NONE: this
			     one, or nothing */
	double share;     /* of COMPUTE */
};

struct ct_script {
	const struct ct_script_op *op;
	uint32_t ops;
	uint32_t accesses; /* of global memory */
	double issue;      /* cycles that a scheduler needs for all instructions */
	double chain;      /* cycles of the slowest chain */
	double shared;     /* wavefronts of shared memory, without conflicts */
	bool computes;     /* more than addresses and what moves values on */
};

struct ct_scripts {
	struct ct_script *of; /* by block, of all units */
	struct ct_script_op *op;
};

/* Scripts the blocks that the kernel has executed; lowered (lowered.h): what is known of them in
 * machine code, which lives as long; NULL: nothing. 0 or -ENOMEM; fini frees in either case. */
struct ct_lowered;
int ct_scripts_make(struct ct_scripts *scripts, const struct ct_model_job *job, uint32_t kernel,
		    const struct ct_lowered *lowered, const struct ct_machine *machine);
/* Changes what blocks take, where the change is one of computation. */
struct ct_simulate_change;
void ct_scripts_change(struct ct_scripts *scripts, const struct ct_model_job *job, uint32_t kernel,
		       const struct ct_simulate_change *change);
void ct_scripts_fini(struct ct_scripts *scripts);

#endif
