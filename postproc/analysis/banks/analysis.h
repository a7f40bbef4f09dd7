/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conflicts between lanes in the banks of shared memory, by site: docs/shared-memory.md.
 *
 * Shared memory has 32 banks; 4-byte word w is in bank w % 32, and a bank serves one word per
 * wavefront. Loads and stores of up to 16 bytes per lane that are recorded in shared memory count;
 * atomics, and what moves ranges or tiles, do not.
 */
#ifndef CT_POSTPROC_ANALYSIS_BANKS_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_BANKS_ANALYSIS_H

#include "postproc/facts/filter.h"
#include "postproc/scan/analysis.h"

/* Describes what a load or store of a warp takes. */
struct ct_banks_request {
	uint32_t wavefronts;
	uint32_t ideal; /* wavefronts if no two words met in a bank */
	uint32_t ways;  /* most words that met in one bank; 1: no conflict */
};

/* address: by lane, in bytes, of the lanes given (not 0), of which each accesses bytes: 1, 2, 4, 8
 * or 16. */
struct ct_banks_request ct_banks_request(const uint64_t address[CT_WARP_LANES], uint32_t lanes,
					 uint32_t bytes);

/* How far apart neighbouring lanes are in most of a request. */
enum ct_banks_stride {
	CT_BANKS_IRREGULAR,
	CT_BANKS_COLUMN, /* a multiple of 32 words: all lanes meet in a bank */
	CT_BANKS_CONSTANT,
	CT_BANKS_STRIDES,
};

/* Counts the requests of a site. */
struct ct_banks_figures {
	uint64_t requests, wavefronts, ideal;
	uint64_t excess[CT_BANKS_STRIDES]; /* wavefronts - ideal */
	uint64_t least_ways, most_ways;    /* of requests with a conflict; 0: none has */
};

void ct_banks_figures_add(struct ct_banks_figures *to, const struct ct_banks_figures *from);

/* The job of ct_banks_analysis. */
struct ct_banks_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter; /* NULL: everything passes */
	/* The results, of rank 0: by unit of the trace, by site of it. ct_banks_job_fini frees
	 * it. */
	struct ct_banks_figures **site;
};

/* Whether it is of those that count, in whatever memory. */
bool ct_banks_is_counted(const struct ct_access *access);

extern const struct ct_analysis ct_banks_analysis;

void ct_banks_job_fini(struct ct_banks_job *job);

#endif
