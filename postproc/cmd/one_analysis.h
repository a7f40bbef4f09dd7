/* SPDX-License-Identifier: Apache-2.0 */
/* A command that shows an analysis of the scan engine, or some that belong together: of what is
 * selected, in one pass, on all ranks. */
#ifndef CTPOST_CMD_ONE_ANALYSIS_H
#define CTPOST_CMD_ONE_ANALYSIS_H

#include "postproc/command.h"
#include "postproc/facts/filter.h"
#include "postproc/scan/pass.h"

#define CTPOST_TASKS_MAX 4u

struct ctpost_one_analysis {
	const char *tier; /* that it has figures of, too (tiers.md); NULL: of none */
	/* The job, which is as the command has made it otherwise. filter NULL: everything passes.
	 * Fills in what is to be run, and returns how many there are. */
	size_t (*begin)(void *job, struct ct_trace *trace, const struct ct_filter *filter,
			struct ct_task tasks[CTPOST_TASKS_MAX]);
	/* On rank 0, after the pass. Returns an exit status with call->why set of a failure. */
	int (*show)(struct ctpost_call *call, void *job);
	void (*end)(void *job); /* after begin */
};

/* The first operand is the trace; the command has the groups of options of selections and of
 * resources. Returns an exit status. */
int ctpost_run_one_analysis(struct ctpost_call *call, const struct ctpost_one_analysis *one,
			    void *job);

#endif
