/* SPDX-License-Identifier: Apache-2.0 */
/* Tier values: accesses of code that ran of which it has no values, and why. */
#ifndef CT_POSTPROC_FACTS_VALUELESS_H
#define CT_POSTPROC_FACTS_VALUELESS_H

#include "postproc/facts/filter.h"

/* Sites of one line, in a kernel or a device function that one calls by name; or launches of a
 * kernel that are not traced, without a line. */
struct ct_valueless {
	char *name; /* of the kernel or function, as in the source */
	bool is_kernel;
	/* The first of the sites, of the trace as the next two; NULL: launches. */
	const struct ct_unit *unit;
	uint32_t site;
	const char *operation, *reason;
	uint64_t times; /* sites, or launches */
};

/* Zero-initialise. The trace outlives it. Kernels of each unit, then functions. */
struct ct_valueless_list {
	struct ct_valueless *list;
	size_t count;
};

/* Looks at kernels of which launches pass the filter (NULL: all). 0 or -ENOMEM; ct_valueless_fini
 * frees in either case. */
int ct_valueless_find(struct ct_valueless_list *all, const struct ct_trace *trace,
		      const struct ct_filter *filter);
void ct_valueless_fini(struct ct_valueless_list *all);

#endif
