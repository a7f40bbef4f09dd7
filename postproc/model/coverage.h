/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compiler pass decided about every site: how many of each kernel and
 * device function are recorded and how many are not, by class and space.
 */
#ifndef CT_MODEL_COVERAGE_H
#define CT_MODEL_COVERAGE_H

#include "operation.h"
#include <trace/reader.h>

enum ct_cover {
	CT_COVER_DEFINITE,
	CT_COVER_CHECKED,
	CT_COVER_ELSEWHERE,
	CT_COVER_FILTERED,
	CT_COVER_SKIPPED,
	CT_COVERS,
};

/* Sites of one class in one space, in one kernel or device function. */
struct ct_cover_row {
	const struct ct_unit *unit;
	const char *in;      /* display name of the kernel, or symbol of the function */
	const char *pattern; /* of a specialised function (unit.h), else "" */
	uint32_t kernel;     /* index, or CT_NONE: a device function */
	enum ct_class class;
	uint32_t is_reduction;
	uint32_t space;
	uint64_t sites[CT_COVERS];
};

struct ct_coverage {
	struct ct_cover_row *row; /* by unit; kernels first, then functions; by class and space */
	size_t count;
};

/* Of the units whose code ran: a unit for several architectures counts once.
 * The trace must outlive the coverage. 0 or -ENOMEM */
int ct_coverage_init(struct ct_coverage *coverage, const struct ct_trace *trace);
void ct_coverage_fini(struct ct_coverage *coverage);

/* Whether the code of this unit, and not of the same one for another architecture, ran. */
int ct_coverage_counts(const struct ct_trace *trace, const struct ct_unit *unit);

/* "load", "store", "atomic", "reduction", "event" */
const char *ct_cover_class(const struct ct_cover_row *row);

/* "definite", "checked", "elsewhere", "filtered", "skipped" */
const char *ct_cover_text(enum ct_cover cover);

#endif
