/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds barriers of whole blocks that some threads do not come to while others wait there: those
 * who come to fewer barriers than others, and threads of a block whose n-th barriers stand on
 * different lines. Threads that have ended are among them, although newer devices let the others
 * go on.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_BARRIERS_H
#define CT_POSTPROC_ANALYSIS_CHECK_BARRIERS_H

#include "postproc/analysis/check/causes.h"
#include "postproc/analysis/check/steps.h"

struct ct_check_barriers;

/* All that is given outlives it. 0 or -ENOMEM */
int ct_check_barriers_open(struct ct_check_barriers **out, const struct ct_trace *trace,
			   const struct ct_check_steps *steps, struct ct_check_causes *causes,
			   uint64_t limit_bytes);
void ct_check_barriers_close(struct ct_check_barriers *barriers); /* NULL is allowed */

/* Events in the order of the trace, all of them. 0 or -ENOMEM */
int ct_check_barriers_add(struct ct_check_barriers *barriers, const struct ct_event *event);
/* After the last one. Likewise */
int ct_check_barriers_end(struct ct_check_barriers *barriers);

#endif
