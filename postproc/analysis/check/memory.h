/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies at an address that is in no live object when a launch starts, as far as that is sure:
 * what was freed there, or the object whose allocation ends or begins there. Allocations stand on
 * multiples of a granule, so nothing of another owner lies between the end of an object and the
 * next multiple.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_MEMORY_H
#define CT_POSTPROC_ANALYSIS_CHECK_MEMORY_H

#include "postproc/analysis/check/owners.h"
#include "postproc/facts/finding.h"
#include "trace/read/reader.h"
#include <stdbool.h>

enum ct_check_where {
	CT_CHECK_UNKNOWN, /* memory that the trace knows nothing of */
	CT_CHECK_LIVE,
	CT_CHECK_BEHIND,  /* an object's end */
	CT_CHECK_FREED,   /* that an object had */
	CT_CHECK_NOWHERE, /* addresses that nothing ever has */
};

struct ct_check_found {
	enum ct_check_where where;
	const struct ct_object_info *object; /* NULL: none */
};

struct ct_check_found ct_check_find(struct ct_check_owners *owners, const struct ct_trace *trace,
				    const struct ct_launch_info *launch, uint64_t address);

/* Whether the memory of a freed object cannot be used anew yet: CPU threads keep what was freed
 * last (cpu-target/runtime/memory/storage.c, of whose 16 MiB half are counted on). */
bool ct_check_is_kept(struct ct_check_owners *owners, const struct ct_object_info *object,
		      const struct ct_launch_info *launch);

/* Whether an object has not been freed before the event of that index; false of NULL. */
bool ct_check_lives(const struct ct_object_info *object, uint64_t index);

/* Finds by launch what kernels were given (GIVEN). */
struct ct_check_givens;

/* The trace outlives it. 0 or -ENOMEM */
int ct_check_givens_open(struct ct_check_givens **out, const struct ct_trace *trace);
void ct_check_givens_close(struct ct_check_givens *givens); /* NULL is allowed */

/* The object that a pointer points into which a kernel was given, a parameter or in one
 * ("view.data"), of a launch that has such an event for each of its pointers; NULL: not known.
 * *given: the address; 0: not known, or null. */
const struct ct_object_info *ct_check_given(const struct ct_check_givens *givens,
					    const struct ct_launch_info *launch, const char *name,
					    uint64_t *given);

/* The variable of devices of that name, if there is one alone when a launch starts; else NULL. */
const struct ct_object_info *ct_check_variable(const struct ct_trace *trace,
					       const struct ct_launch_info *launch,
					       const char *name);

#endif
