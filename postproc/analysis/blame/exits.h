/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects the exits of kernels are, launch by launch: what was accessed there or, if accesses
 * are not recorded, what bears the name of the argument. */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_EXITS_H
#define CT_POSTPROC_ANALYSIS_BLAME_EXITS_H

#include "postproc/analysis/blame/state.h"
#include "postproc/facts/objects.h"

struct ct_blame_exit {
	uint32_t launch;
	uint32_t group; /* of objects */
	uint64_t exit;  /* as of ct_blame_set */
};

/* Zero-initialise. */
struct ct_blame_exits {
	struct ct_blame_exit *list; /* by launch, exit, group */
	size_t count, room;
};

/* 0 or -ENOMEM; ct_blame_exits_fini frees in either case. */
int ct_blame_exits_make(struct ct_blame_exits *exits, struct ct_blame *blame,
			const struct ct_blame_job *job, const struct ct_objects *objects);
void ct_blame_exits_fini(struct ct_blame_exits *exits);

/* The first one of an exit in a launch, and how many there are behind it, with it. */
const struct ct_blame_exit *ct_blame_exits_of(const struct ct_blame_exits *exits, uint32_t launch,
					      uint64_t exit, size_t *count);

#endif
