/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which object had an address last before an event, whether or not it was freed since: ranges of
 * addresses that are moved from event to event, forth and back. Questions about events close to
 * each other take the time of a search.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_OWNERS_H
#define CT_POSTPROC_ANALYSIS_CHECK_OWNERS_H

#include "trace/read/live.h"
#include "trace/read/reader.h"

struct ct_check_owners;

/* The trace outlives it. 0 or -ENOMEM */
int ct_check_owners_open(struct ct_check_owners **out, const struct ct_trace *trace);
void ct_check_owners_close(struct ct_check_owners *owners); /* NULL is allowed */

/* Before the event of that index; NULL: none had it, or no memory. */
const struct ct_object_info *ct_check_object_at(struct ct_check_owners *owners, uint32_t part,
						uint64_t address, uint64_t index);

/* Bytes of what was freed from the object's own free on, before the event of that index; each
 * object counts `more` bytes besides. */
uint64_t ct_check_freed_since(struct ct_check_owners *owners, const struct ct_object_info *object,
			      uint64_t index, uint64_t more);

#endif
