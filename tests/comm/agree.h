/* SPDX-License-Identifier: Apache-2.0 */
/* Do the analysis and the naive one find the same? */
#ifndef CT_TEST_AGREE_H
#define CT_TEST_AGREE_H

#include "tests/comm/reference.h"

/* The first differences, one line each. */
struct disagreement {
	char text[2048];
	size_t used;
	unsigned count;
};

/* Regular expressions: only figures that match the first, and not the second, count. NULL: any. */
void agree_about(const char *only, const char *except);
void disagree(struct disagreement *found, const char *figure, double expected, double got);

/* Rank 0 knows this. */
void agree_figures(const struct reference *reference, const struct ct_comm_figures *figures,
		   struct disagreement *found);
/* agree_views.c: parts of the transfers, if the options ask for them. */
void agree_views(const struct reference *reference, const struct ct_comm_figures *figures,
		 struct disagreement *found);
/* agree_relations.c: kernels, lines, objects. */
void agree_relations(const struct reference *reference, const struct ct_comm_figures *figures,
		     struct disagreement *found);
/* agree_lists.c: transfers and CTAs, which are spread over the ranks; so of one rank only. */
void agree_lists(const struct reference *reference, struct ct_comm *comm,
		 struct disagreement *found);
/* agree_scaling.c: what crosses between devices; collective. */
void agree_scaling(const struct reference *reference, struct ct_comm *comm, struct ct_ranks *ranks,
		   struct disagreement *found);
void agree_order(const struct reference *reference, const struct ct_order *order,
		 struct disagreement *found);

#endif
