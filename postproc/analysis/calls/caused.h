/* SPDX-License-Identifier: Apache-2.0 */
/* Time of the device activities that each call has caused: joined by correlation, and by launch
 * where an activity has none. */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_CAUSED_H
#define CT_POSTPROC_ANALYSIS_CALLS_CAUSED_H

#include "base/map.h"
#include <cudatrace/format.h>

/* Sums by number: side by side where most numbers are used. */
struct ct_caused_sums {
	uint64_t first; /* number of ns[0] */
	uint64_t *ns;
	size_t count;
	struct ct_map others;
};

struct ct_caused {
	struct ct_caused_sums correlation, launch;
};

/* The tracer's own activities are left out. 0 or -ENOMEM */
int ct_caused_init(struct ct_caused *caused, const struct ct_row_activity *rows, size_t count);
void ct_caused_fini(struct ct_caused *caused);

uint64_t ct_caused_by(const struct ct_caused *caused, const struct ct_row_call *call);

#endif
