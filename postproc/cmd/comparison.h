/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies on behalf of a command: both are run, one after the other, and compared. */
#ifndef CT_POSTPROC_CMD_COMPARISON_H
#define CT_POSTPROC_CMD_COMPARISON_H

#include "postproc/cmd/base/line_texts.h"
#include "postproc/cmd/options/sources.h"
#include "postproc/cmd/study.h"
#include "postproc/comparison/comparison.h"

/* Zero-initialise. */
struct ctpost_comparison {
	const struct ctpost_source_choice *from; /* borrowed: where sources come from */
	struct ctpost_study study[2];            /* of the first two operands */
	/* On rank 0, after run. */
	struct ct_source_store *sources[2]; /* what lines said in each run */
	struct ct_line_texts texts[2];      /* from these */
	struct ct_side side[2];
	struct ct_comparison comparison;
};

/* The command has the groups of options of symbols, selections, communication and resources; the
 * caller sets `from`.
 * prepare: sets options of each study before it is opened; NULL: nothing. Collective: 0, or the
 * same error on all ranks with call->why set; close in either case. */
int ctpost_comparison_run(struct ctpost_comparison *both, struct ctpost_call *call,
			  struct ct_ranks *ranks, void (*prepare)(struct ctpost_study *study));
void ctpost_comparison_close(struct ctpost_comparison *both);

#endif
