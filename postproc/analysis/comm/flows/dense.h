/* SPDX-License-Identifier: Apache-2.0 */
/* Adds products of sets of CTAs to the figures; single transfers then add what they differ. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_DENSE_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_DENSE_H

#include "postproc/analysis/comm/flows/cover.h"

struct ct_dense {
	struct ct_covers covers;
	/* CTAs that are sources of a product, by partition of flows, ascending. */
	uint32_t *source;
	size_t first[CT_FLOW_PARTITIONS + 1];
	/* Writing and reading supersteps of products, and the keys of their pairs of kernels. */
	uint32_t *step, *reader;
	size_t steps, readers;
	uint64_t *pair;
	size_t pairs;
};

/* Products are finished, flows are not: what is too tangled to be counted by sets becomes
 * flows. Collective. */
int ct_dense_open(struct ct_dense **out, struct ct_engine *engine);
void ct_dense_close(struct ct_dense *dense); /* NULL is allowed */

/* Everything but the degrees of sources, into the engine's sums and volumes; of rank 0. */
int ct_dense_count(struct ct_engine *engine, const struct ct_dense *dense);

/* Bytes between two CTAs and supersteps by products. */
uint64_t ct_dense_bytes(const struct ct_engine *engine, uint64_t ctas, uint64_t supersteps);

#endif
