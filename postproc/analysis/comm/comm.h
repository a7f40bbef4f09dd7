/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How CTAs communicate through global memory across BSP supersteps: seed 001,
 * chapters 4 and 6, appendix B. What each figure means: docs/communication.md.
 *
 * Communication is data that a CTA wrote in superstep s and a CTA reads in a
 * later superstep t, with no write to those bytes in between. Sizes of
 * transfers are sets: a byte counts once per superstep and reading CTA. The
 * volumes of loads and stores count what every thread asked for. Atomics read
 * and write. CTAs are named by their linear id, x fastest.
 *
 * Threads: one thread at a time per object.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_COMM_H
#define CT_POSTPROC_ANALYSIS_COMM_COMM_H

#include "postproc/analysis/comm/base/figures.h"
#include "postproc/scan/pass.h"

struct ct_comm;

/* Look up what the analysis needs of a trace, for its task in a pass of the scan engine, with the
 * same ranks. filter: what is looked at, NULL: everything; a transfer counts if both its ends pass,
 * and what does not pass still overwrites. Trace and filter as long as comm. Collective; on failure
 * *out is NULL, the error negative, and why (empty at first) may hold a line. */
int ct_comm_begin(struct ct_comm **out, struct ct_trace *trace, const struct ct_filter *filter,
		  const struct ct_comm_options *options, char *why, size_t why_bytes);
/* Returns the task of ct_comm_analysis, whose job is comm. After the pass the figures are there,
 * those of rank 0 of all ranks. */
struct ct_task ct_comm_task(struct ct_comm *comm);
/* Explains what a failure of the pass may come from, if comm knows better. */
void ct_comm_explain(const struct ct_comm *comm, int err, char *why, size_t why_bytes);
/* All of it, for who looks at nothing else: the trace is opened, and read in a pass of its own.
 * why: CT_WHY_BYTES, a line on failure. */
int ct_comm_open(struct ct_comm **out, const char *directory, const struct ct_comm_options *options,
		 char *why);
void ct_comm_close(struct ct_comm *comm); /* NULL is allowed */

/* All below live as long as comm. */
const struct ct_comm_figures *ct_comm_figures(const struct ct_comm *comm);
struct ct_trace *ct_comm_trace(struct ct_comm *comm);
const struct ct_order *ct_comm_order(const struct ct_comm *comm);
const struct ct_filter *ct_comm_filter(const struct ct_comm *comm);

/* The map of transfers (appendix B.2). */
struct ct_comm_transfer {
	uint32_t source_cta, source_superstep;
	uint32_t target_cta, target_superstep;
	uint64_t bytes; /* distinct */
	uint64_t
	    loads; /* accesses of threads; across a multiple of 64 KiB they count on each side */
	/* More of a transfer that comes elsewhere, too; never if options.transfers. */
	bool is_rest;
};

/* This rank's, by source CTA, target CTA, source and target superstep within
 * each partition of source CTAs; without options.transfers after those of many CTAs to many,
 * without loads. fn's nonzero value stops and is returned. */
int ct_comm_each_transfer(struct ct_comm *comm,
			  int (*fn)(void *user, const struct ct_comm_transfer *transfer),
			  void *user);

/* Bytes that the same CTAs wrote in a superstep, each of them, and the same CTAs read in
 * another one: what one copy could serve. */
struct ct_comm_delivery {
	uint32_t source_superstep, target_superstep;
	const uint32_t *source, *target; /* CTAs, ascending */
	uint32_t sources, targets;       /* how many */
	uint64_t bytes;                  /* distinct */
};

/* All of them on rank 0, none on the others; options.deliveries asks for them. -ENODATA: it
 * did not, or memory did not hold them. */
int ct_comm_each_delivery(struct ct_comm *comm,
			  int (*fn)(void *user, const struct ct_comm_delivery *delivery),
			  void *user);

/* CTAs of single launches: CCV and CDV, and with sm SCV and SDV (appendix B.1). */
struct ct_comm_cta {
	uint32_t superstep, cta;
	uint32_t sm;
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
};

/* This rank's, those with accesses, by superstep and CTA within each partition. */
int ct_comm_each_cta(struct ct_comm *comm, int (*fn)(void *user, const struct ct_comm_cta *cta),
		     void *user);

#endif
