/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trace leaves out on purpose or by loss, and what to say of it: launches
 * and CTAs that are not in the sample, sites that are not recorded, lost chunks.
 */
#ifndef CT_POSTPROC_FACTS_SAMPLING_H
#define CT_POSTPROC_FACTS_SAMPLING_H

#include "trace/read/reader.h"

/* Describes the sample of one launch. */
struct ct_launch_sample {
	uint64_t ctas;
	uint64_t recorded;    /* CTAs; 0 of a launch that is not traced */
	uint64_t lost_chunks; /* known to be lost */
	int lost_unknown;     /* and an unknown number beside them */
};

struct ct_sampling {
	struct ct_launch_sample *launch;    /* by index in the trace's table */
	const struct ct_launch_info *first; /* of that table */
	size_t launches;
	uint32_t launch_period, block_period, site_period; /* the largest; 0: none */
	size_t drawn_from, drawn; /* launches sampled by context: all, traced */
	size_t block_launches;    /* traced with some CTAs left out */
	uint64_t ctas, recorded;  /* of those */
	size_t lossy;             /* launches known to have lost chunks */
	uint64_t lost_chunks, stored_chunks;
	int lost_unknown;
};

/* 0 or -ENOMEM */
int ct_sampling_init(struct ct_sampling *sampling, const struct ct_trace *trace);
void ct_sampling_fini(struct ct_sampling *sampling);

/* Returns the sample of a launch of the trace. */
const struct ct_launch_sample *ct_sampling_of(const struct ct_sampling *sampling,
					      const struct ct_launch_info *launch);

/* Whether launches or CTAs are left out, so that totals can be estimated. */
int ct_sampling_is_sampled(const struct ct_sampling *sampling);

/* Line `number` (from 0) of what a reader of any figure must know, written to buffer; NULL
 * beyond the last. There is none if nothing is left out or lost. */
#define CT_SAMPLING_LINE_BYTES 512
const char *ct_sampling_line(const struct ct_sampling *sampling, unsigned number,
			     char buffer[CT_SAMPLING_LINE_BYTES]);

/* Says what sampling of CTAs and launches does to figures of communication; NULL if there is
 * none. */
const char *ct_sampling_of_communication(const struct ct_sampling *sampling);

#endif
