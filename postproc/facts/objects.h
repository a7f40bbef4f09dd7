/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects in groups of one allocation site and name, found by address and
 * time. Unlike ct_trace_object_at it keeps no state: threads share it.
 */
#ifndef CT_POSTPROC_FACTS_OBJECTS_H
#define CT_POSTPROC_FACTS_OBJECTS_H

#include "postproc/facts/filter.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_objects;

/* A group passes if one of its objects does; filter NULL: all do. 0 or -ENOMEM */
int ct_objects_open(struct ct_objects **out, const struct ct_trace *trace,
		    const struct ct_filter *filter);
void ct_objects_close(struct ct_objects *objects); /* NULL is allowed */

/* Group of the object that lived there when the event of that index was
 * written; the last group is that of no known object. *hint is the caller's,
 * from 0. */
uint32_t ct_objects_find(const struct ct_objects *objects, uint32_t part, uint64_t address,
			 uint64_t event_index, uint32_t *hint);

/* The bytes around an address that are of the same object, or, from the address on, of none. */
struct ct_object_range {
	uint64_t begin, end;
	uint32_t group;
	bool is_known;
};

/* When the event of that index was written. */
struct ct_object_range ct_objects_range(const struct ct_objects *objects, uint32_t part,
					uint64_t address, uint64_t event_index, uint32_t *hint);

uint32_t ct_objects_groups(const struct ct_objects *objects);
/* The first object of a group and how many it has; NULL for the last group. */
const struct ct_object_info *ct_objects_of_group(const struct ct_objects *objects, uint32_t group,
						 uint64_t *count);
bool ct_objects_passes(const struct ct_objects *objects, uint32_t group);
bool ct_objects_all_pass(const struct ct_objects *objects);

#endif
