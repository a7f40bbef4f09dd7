/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier counts: what COUNT and TOUCHED events say, put together by the kernel
 * that was launched.
 */
#ifndef CT_POSTPROC_FACTS_COUNTED_H
#define CT_POSTPROC_FACTS_COUNTED_H

#include "postproc/facts/filter.h"
#include "trace/read/reader.h"

/* A site in all launches of a kernel. */
struct ct_counted_site {
	const struct ct_launch_info *launch; /* the kernel's first */
	const struct ct_unit *unit;          /* NULL: of code whose unit is not in the trace */
	uint32_t site;
	uint64_t launches;
	uint64_t warps, lanes, sectors, bytes;
};

/* An object in all launches of a kernel. */
struct ct_counted_object {
	const struct ct_launch_info *launch;
	const struct ct_object_info *object; /* NULL: not known, for want of room */
	uint64_t launches;
	uint64_t read, written;           /* sectors, of all launches */
	uint64_t most_read, most_written; /* of one launch */
};

struct ct_counted {
	struct ct_counted_site *site;
	size_t sites;
	struct ct_counted_object *object;
	size_t objects;
};

#define CT_COUNTED_SECTOR_BYTES 32u

/* The name of the tier of a traced launch that was counted in place of recorded; else NULL. */
const char *ct_counted_tier(const struct ct_launch_info *launch);
/* Returns the tier of the first such launch; NULL: there is none. */
const char *ct_counted_tier_of_trace(const struct ct_trace *trace);
/* How many there are, and how many of the tier of this name. */
size_t ct_counted_launches(const struct ct_trace *trace);
size_t ct_counted_launches_of(const struct ct_trace *trace, const char *tier);
/* Names of all such tiers, NULL-terminated. */
extern const char *const ct_counted_tiers[];
/* Some launch is traced in another tier. */
int ct_counted_has_others(const struct ct_trace *trace);

/* Counts what passes; filter NULL: all. 0 or -ENOMEM */
int ct_counted_init(struct ct_counted *counted, const struct ct_trace *trace,
		    const struct ct_filter *filter);
void ct_counted_fini(struct ct_counted *counted);

#endif
