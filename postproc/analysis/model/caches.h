/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hit rates of caches by Monte Carlo (seed 004, 4.2.3): of a launch only the order within each warp
 * is known, so orders among warps are drawn, requests are driven through an L1 per SM and one L2
 * behind them, and what comes out is a sample of each rate. An order is valid if it keeps each
 * warp's, lets no warp of a CTA pass a barrier before the others have come, and has no more CTAs on
 * an SM than may be resident. CTAs go to SMs in turn, and later ones where one has ended.
 *
 * Caches have lines of 128 bytes in sectors of 32, which are fetched one by one, and replace the
 * line of a set that was used least recently. Loads allocate in L1 and L2. Memory hands out sectors
 * by pairs: the other one is in the L2 when the warp goes on to its next block. Stores go through
 * the L1, where they renew what is there, and allocate in the L2, which takes them without asking
 * memory: there they are hits, as the hardware counts them. Atomics are done in the L2.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_CACHES_H
#define CT_POSTPROC_ANALYSIS_MODEL_CACHES_H

#include "postproc/analysis/model/streams.h"

#include <stdbool.h>

struct ct_caches_machine {
	uint32_t sms, resident; /* CTAs of an SM at a time, at least 1 */
	uint64_t l1_bytes, l2_bytes;
	/* The L2 has what a launch like it left: the stream is driven through it twice, and the
	 * second time counts. */
	bool is_warm;
};

struct ct_caches_counts {
	double requests, sectors, l1_hits, l2_accesses, l2_hits; /* sectors, but for requests */
	double dram; /* sectors that are fetched from memory, and those of stores that it has not */
};

/* Describes samples: mean, deviation, 5th and 95th percentile. */
struct ct_caches_rate {
	double mean, deviation, low, high;
};

struct ct_caches_line {
	uint32_t line;
	struct ct_caches_counts counts; /* mean of samples */
};

struct ct_caches {
	uint32_t samples;
	struct ct_caches_counts counts; /* mean */
	struct ct_caches_rate l1, l2;   /* hits of loads in L1; of all that comes to the L2 */
	double half_width;              /* of the wider confidence interval of both, 95 % */
	bool is_reliable;               /* half_width is below what was asked for */
	struct ct_caches_line *line;    /* by number of the line */
	uint32_t lines;
};

/* Samples in rounds of four, until half_width < epsilon or there are `most`. Each seed gives the
 * same results on any machine and number of threads. 0 or -ENOMEM; ct_caches_fini frees in either
 * case. */
int ct_caches_run(struct ct_caches *caches, struct ct_streams *streams,
		  const struct ct_caches_machine *machine, double epsilon, uint32_t most,
		  uint64_t seed);
void ct_caches_fini(struct ct_caches *caches);

#endif
