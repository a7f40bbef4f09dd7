/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races: accesses of one launch to the same bytes, one of them at least a store and neither an
 * atomic, that nothing orders (seed 004, 4.2.5: race checks). docs/access.md says what is claimed:
 *
 *   between CTAs   of a launch that is not cooperative, and whose CTAs are in no clusters
 *   within a CTA   by different warps with as many barriers of the CTA before the one as before
 *                  the other, where barriers are recorded and all are of the whole CTA
 *
 * Between CTAs and warps of which one sends and the other receives (syncs.h) nothing is claimed,
 * nor of launches where that is not known (unknown_ctas, unknown_warps): whose kernels have
 * accesses that are not recorded, or records that are lost. Accesses of one warp count as ordered.
 * With values in the trace, stores of one value are told apart: among themselves these do no harm.
 *
 * Of this process alone: not for several ranks.
 */
#ifndef CT_POSTPROC_ANALYSIS_RACES_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_RACES_ANALYSIS_H

#include "postproc/facts/filter.h"
#include "postproc/scan/analysis.h"

#include <stdatomic.h>

enum ct_races_between { CT_RACES_CTAS, CT_RACES_WARPS };

enum ct_races_values {
	CT_RACES_VALUES_UNKNOWN, /* of some bytes, and no others differ; or of a load that found
				    what is stored, and may have come after it */
	CT_RACES_VALUES_SAME,    /* of each byte all stores are of one value */
	CT_RACES_VALUES_DIFFER,
};

/* An access of a warp. */
struct ct_races_access {
	const struct ct_unit *unit;
	uint32_t site; /* of the unit */
	uint64_t cta;
	uint32_t warp;
};

/* Stores of one site, and accesses of another or the same one, in a launch. */
struct ct_race {
	const struct ct_launch_info *launch;
	enum ct_races_between between;
	enum ct_races_values values;
	uint64_t bytes;   /* that meet; each counts once for a store and an access of such sites */
	uint64_t address; /* the least of them, */
	const struct ct_object_info *object; /* around it, NULL: none that is known; */
	struct ct_races_access store, other; /* and who accesses it */
	/* The store updates what its thread has loaded there, and the other access is that load, or
	 * an update as well: in between others' updates get lost. */
	bool is_update;
};

/* Reads by one site of bytes of shared memory that no thread of the CTA has stored before. */
struct ct_races_unset {
	const struct ct_launch_info *launch;
	struct ct_races_access access; /* the first: of the least CTA, warp and address */
	uint64_t address;
	uint64_t count; /* of different addresses that a warp reads at once */
};

struct ct_races_results {
	struct ct_race *race; /* by launch, the most bytes first */
	size_t races;
	struct ct_races_unset *unset; /* by launch and site */
	size_t unsets;
	size_t launches; /* that were looked at */
	size_t unknown_ctas,
	    unknown_warps; /* of these: of which nothing is claimed of CTAs, warps */
};

struct ct_races_engine;

/* The job of ct_races_analysis. Zero-initialise; ct_races_job_fini frees what comes of it. */
struct ct_races_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter;  /* NULL: everything passes */
	struct ct_races_engine *engine;  /* during the pass */
	struct ct_races_results results; /* after it */
};

extern const struct ct_analysis ct_races_analysis;

void ct_races_job_fini(struct ct_races_job *job);

/* "same", "differ", "unknown" */
const char *ct_races_values_text(enum ct_races_values values);

#endif
