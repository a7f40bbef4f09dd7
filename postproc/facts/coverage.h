/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compiler pass decided about every site: how many of each kernel and
 * device function are recorded and how many are not, by operation and space.
 */
#ifndef CT_POSTPROC_FACTS_COVERAGE_H
#define CT_POSTPROC_FACTS_COVERAGE_H

#include "postproc/facts/operation.h"
#include "trace/read/reader.h"
#include <stdbool.h>

enum ct_cover {
	CT_COVER_DEFINITE,
	CT_COVER_CHECKED,
	CT_COVER_ELSEWHERE,
	CT_COVER_FILTERED,
	CT_COVER_SKIPPED,
	CT_COVERS,
};

/* Sites of one operation in one space. */
struct ct_cover_row {
	uint32_t operation;
	uint32_t space;
	uint64_t sites[CT_COVERS];
};

/* A kernel's body, or a device function for one pattern of arguments. */
struct ct_cover_part {
	const struct ct_unit *unit;
	uint32_t kernel; /* index, or CT_NONE: a device function */
	char *name;      /* as in the source where known, else the symbol */
	const char *symbol;
	const char *pattern;      /* "" unless specialised (unit.h) */
	struct ct_cover_row *row; /* by operation and space */
	size_t count;
	uint32_t *callee; /* parts that it calls by name */
	size_t callees;
	int is_launched; /* a kernel that the trace has a launch of */
};

struct ct_coverage {
	struct ct_cover_part *part; /* kernels of each unit, then functions in order */
	size_t count;
};

/* Covers the units whose code ran: a unit for several architectures counts once. The trace must
 * outlive the coverage. 0 or -ENOMEM */
int ct_coverage_init(struct ct_coverage *coverage, const struct ct_trace *trace);
void ct_coverage_fini(struct ct_coverage *coverage);

/* Set reached[i] for every function that part's calls, but those through
 * pointers, lead to. reached: one byte per part, others are left as they are. */
void ct_coverage_reach(const struct ct_coverage *coverage, size_t part, unsigned char *reached);

/* Whether the code of this unit, and not of the same one for another architecture, ran. */
int ct_coverage_counts(const struct ct_trace *trace, const struct ct_unit *unit);

enum ct_cover ct_cover_of(const struct ct_unit_site *site);

/* Whether a site stands in the part. */
int ct_cover_holds(const struct ct_cover_part *part, const struct ct_unit_site *site);

/* Whether the unit has sites of blocks, and says which of them end in a branch. */
bool ct_unit_has_branches(const struct ct_unit *unit);

/* "definite", "checked", "elsewhere", "filtered", "not instrumented" */
const char *ct_cover_text(enum ct_cover cover);

#endif
