/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread did, step by step, in terms that two traces of one program
 * share, where numbers and addresses may differ.
 *   site:    the function that holds it, the pattern it is specialised for, and
 *            the site's place among those of its operation and space there, so
 *            that what else is recorded makes no difference
 *   object:  a device variable by its name; an allocation by its place among the
 *            allocations of its process; another space than global by its name
 */
#ifndef CT_POSTPROC_ANALYSIS_DIFF_MATCH_H
#define CT_POSTPROC_ANALYSIS_DIFF_MATCH_H

#include "postproc/facts/locate.h"
#include "trace/read/reader.h"
#include <stdbool.h>

/* Both traces record this of a unit. */
struct ct_match_recorded {
	uint32_t spaces; /* bit 1 << enum ct_site_space: accesses there */
	uint32_t events; /* enum ct_unit_events */
};

struct ct_match {
	const struct ct_unit *units;
	const struct ct_object_info *objects;
	size_t *first_site; /* of each unit, in site_key */
	uint64_t *site_key;
	uint64_t *object_key; /* never 0 */
	struct ct_locator locator;
	struct ct_match_recorded *recorded; /* by unit */
	bool with_paths;
	struct ct_access last; /* whose values may come */
	uint32_t last_lanes;   /* those of it that are compared */
};

enum ct_step_kind { CT_STEP_ACCESS, CT_STEP_EVENT, CT_STEP_VALUE };

/* The lanes of a warp did this together. */
struct ct_warp_step {
	enum ct_step_kind kind;
	const struct ct_access *access; /* of an event, a value: as there */
	const struct ct_event *event;
	const struct ct_value *value;
	uint32_t from;  /* of what a range moved: the first of 8 bytes of the value */
	uint32_t lanes; /* those that are compared */
};

/* One step of one thread. */
struct ct_match_step {
	enum ct_step_kind kind;
	const struct ct_unit *unit;
	const struct ct_unit_site *site;
	const struct ct_object_info *object; /* NULL: in no known object */
	/* In object or space; without one the address; of what a range moved: of its 8 bytes there.
	 */
	uint64_t offset;
	uint64_t bytes;
	uint64_t site_key;
	uint64_t object_key; /* 0: no known object */
	uint64_t detail;     /* of phase, value and call path; 0 if there are none */
	uint32_t space;
	uint32_t phase;
	uint32_t part;
	uint8_t value[CT_VALUE_BYTES_MAX];
};

/* other: the trace that it is compared with. Both must outlive the match. */
int ct_match_init(struct ct_match *match, const struct ct_trace *trace,
		  const struct ct_trace *other, bool with_paths);
void ct_match_fini(struct ct_match *match);
/* The same for another thread, by a view of the trace. Nothing of it is to be freed; what it is
 * of must outlive it. */
void ct_match_share(struct ct_match *match, const struct ct_match *of, const struct ct_trace *view);

/* Returns the part of an access, event or value that is compared: lanes are 0 if there is none. */
struct ct_warp_step ct_match_access(struct ct_match *match, const struct ct_access *access);
struct ct_warp_step ct_match_event(const struct ct_match *match, const struct ct_event *event);
/* from: 0; of what a range moved each multiple of 8 below the value's bytes. */
struct ct_warp_step ct_match_value(const struct ct_match *match, const struct ct_value *value,
				   uint32_t from);

void ct_match_step(struct ct_match *match, const struct ct_warp_step *warp, uint32_t lane,
		   struct ct_match_step *step);

/* Whether two steps say the same: site, operation, bytes, object and offset,
 * and detail; addresses in no known object are all alike. */
int ct_match_same(const struct ct_match_step *a, const struct ct_match_step *b);

#endif
