/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits on a driver, as ctrun calibrate has learned it (CT_STUDY_DRIVER; docs/json-schema.md):
 * for the calls that it has asked it stands in place of waits.def.
 */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_BLOCKING_H
#define CT_POSTPROC_ANALYSIS_CALLS_BLOCKING_H

#include "postproc/analysis/calls/waits.h"

struct ct_blocking_call {
	char *name; /* owned */
	enum ct_wait what;
	unsigned waiting, asked; /* of its variants */
};

/* Zeroed: nothing is known. */
struct ct_blocking {
	struct ct_blocking_call *call;
	size_t calls;
};

/* Opens the answers for a trace of a study: the file beside it. 0, also if there is none, or not
 * one of ctrun calibrate; -ENOMEM. fini is allowed in either case. */
int ct_blocking_of(struct ct_blocking *blocking, const struct ct_trace *trace);
void ct_blocking_fini(struct ct_blocking *blocking);

/* Looks a function up by its name without suffixes; false: it was not asked. */
bool ct_blocking_find(const struct ct_blocking *blocking, const char *name, size_t bytes,
		      enum ct_wait *what);

#endif
