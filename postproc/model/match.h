/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What makes a site and an object "the same" in two traces of one program,
 * where numbers and addresses may differ.
 *   site:    the function that holds it and its place among that function's sites
 *   object:  a device variable by its name; an allocation by its place among the
 *            allocations of its process
 */
#ifndef CT_MODEL_MATCH_H
#define CT_MODEL_MATCH_H

#include "locate.h"
#include <trace/reader.h>

struct ct_match {
	const struct ct_unit *units;
	const struct ct_object_info *objects;
	size_t *first_site; /* of each unit, in site_key */
	uint64_t *site_key;
	uint64_t *object_key; /* never 0 */
	struct ct_locator locator;
};

/* One access of one thread, in terms that two traces share. */
struct ct_match_event {
	const struct ct_unit *unit;
	const struct ct_unit_site *site;
	const struct ct_object_info *object; /* NULL: in no known object */
	uint64_t offset;                     /* in object; without one the address */
	uint64_t site_key;
	uint64_t object_key; /* 0: no known object */
};

/* The trace must outlive the match. */
int ct_match_init(struct ct_match *match, const struct ct_trace *trace);
void ct_match_fini(struct ct_match *match);

void ct_match_event(struct ct_match *match, const struct ct_access *access, uint32_t lane,
		    struct ct_match_event *event);

/* Whether two events say the same: site, operation, bytes, object and offset;
 * addresses in no known object are all alike. */
int ct_match_same(const struct ct_match_event *a, const struct ct_match_event *b);

#endif
