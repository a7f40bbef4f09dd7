/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trace says about why lines of the source make warps wait: of each line in a kernel what
 * its accesses and lanes took, and what would have done. docs/blame.md says how that becomes a gain
 * (blame.md, section 6).
 */
#ifndef CT_POSTPROC_ANALYSIS_CAUSES_CAUSES_H
#define CT_POSTPROC_ANALYSIS_CAUSES_CAUSES_H

#include "postproc/analysis/access/analysis.h"
#include "postproc/analysis/blame/weights.h"
#include "postproc/analysis/branches/analysis.h"
#include "postproc/analysis/values/analysis.h"
#include "postproc/facts/finding.h"

/* X(ID, name, id of the finding, what is counted, what to do) */
#define CT_CAUSES(X)                                                                               \
	X(SECTORS, "uncoalesced", UNCOALESCED, "sectors",                                          \
	  "Let neighbouring lanes access neighbouring elements: exchange indices, transpose the "  \
	  "array, or stage it in shared memory.")                                                  \
	X(WAVEFRONTS, "bank conflict", BANK_CONFLICTS, "wavefronts",                               \
	  "Let lanes access different banks: pad the rows by one element, or swizzle the index.")  \
	X(ATOMICS, "contended atomic", CONTENDED_ATOMICS, "lanes at one address",                  \
	  "Combine within the warp, or in shared memory, and let one lane do the atomic.")         \
	X(REDUNDANT, "redundant value", REDUNDANT_LOADS, "elements",                               \
	  "Keep the value in a register, or in shared memory: the thread has loaded it before.")   \
	X(LANES, "divergent", DIVERGENT_BRANCHES, "lanes",                                         \
	  "Order the elements so that the lanes of a warp take one way, or compute both sides.")   \
	X(WARPS, "part of a warp", PART_OF_A_WARP, "lanes",                                        \
	  "Launch blocks of a multiple of 32 threads.")

enum ct_cause_kind {
#define X(id, name, finding, unit, fix) CT_CAUSE_##id,
	CT_CAUSES(X)
#undef X
	    CT_CAUSE_KINDS,
};

/* A line in all launches of a kernel; of WARPS the line of a launch. ideal <= actual. */
struct ct_line_cause {
	const char *kernel; /* symbol */
	const char *file;
	uint32_t line;
	enum ct_cause_kind kind;
	double actual, ideal;
	/* Sectors: distinct ones of each launch, and as few as hold all that it uses of them. What
	 * is more is moved even if a cache keeps each until its last use. */
	double touched, touched_ideal;
	const char *object; /* with most of it; NULL: of none, as of shared memory */
	double most;        /* of that object */
};

struct ct_causes {
	struct ct_line_cause *list;
	size_t count;
	const struct ct_branches_results *branches;
	char **texts; /* files of launches */
	size_t text_count;
};

/* Results of one trace, after the pass; they and the trace outlive the causes. */
struct ct_causes_from {
	const struct ct_trace *trace;
	const struct ct_access_results *access;
	const struct ct_values_figures *values;
	const struct ct_branches_results *branches;
	const struct ct_blame_weights *blocks;
};

/* 0 or -ENOMEM; ct_causes_fini frees in either case. */
int ct_causes_init(struct ct_causes *causes, const struct ct_causes_from *from);
void ct_causes_fini(struct ct_causes *causes);

/* A file may be named with its directory or without. NULL: the trace tells nothing of it. */
const struct ct_line_cause *ct_causes_find(const struct ct_causes *causes, const char *kernel,
					   const char *file, uint32_t line,
					   enum ct_cause_kind kind);
/* One may be named with its directory, and the other one without. */
bool ct_causes_is_file(const char *a, const char *b);
/* Where lanes of a kernel part most often; NULL: nowhere. */
const struct ct_branches_line *ct_causes_branch(const struct ct_causes *causes, const char *kernel);

/* Returns the share of what it took that it would not have needed: 0 to 1; and that at least, of
 * sectors if caches serve whatever they can. */
double ct_cause_share(const struct ct_line_cause *cause);
double ct_cause_least_share(const struct ct_line_cause *cause);
/* Sums what all lines of a kernel take of a kind. */
double ct_causes_of_kernel(const struct ct_causes *causes, const char *kernel,
			   enum ct_cause_kind kind);

enum ct_finding_id ct_cause_id(enum ct_cause_kind kind);
const char *ct_cause_name(enum ct_cause_kind kind); /* "uncoalesced" */
const char *ct_cause_unit(enum ct_cause_kind kind); /* "sectors" */
const char *ct_cause_fix(enum ct_cause_kind kind);

#endif
