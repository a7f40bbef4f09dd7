/* SPDX-License-Identifier: Apache-2.0 */
/* Rankings of programs: their order, and how well predictions go with measurements. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_RANKING_H
#define CT_POSTPROC_ANALYSIS_MODEL_RANKING_H

#include "postproc/analysis/model/kernel.h"

#include <stdbool.h>

/* A program among others: its kernels' predicted times, and the measured ones. */
struct ct_model_ranked {
	const char *trace;
	double predicted, measured; /* seconds, of all traced launches; measured 0: not known */
	char bound[CT_MODEL_TEXT_BYTES]; /* of the kernel that takes longest */
	struct ct_model_change change;   /* of it, what brings most; what NULL: nothing does */
	double efficiency, utilization;  /* of it: Ryoo's metrics */
};

struct ct_model_ranking {
	const struct ct_machine *machine;
	struct ct_model_ranked *list; /* the least predicted first, once sorted */
	size_t count;
};

void ct_model_sort_ranking(struct ct_model_ranked *ranked, size_t count);
/* Whether all were measured, and there are two at least. */
bool ct_model_has_errors(const struct ct_model_ranked *ranked, size_t count);
/* The mean of |predicted - measured| / measured. */
double ct_model_mean_error(const struct ct_model_ranked *ranked, size_t count);
/* Spearman's, with the mean rank of those that are alike. */
double ct_model_rank_correlation(const struct ct_model_ranked *ranked, size_t count);
/* Whether none of the others has both more efficiency and more utilization, or one of them and as
 * much of the other: the Pareto set (Ryoo). */
bool ct_model_is_kept(const struct ct_model_ranked *ranked, size_t count, size_t which);

#endif
