/* SPDX-License-Identifier: Apache-2.0 */
/* Orders and errors of rankings. */
#include "postproc/analysis/model/ranking.h"

#include <math.h>
#include <stdlib.h>

static int by_predicted(const void *a, const void *b)
{
	const struct ct_model_ranked *x = a, *y = b;

	return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}

void ct_model_sort_ranking(struct ct_model_ranked *ranked, size_t count)
{
	qsort(ranked, count, sizeof(*ranked), by_predicted);
}

bool ct_model_has_errors(const struct ct_model_ranked *ranked, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!(ranked[i].measured > 0))
			return false;
	return count > 1;
}

double ct_model_mean_error(const struct ct_model_ranked *ranked, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += fabs(ranked[i].predicted / ranked[i].measured - 1);
	return sum / (double)count;
}

/* 1 for the least; halves where values are alike. */
static double rank_of(const struct ct_model_ranked *ranked, size_t count, size_t of, bool measured)
{
	double own = measured ? ranked[of].measured : ranked[of].predicted, rank = 1;

	for (size_t i = 0; i < count; i++) {
		double other = measured ? ranked[i].measured : ranked[i].predicted;

		rank += other < own ? 1 : i != of && !(other > own) ? 0.5 : 0;
	}
	return rank;
}

double ct_model_rank_correlation(const struct ct_model_ranked *ranked, size_t count)
{
	double mean = ((double)count + 1) / 2, both = 0, p = 0, m = 0;

	for (size_t i = 0; i < count; i++) {
		double x = rank_of(ranked, count, i, false) - mean;
		double y = rank_of(ranked, count, i, true) - mean;

		both += x * y;
		p += x * x;
		m += y * y;
	}
	return p > 0 && m > 0 ? both / sqrt(p * m) : 0;
}

bool ct_model_is_kept(const struct ct_model_ranked *ranked, size_t count, size_t which)
{
	const struct ct_model_ranked *own = &ranked[which];

	for (size_t i = 0; i < count; i++) {
		const struct ct_model_ranked *other = &ranked[i];

		if (other->efficiency >= own->efficiency &&
		    other->utilization >= own->utilization &&
		    (other->efficiency > own->efficiency || other->utilization > own->utilization))
			return false;
	}
	return true;
}
