/* SPDX-License-Identifier: Apache-2.0 */
/* How long pristine kernels ran: activities of a trace (ctrun --calls) that are not of instrumented
 * clones, and the registers and shared memory that the driver reported for them. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_TIMES_H
#define CT_POSTPROC_ANALYSIS_MODEL_TIMES_H

#include "trace/read/reader.h"

#include <stdbool.h>

struct ct_model_time {
	uint64_t count; /* of launches; 0: none is known */
	double seconds; /* their mean */
	double least, most;
	uint32_t registers;    /* of a thread; 0: not known */
	uint32_t shared_bytes; /* of a CTA, static and dynamic */
};

/* Times launches of the kernel (its mangled name) with such a grid and block. trace: not a view,
 * and by one thread. Registers and shared memory are also those of other grids, if need be of
 * clones. */
void ct_model_time(struct ct_model_time *time, struct ct_trace *trace, const char *symbol,
		   const struct ct_event_launch *launch);

#endif
