/* SPDX-License-Identifier: Apache-2.0 */
/* Host stacks in the report: the frames that calls of the time line need, as a tree. */
#ifndef CT_POSTPROC_RENDER_REPORT_CALLS_STACKS_H
#define CT_POSTPROC_RENDER_REPORT_CALLS_STACKS_H

#include "base/map.h"
#include "postproc/symbols/paths.h"

/* Zero-initialise all but paths. */
struct ct_report_stacks {
	const struct ct_host_paths *paths; /* NULL: there are none */
	uint32_t *step;                    /* by node of the stacks: its step + 1, 0: not needed */
	struct ct_map children;            /* caller, frame -> step + 1 */
	uint32_t *caller, *frame;          /* by step, callers first: their step + 1; their frame */
	size_t steps, room[2];
	bool is_cut;      /* there are more than the report keeps */
	uint32_t *number; /* by frame, from 1, as steps need them first */
	uint32_t *used;   /* by that, from 0: the frame */
	size_t frames;
};

/* The number of the stack of a row of STACK, from 1; 0: not known, or not kept. *err: -ENOMEM */
uint32_t ct_report_stack_of(struct ct_report_stacks *stacks, uint32_t part, uint32_t row, int *err);
/* Numbers the frames, once all steps are known. 0 or -ENOMEM */
int ct_report_stacks_number(struct ct_report_stacks *stacks);
void ct_report_stacks_fini(struct ct_report_stacks *stacks);

#endif
