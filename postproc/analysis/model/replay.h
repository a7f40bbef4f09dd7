/* SPDX-License-Identifier: Apache-2.0 */
/* A block of a kernel and the one of machine code that does its turns, one for one: whether both
 * access global memory alike, and which access of the one is which of the other. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_REPLAY_H
#define CT_POSTPROC_ANALYSIS_MODEL_REPLAY_H

#include "postproc/analysis/model/script.h"
#include "postproc/sass/decode.h"

struct ct_replay {
	const struct ct_unit *unit;
	const struct ct_unit_block *block;
	const struct ct_sass_code *code;
	uint32_t machines; /* block of it */
};

/* As many loads, stores and atomics of global memory, and barriers, in both. */
bool ct_replays(const struct ct_replay *replay);

/* Ops of ct_schedule get the numbers that the block's accesses have, by kind and in their order.
 * Loads that are not waited for until the block's end are waited for when it is entered again.
 * number: the block's, of all units. */
void ct_replay_name(const struct ct_replay *replay, uint32_t number, struct ct_script_op *op,
		    uint32_t ops);

#endif
