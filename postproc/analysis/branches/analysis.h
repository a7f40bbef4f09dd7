/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches by line: how often warps take them, and how often their lanes part there (seed 004,
 * 4.2.5: divergent and total branches, activity factor). From basic blocks (--ct-events=block) of
 * units whose pass has noted which blocks end in a branch (CT_SITE_BRANCH): where lanes go from
 * one is the block that they enter next. docs/access.md says what each figure means.
 */
#ifndef CT_BRANCHES_ANALYSIS_H
#define CT_BRANCHES_ANALYSIS_H

#include "postproc/facts/filter.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/facts/place.h"
#include "postproc/scan/analysis.h"

struct ct_branches_figures {
	uint64_t branches;  /* executions by a warp, or by those lanes of it that are together */
	uint64_t divergent; /* of these, such as have lanes that go to different blocks */
	uint64_t lanes;     /* active ones of all executions together */
};

/* The branches of one line in launches of a kernel. */
struct ct_branches_line {
	uint32_t kernel;
	const struct ct_unit *unit;
	uint32_t site; /* the first block of the unit that ends in a branch of the line */
	struct ct_place place;
	struct ct_branches_figures figures;
};

struct ct_branches_kernel {
	struct ct_branches_figures figures;
	uint64_t blocks, lanes; /* executions of blocks, and their active lanes */
};

struct ct_branches_results {
	bool is_recorded; /* a unit of the trace has blocks, and says which of them branch */
	struct ct_kernel_table kernels;
	struct ct_branches_kernel *kernel; /* by kernels.list */
	struct ct_branches_line *line;     /* the most divergent ones first */
	size_t lines;
};

/* The job of ct_branches_analysis. Zero-initialise; ct_branches_job_fini frees what comes of it. */
struct ct_branches_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter;     /* NULL: everything passes */
	struct ct_ranks *ranks;             /* of the pass */
	struct ct_branches_results results; /* after the pass, of rank 0 */
};

extern const struct ct_analysis ct_branches_analysis;

void ct_branches_job_fini(struct ct_branches_job *job);

/* Branches without parting lanes, of all, 0 to 1; 1 if there are none. */
double ct_branches_efficiency(const struct ct_branches_figures *figures);

#endif
