/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what was launched in each of the program's regions (cudatrace.h). */
#ifndef CT_POSTPROC_ANALYSIS_TOTALS_REGIONS_H
#define CT_POSTPROC_ANALYSIS_TOTALS_REGIONS_H

#include "postproc/analysis/totals/totals.h"

/* Launches in a region, but those in regions within it. */
struct ct_region {
	const char *path; /* names, outermost first, with "/" between; "" outside all */
	uint64_t launches, traced;
	uint64_t accesses, bytes; /* recorded, to global memory */
};

struct ct_regions {
	struct ct_region *list; /* in the order of their first launch */
	size_t count;           /* 0: the program has none */
	uint64_t pauses;
};

/* The trace must outlive the regions. 0 or -ENOMEM */
int ct_regions_init(struct ct_regions *regions, const struct ct_trace *trace,
		    const struct ct_totals *totals);
void ct_regions_fini(struct ct_regions *regions);

#endif
