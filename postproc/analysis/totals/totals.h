/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts per launch, kernel and site: warps (records), threads (their active
 * lanes) and bytes (active lanes times the site's bytes, or what a range says).
 * Of records as they are: not handed out by path, which would split them.
 */
#ifndef CT_POSTPROC_ANALYSIS_TOTALS_TOTALS_H
#define CT_POSTPROC_ANALYSIS_TOTALS_TOTALS_H

#include "base/buffer.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/operation.h"
#include "trace/read/reader.h"
#include <stdbool.h>

#define CT_SPACES 8u /* enum ct_site_space */

struct ct_count {
	uint64_t warps;
	uint64_t threads;
	uint64_t bytes;
};

struct ct_access_totals {
	struct ct_count of[CT_ACCESS_CLASSES];
	struct ct_count reduction; /* of the atomics: those whose result is not used */
};

/* Counts what there is beside accesses to global memory. */
struct ct_other_totals {
	struct ct_access_totals space[CT_SPACES]; /* but global */
	struct ct_count event[CT_OPERATIONS];     /* executions of sites without an address */
};

struct ct_launch_totals {
	struct ct_access_totals global;
	uint64_t records; /* warp-level accesses to global memory */
	uint64_t ahead; /* accesses that were reported before they happened (ct_access.is_ahead) */
	uint64_t launches;
	struct ct_other_totals *other; /* NULL: nothing */
};

/* Add up. 0 or -ENOMEM */
int ct_launch_totals_add(struct ct_launch_totals *to, const struct ct_launch_totals *from);

/* Whether the launch failed or has no end, and some of its accesses may not have happened: its
 * counts are upper bounds. */
bool ct_launch_totals_is_bound(const struct ct_launch_totals *totals,
			       const struct ct_launch_info *launch);

struct ct_totals;

/* The trace must outlive the totals. */
int ct_totals_open(struct ct_totals **out, const struct ct_trace *trace);
void ct_totals_close(struct ct_totals *totals); /* NULL is allowed */

/* 0 or -ENOMEM */
int ct_totals_add(struct ct_totals *totals, const struct ct_access *access);
int ct_totals_add_event(struct ct_totals *totals, const struct ct_event *event);

/* Add what others of the same trace have that have not finished either. 0 or -ENOMEM */
int ct_totals_join(struct ct_totals *totals, const struct ct_totals *from);
/* The same by way of bytes, of another process: append them, and add them. 0 or -ENOMEM;
 * -EPROTO if the bytes are not of the same trace. */
int ct_totals_pack(const struct ct_totals *totals, struct ct_buffer *bytes);
int ct_totals_unpack(struct ct_totals *totals, const void *bytes, size_t count);

/* Adds what tier counts says of the launches and sites that pass; NULL: all. Nothing passes if
 * CTAs or objects are chosen, which counts do not tell apart. 0 or -ENOMEM */
int ct_totals_add_counts(struct ct_totals *totals, const struct ct_trace *trace,
			 const struct ct_filter *filter);

/* After the scan: sum up by kernel and over all, of the launches that pass. 0 or -ENOMEM */
int ct_totals_finish(struct ct_totals *totals, const struct ct_filter *filter);

/* launch, unit, site, kernel: index in the trace's tables. */
const struct ct_launch_totals *ct_totals_launch(const struct ct_totals *totals, size_t launch);
const struct ct_count *ct_totals_site(const struct ct_totals *totals, size_t unit, size_t site);
const struct ct_launch_totals *ct_totals_kernel(const struct ct_totals *totals, size_t unit,
						size_t kernel);
const struct ct_launch_totals *ct_totals_sum(const struct ct_totals *totals);

#endif
