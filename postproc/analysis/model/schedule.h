/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long machine instructions take a warp that has its scheduler for itself: they are issued in
 * their order, each the cycles behind the one before that the code says, when its pipeline is free
 * and what it waits for is there (postproc/sass/decode.h). Of global memory only where it is
 * waited for is reported: that is simulated (simulate.h).
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_SCHEDULE_H
#define CT_POSTPROC_ANALYSIS_MODEL_SCHEDULE_H

#include "postproc/analysis/model/machine.h"
#include "postproc/analysis/model/script.h"
#include "postproc/sass/decode.h"

struct ct_schedule {
	double cycles; /* from its first instruction to what comes behind it */
	double issue;  /* that its busiest pipeline needs */
	struct ct_script_op
	    *op; /* accesses, waits, barriers and what is computed between; room for
		    four times the instructions and one, of the caller; NULL: not asked */
	uint32_t ops;
};

/* Whether it moves sectors of global memory. */
bool ct_schedule_is_global(const struct ct_sass_instruction *instruction);

/* turns: the block is a loop of itself, and what the turn before has begun is under way. */
void ct_schedule(struct ct_schedule *schedule, const struct ct_sass_instruction *instruction,
		 uint32_t count, bool turns, const struct ct_machine *machine);

#endif
