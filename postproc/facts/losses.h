/* SPDX-License-Identifier: Apache-2.0 */
/* Losses of a trace, those of one kind and one after another together. */
#ifndef CT_POSTPROC_FACTS_LOSSES_H
#define CT_POSTPROC_FACTS_LOSSES_H

#include "trace/read/reader.h"
#include <stdbool.h>
#include <stdio.h>

struct ct_loss_run {
	uint64_t chunks;
	bool is_unknown;      /* and an unknown number beside them */
	uint32_t first, last; /* launches; 0: not known which */
	size_t events;
	uint32_t part;
	const char *reason;
};

/* The run from loss *at on, which moves behind it; false: there is none. */
bool ct_losses_next(const struct ct_trace *trace, size_t *at, struct ct_loss_run *run);

/* " of launch 3", " of launches 3 to 9"; nothing if it is not known. */
void ct_losses_put_launches(FILE *out, const struct ct_loss_run *run);

#endif
