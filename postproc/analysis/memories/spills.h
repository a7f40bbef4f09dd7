/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers that a kernel keeps in local memory (seed 002): loads and stores of it in the machine
 * code of a kernel whose IR has none, as often as the loops that they are in were executed
 * (model/lowered.h). docs/memories.md.
 */
#ifndef CT_POSTPROC_ANALYSIS_MEMORIES_SPILLS_H
#define CT_POSTPROC_ANALYSIS_MEMORIES_SPILLS_H

#include "postproc/analysis/finder.h"
#include "postproc/analysis/model/all.h"

struct ct_spills {
	double loads, stores; /* of warps, in all launches that are traced */
	uint32_t registers;   /* of a thread; 0: not known */
};

/* Machine code is the one that the model has, else that of the run that was sampled. 0; 1: nothing
 * is known, or what it accesses is its own; -ENOMEM. */
int ct_spills_find(struct ct_spills *spills, const struct ct_inquiry *inquiry,
		   const struct ct_model_kernel *kernel);

#endif
