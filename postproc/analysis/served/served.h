/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which level of the caches serves what each site of a kernel accesses: of one launch of each
 * kernel, the middle one of those that are traced, driven through the caches of a machine in random
 * orders (postproc/analysis/model/caches.h). No blocks are needed.
 */
#ifndef CT_POSTPROC_ANALYSIS_SERVED_SERVED_H
#define CT_POSTPROC_ANALYSIS_SERVED_SERVED_H

#include "postproc/analysis/model/machine.h"
#include "postproc/analysis/model/streams.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/scan/analysis.h"

enum ct_served_level { CT_SERVED_L1, CT_SERVED_L2, CT_SERVED_MEMORY, CT_SERVED_LEVELS };

/* Counts a site in the launch; those of stores that the L2 did not have are of memory. */
struct ct_served_site {
	double requests;
	double sectors[CT_SERVED_LEVELS];
};

/* The job of ct_served_analysis. Zero-initialise; ct_served_job_fini frees what comes of it. */
struct ct_served_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter; /* NULL: everything passes */
	bool is_off;                    /* nothing is looked at */
	struct ct_kernel_table kernels;
	const struct ct_unit *units;
	uint32_t *first_site;        /* by unit, and one more: of all units' sites */
	uint32_t *driven;            /* by kernel: its launch; UINT32_MAX: none */
	uint64_t kept_sectors;       /* of each of these launches (streams.h) */
	struct ct_streams **streams; /* by kernel; NULL: it has none */
};

extern const struct ct_analysis ct_served_analysis;

/* site: of all units (first_site), zero; filled in for those that the kernel's launch executes. 0;
 * 1: nothing is known of the kernel; -ENOMEM. */
int ct_served_sites(struct ct_served_site *site, const struct ct_served_job *job, uint32_t kernel,
		    const struct ct_machine *machine);

void ct_served_job_fini(struct ct_served_job *job);

#endif
