/* SPDX-License-Identifier: Apache-2.0 */
/* A command that shows some analyses of one trace, of what is selected: a view of a study. */
#ifndef CT_POSTPROC_CMD_VIEW_H
#define CT_POSTPROC_CMD_VIEW_H

#include "postproc/cmd/study.h"

struct ctpost_view {
	const char *tier; /* that it has figures of, too (tiers.md); NULL: of none */
	/* On all ranks, once trace and filter are open: what takes part in the pass beside what is
	 * wanted (study->beside). NULL: none does. */
	void (*begin)(struct ctpost_study *study, void *user);
	/* On rank 0, after the pass. An exit status, with call->why set of a failure. */
	int (*show)(struct ctpost_study *study, void *user);
};

/* The command has the groups of options of selections and of resources; study: what is wanted is
 * set. The trace is study->operand, or the first operand. Returns an exit status; the caller closes
 * the study, behind what borrows from it. */
int ctpost_run_view(struct ctpost_call *call, const struct ctpost_view *view,
		    struct ctpost_study *study, void *user);

/* Reads --times=RUN of a view that has it, before it is run. CTPOST_OK, or CTPOST_FAILED with
 * call->why set; the study is to be closed then. */
int ctpost_view_times(struct ctpost_call *call, struct ctpost_study *study);

#endif
