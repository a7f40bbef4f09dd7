/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it costs to access memory where caches serve some of it, so that findings can say what they
 * are worth. Of a kernel that takes T without instrumentation and without what an empty kernel
 * takes:
 *
 *   moving   C: each sector by the bandwidths of the levels that it passes, one after the other; at
 *            most T
 *   waiting  T - C: shared out among requests of loads and atomics by the latency of the level that
 *            serves them
 *
 * What is avoided saves its part of both. docs/values.md, "Seconds"; docs/validation.md has what it
 * said beside what fixes by hand brought.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_WORTH_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_WORTH_H

#include "postproc/analysis/served/served.h"
#include "postproc/analysis/values/base/figures.h"

/* By level. */
struct ct_values_traffic {
	double sectors[CT_SERVED_LEVELS];
	double waits[CT_SERVED_LEVELS]; /* requests of loads and atomics */
};

struct ct_values_worth {
	double sector[CT_SERVED_LEVELS], latency[CT_SERVED_LEVELS]; /* seconds */
	double kernel_seconds;
	/* Seconds of copies and memsets: of a byte, and of a call beside those of its bytes. */
	double byte[CT_VALUES_WAYS], call[CT_VALUES_WAYS];
	/* By row, and by kernel: all that they access. NULL: it is not known of any. */
	struct ct_values_traffic *row, *kernel;
};

/* calls: those that times are of, on a GPU, else nothing is set. served: NULL: of kernels nothing
 * is known. Kernels' seconds are set. Figures own it. 0 or -ENOMEM */
int ct_values_set_worth(struct ct_values_figures *figures, const struct ct_calls *calls,
			const struct ct_served_job *served);

/* Adds a part (0 to 1) of what a row accesses. */
void ct_values_traffic_add(struct ct_values_traffic *to, const struct ct_values_figures *figures,
			   size_t row, double part);
/* As many of the sectors, and as large a part of what waits, those of the nearest level first: what
 * a thread has accessed just before is there. */
struct ct_values_traffic ct_values_traffic_nearest(const struct ct_values_traffic *all,
						   double sectors);

/* Seconds of all launches of a kernel that it saves not to access this; 0: it is not known. */
double ct_values_worth_of(const struct ct_values_figures *figures, uint32_t kernel,
			  const struct ct_values_traffic *avoided);
/* Seconds that so many bytes of copies, memsets or stores of a kernel take, of which so many calls
 * could be left out; 0: it is not known. */
double ct_values_worth_of_write(const struct ct_values_figures *figures,
				const struct ct_values_node *node, double bytes, double calls);

#endif
