/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the products between two supersteps add up to. CTAs that are in the same sets are a
 * class; between any two CTAs of two classes there are the same bytes.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_OVERLAP_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_OVERLAP_H

#include "postproc/analysis/comm/flows/products.h"

/* One side: the CTAs in any of the sets, by class, ascending within. */
struct ct_overlap_side {
	uint32_t *cta;
	uint64_t *sets;  /* by class: bits, of the sets it is in */
	uint32_t *first; /* by class, and one more: where its CTAs begin */
	uint32_t classes;
};

struct ct_overlap {
	struct ct_overlap_side source, target;
	uint64_t *bytes; /* source class * target classes + target class; 0: none */
};

#define CT_OVERLAP_SETS 64u

/* -E2BIG: there are too many sets or classes to be worth it. */
int ct_overlap_init(struct ct_overlap *overlap, const struct ct_products *products,
		    const struct ct_product_group *group);
void ct_overlap_fini(struct ct_overlap *overlap);

#endif
