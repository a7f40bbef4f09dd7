/* SPDX-License-Identifier: Apache-2.0 */
/* From stalled instructions to the places that they wait for: what weigh.c and waits.c share. */
#ifndef CT_POSTPROC_SASS_WAITS_H
#define CT_POSTPROC_SASS_WAITS_H

#include "base/intern.h"
#include "base/map.h"
#include "postproc/sass/resolve.h"
#include "postproc/sass/weigh.h"

#define CT_SASS_BYTES 16u /* of an instruction, from capability 7.0 on */

/* Samples of an instruction for one reason, by kernel. */
struct ct_stalled {
	size_t resolved, weight; /* number of the instruction; of the weight they are in */
	uint64_t samples;
};

/* Says what an instruction is known to be, by (cubin, function, pc). */
struct ct_resolved {
	struct ct_instruction at,
	    previous;    /* previous: who waits at a barrier is found behind it */
	uint32_t symbol; /* number of its text */
};

struct ct_weighing {
	struct ct_weights *out;
	struct ct_sampled_facts *facts;
	struct ct_trace *trace;
	const struct ct_filter *filter;
	struct ct_code *code;
	struct ct_intern text_ids;
	char **texts; /* by id - 1; owned */
	size_t text_count, reason_room, room, wait_room;
	struct ct_intern reason_ids;
	struct ct_map missing, launches; /* ids of cubins; (part, launch) */
	struct ct_map resolved_of;       /* (cubin and function, pc): 1 + number */
	struct ct_resolved *resolved;
	size_t resolved_count;
	struct ct_map weight_of;  /* 1 + number */
	struct ct_map stalled_of; /* (instruction, weight): 1 + number */
	struct ct_map passes_of;  /* number of a function's text: 1 it passes, 2 it does not */
	struct ct_stalled *stalled;
	size_t stalled_count;
};

/* Adds to w->out what one of w->stalled waits for. 0 or -ENOMEM */
int ct_weigh_waits(struct ct_weighing *w, const struct ct_stalled *stalled);

#endif
