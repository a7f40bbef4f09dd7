/* SPDX-License-Identifier: Apache-2.0 */
/* The same figures without what a CTA sends itself: docs/communication.md, "Exchanged only". */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FIGURES_EXCHANGED_H
#define CT_POSTPROC_ANALYSIS_COMM_FIGURES_EXCHANGED_H

#include "postproc/analysis/comm/base/figures.h"

/* Volumes, sizes, distances, density and lists without self messages; how many were left out
 * stays in volume.self_transfers and self_bytes. Degrees, bisection, strides and what is no
 * communication are those of all. *out borrows from all. 0 or -ENOMEM. */
int ct_comm_exchanged_init(struct ct_comm_figures *out, const struct ct_comm_figures *all);
void ct_comm_exchanged_fini(struct ct_comm_figures *figures);

/* Patterns rest on a pair's bytes with self messages, so these stay as they are. */
static inline uint64_t ct_comm_pair_bytes(const struct ct_comm_figures *figures,
					  const struct ct_comm_kernel_pair *pair)
{
	return pair->bytes - (figures->is_exchanged ? pair->self_bytes : 0);
}

#endif
