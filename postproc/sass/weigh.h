/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of program counters (LOOK, SAMPLE) as weights by place (facts/weights.h). */
#ifndef CT_POSTPROC_SASS_WEIGH_H
#define CT_POSTPROC_SASS_WEIGH_H

#include "postproc/facts/filter.h"
#include "postproc/facts/weights.h"

/* Says what is known of the sampling itself, of all parts. */
struct ct_sampled_facts {
	uint64_t looks, period_min, period_max; /* cycles; 0: no looks */
	uint64_t total;                         /* samples that the devices took */
	uint64_t dropped;                       /* of these */
	uint64_t others;               /* of these: of kernels that are not the program's */
	uint64_t launches;             /* with samples */
	bool is_concurrent;            /* samples are not of single launches */
	size_t cubins, missing_cubins; /* that samples name; of these not in the trace */
	size_t damaged_cubins;         /* whose line tables cannot be read to their end */
	size_t unlined_cubins;         /* without line tables */
	const char *missing; /* why not all is sampled, of the first part that says so; "" */
	bool was_asked;      /* there are SAMPLING events */
};

/* Samples of launches that filter passes (NULL: all); where it is not known which launch a sample
 * is of, of kernels of which one passes. 0 or a negative error; ct_weights_close in either case. It
 * borrows from the trace. */
int ct_weigh_samples(struct ct_weights *weights, struct ct_sampled_facts *facts,
		     struct ct_trace *trace, const struct ct_filter *filter);

/* "smsp__pcsamp_warps_issue_stalled_wait_not_issued": "wait", which the bytes end, of latency.
 * False: it counts no stalls, and all of it is the name. */
bool ct_stall_reason(const char *text, const char **name, size_t *bytes, bool *is_latency);

#endif
