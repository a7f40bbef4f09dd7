/* SPDX-License-Identifier: Apache-2.0 */
/* Activities in the order of their ends. */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_ORDER_H
#define CT_POSTPROC_ANALYSIS_CALLS_ORDER_H

#include <cudatrace/format.h>
#include <stddef.h>

struct ct_ends {
	uint64_t *end_ns; /* ascending */
	uint32_t *index;  /* of the activity's row */
	size_t count;
};

/* 0 or -ENOMEM */
int ct_ends_init(struct ct_ends *ends, const struct ct_row_activity *rows, size_t count);
void ct_ends_fini(struct ct_ends *ends);

/* The first one that ends after this. */
size_t ct_ends_after(const struct ct_ends *ends, uint64_t time_ns);

#endif
