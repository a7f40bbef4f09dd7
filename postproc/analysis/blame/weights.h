/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often each basic block ran, by launch and by the calls that lead to it, and which objects
 * were accessed where: what blame weighs. Blocks are recorded with their calls
 * (--ct-events=block), or counted without them (ctrun --tier=blocks).
 */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_WEIGHTS_H
#define CT_POSTPROC_ANALYSIS_BLAME_WEIGHTS_H

#include "postproc/facts/filter.h"
#include "postproc/scan/analysis.h"

#define CT_BLAME_NO_PATH UINT32_MAX /* not known */

/* Calls that were not inlined; path 0 is none. */
struct ct_blame_path {
	uint32_t caller; /* path of the calls before it, which has a smaller number */
	uint32_t unit, site;
};

struct ct_blame_weight {
	uint32_t launch; /* of the trace */
	uint32_t path;   /* or CT_BLAME_NO_PATH */
	uint32_t unit, block;
	uint64_t warps, lanes; /* executions */
};

/* An object that was accessed at a site. */
struct ct_blame_touch {
	uint32_t launch, path, unit, site;
	uint32_t object; /* of the trace */
};

struct ct_blame_weights {
	const struct ct_unit *units;
	size_t unit_count;
	struct ct_blame_path *path;
	uint32_t paths;
	struct ct_blame_weight *weight; /* by launch, unit, block, path */
	size_t weights;
	struct ct_blame_touch *touch; /* by launch, unit, site, path, object */
	size_t touches;
};

/* The job of ct_blame_analysis. Zero-initialise; ct_blame_job_fini frees what comes of it. */
struct ct_blame_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter;  /* NULL: everything passes */
	bool is_optional;                /* without variables nothing is looked at */
	bool is_silent;                  /* so it is */
	struct ct_blame_weights weights; /* after the pass */
	uint32_t **block_of_site;        /* by unit and site; CT_NONE: of no block */
};

/* By one process alone. */
extern const struct ct_analysis ct_blame_analysis;

/* Sets what it knows without a pass: the trace's units, which is all that samples need. */
void ct_blame_job_units(struct ct_blame_job *job);
void ct_blame_job_fini(struct ct_blame_job *job);

#endif
