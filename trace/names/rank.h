/* SPDX-License-Identifier: Apache-2.0 */
/* The place of this process in a parallel job, as its launcher tells. */
#ifndef CT_TRACE_NAMES_RANK_H
#define CT_TRACE_NAMES_RANK_H

#include <stdint.h>

#define CT_JOB_BYTES 128

struct ct_rank {
	uint32_t rank;          /* CT_NO_RANK (format.h): no launcher that we know */
	uint32_t ranks;         /* 0 unknown */
	char job[CT_JOB_BYTES]; /* of this start: letters, digits and ._@+-; "" unknown */
};

typedef const char *ct_rank_lookup(const char *name);

/* lookup: getenv, or one like it. */
struct ct_rank ct_rank_find(ct_rank_lookup *lookup);

#endif
