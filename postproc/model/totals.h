/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts per launch and per site. An access is counted once per active lane
 * (thread-level) and once per record (warp-level, "executions"); its bytes are
 * active lanes times the site's bytes.
 */
#ifndef CT_MODEL_TOTALS_H
#define CT_MODEL_TOTALS_H

#include "operation.h"
#include <trace/reader.h>

struct ct_launch_totals {
	uint64_t accesses[CT_CLASSES]; /* thread-level */
	uint64_t bytes[CT_CLASSES];
	uint64_t records; /* warp-level */
};

struct ct_site_totals {
	uint64_t executions; /* warp-level */
	uint64_t accesses;   /* thread-level */
};

struct ct_totals;

/* The trace must outlive the totals. */
int ct_totals_open(struct ct_totals **out, const struct ct_trace *trace);
void ct_totals_close(struct ct_totals *totals); /* NULL is allowed */

void ct_totals_add(struct ct_totals *totals, const struct ct_access *access);

/* launch, site: index in the trace's tables. */
const struct ct_launch_totals *ct_totals_launch(const struct ct_totals *totals, size_t launch);
const struct ct_site_totals *ct_totals_site(const struct ct_totals *totals, size_t unit,
					    size_t site);

/* The sum over all launches. */
struct ct_launch_totals ct_totals_sum(const struct ct_totals *totals);

#endif
