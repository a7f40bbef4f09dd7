/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How warps access memory, by kernel, object and site: requests, sectors and how few would do,
 * patterns, active lanes, atomics that meet, distinct bytes of each launch. docs/access.md says
 * what each figure means (seed 004, 4.2.5; seed 001 for objects and sites).
 */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_ACCESS_ANALYSIS_H

#include "postproc/analysis/access/figures.h"
#include "postproc/analysis/access/heat.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/facts/operation.h"
#include "postproc/scan/analysis.h"

#define CT_ACCESS_HOT 32u

/* Requests access these beside objects: CT_ACCESS_… + groups of objects that there are. */
enum ct_access_beside {
	CT_ACCESS_SEVERAL, /* objects of several groups in one request */
	CT_ACCESS_SHARED,
	CT_ACCESS_CONSTANT,
	CT_ACCESS_LOCAL,
	CT_ACCESS_BESIDES,
};

/* Sums what a site did to objects of one group in all launches of a kernel. */
struct ct_access_row {
	uint32_t kernel, group;
	const struct ct_unit *unit;
	uint32_t site;
	enum ct_class class;
	struct ct_access_figures figures;
	uint64_t unique, unique_sectors; /* of each launch, summed: distinct bytes, and sectors */
};

/* Sums what all of a kernel's sites together touched in objects of one group in each launch. */
struct ct_access_object {
	uint32_t kernel, group;
	uint64_t unique, unique_sectors;
};

/* Global memory that a launch touched: its working set. */
struct ct_access_launch {
	const struct ct_launch_info *launch;
	uint64_t bytes, sectors, half_lines, lines; /* distinct: 1, 32, 64 and 128 bytes */
};

/* An address that atomics of a launch meet at. */
struct ct_access_hot {
	const struct ct_launch_info *launch;
	uint64_t address, lanes;
	const struct ct_unit *unit; /* of the first site that does so */
	uint32_t site;
};

struct ct_access_results {
	struct ct_kernel_table kernels;
	/* By group: its first object (NULL of memory of no known object, the last one), and how
	 * many it has. */
	const struct ct_object_info **object;
	uint64_t *objects;
	uint32_t groups;
	struct ct_access_row *row; /* by kernel, group, unit, site */
	size_t rows;
	struct ct_access_object *touched; /* by kernel, group */
	size_t touches;
	struct ct_access_launch *launch; /* as in the trace */
	size_t launches;
	const struct ct_launch_info *all_launches; /* of the trace */
	struct ct_access_hot hot[CT_ACCESS_HOT];   /* the most lanes first */
	size_t hots;
	uint64_t atomic_lanes, atomic_addresses; /* of global memory; distinct by launch */
	struct ct_access_heat heat;
	double *seconds; /* by kernel: of all its launches, uninstrumented; 0: not known. NULL: of
			    none, as long as ct_access_set_times has not been called */
};

struct ct_access_engine;

/* The job of ct_access_analysis. Zero-initialise; ct_access_job_fini frees what comes of it. */
struct ct_access_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter;   /* NULL: everything passes */
	struct ct_access_engine *engine;  /* during the pass */
	struct ct_access_results results; /* after it, of rank 0 */
};

extern const struct ct_analysis ct_access_analysis;

void ct_access_job_fini(struct ct_access_job *job);

struct ct_calls;

/* How long kernels run when they are not instrumented: as their launches in calls do in the mean,
 * which are of the same trace or of another run of the program. 0 or -ENOMEM */
int ct_access_set_times(struct ct_access_results *results, const struct ct_calls *calls);

/* enum ct_site_space of a group, or of what is beside. */
uint32_t ct_access_space(const struct ct_access_results *results, uint32_t group);
/* Returns what the kernel of a row touches of its group. NULL: nothing of memory that is global */
const struct ct_access_object *ct_access_touched(const struct ct_access_results *results,
						 const struct ct_access_row *row);
/* Sums all rows of a kernel, by its symbol. */
double ct_access_requests_of(const struct ct_access_results *results, const char *symbol);

#endif
