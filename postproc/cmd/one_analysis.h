/* SPDX-License-Identifier: Apache-2.0 */
/* A command that shows one analysis of the scan engine: of what is selected, on all ranks. */
#ifndef CTPOST_CMD_ONE_ANALYSIS_H
#define CTPOST_CMD_ONE_ANALYSIS_H

#include "postproc/command.h"
#include "postproc/facts/filter.h"
#include "postproc/scan/analysis.h"

struct ctpost_one_analysis {
	const struct ct_analysis *analysis;
	/* The job, which is as the command has made it otherwise. filter NULL: everything passes.
	 */
	void (*begin)(void *job, const struct ct_trace *trace, const struct ct_filter *filter);
	/* On rank 0, after the pass. Returns an exit status with call->why set of a failure. */
	int (*show)(struct ctpost_call *call, void *job);
	void (*end)(void *job); /* after begin */
};

/* The first operand is the trace; the command has the groups of options of selections and of
 * resources. Returns an exit status. */
int ctpost_run_one_analysis(struct ctpost_call *call, const struct ctpost_one_analysis *one,
			    void *job);

#endif
