/* SPDX-License-Identifier: Apache-2.0 */
/* A pass over a trace on behalf of a command. */
#ifndef CT_POSTPROC_CMD_BASE_PASS_H
#define CT_POSTPROC_CMD_BASE_PASS_H

#include "postproc/command.h"
#include "postproc/scan/each.h"
#include "postproc/scan/pass.h"

/* ct_pass_run with a progress bar in place of the options' (NULL: none are given). Returns as
 * that, with call->why set of a negative error and damaged chunks added to call->damaged_chunks. */
int ctpost_pass(struct ctpost_call *call, struct ct_trace *trace, const struct ct_task *tasks,
		size_t count, const struct ct_pass_options *options);
/* The same, and what it warns of goes to stderr, by rank 0. */
int ctpost_pass_aloud(struct ctpost_call *call, struct ct_trace *trace, const struct ct_task *tasks,
		      size_t count, const struct ct_pass_options *options);

/* Likewise, a pass that hands on everything that is wanted. */
int ctpost_each(struct ctpost_call *call, struct ct_trace *trace, const struct ct_each *each,
		const struct ct_pass_options *options);

/* The group of commands that read records and have no other bounds. */
extern const struct ctpost_option ctpost_threads_options[];

/* Its value; 0: the default. CTPOST_OK, or CTPOST_USAGE with call->why set. */
int ctpost_read_threads(struct ctpost_call *call, uint32_t *threads);

#endif
