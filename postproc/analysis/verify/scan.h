/* SPDX-License-Identifier: Apache-2.0 */
/* A tally of a whole trace, by several threads. */
#ifndef CTPOST_CMD_VERIFY_SCAN_H
#define CTPOST_CMD_VERIFY_SCAN_H

#include "postproc/analysis/verify/tally.h"
#include "postproc/command.h"

/* Scan the trace; by as for ct_tally_open. The tally has settled, *damaged counts chunks, and
 * trace has all warnings. NULL after failure, with call->why set. */
struct ct_tally *ctpost_verify_scan(struct ctpost_call *call, struct ct_trace *trace,
				    const uint8_t *by, uint32_t threads, uint64_t *damaged);

#endif
