/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ratio of sums R = sum of w r / sum of w n over the CTAs that are recorded, w = M / m for each
 * launch that has m of its M, is off as the sum of w e is, e = r - R n. CTAs of a launch are drawn
 * without replacement, so that has the variance w^2 m (1 - m / M) s^2, s^2 being the variance of e
 * among the m (W. G. Cochran, Sampling Techniques, 3rd ed., Wiley 1977, sections 6.4, 6.11).
 */
#include "postproc/analysis/values/figures/sample.h"
#include "postproc/analysis/values/base/facts.h"

#include <math.h>

/* Returns the variance of the sum of one launch's CTAs. CTAs without accesses have no fact. */
static double variance_of(const struct ct_value_step *step, const struct ct_sum *sum, size_t count,
			  double share)
{
	double m = (double)step->recorded, all = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		double e = (double)sum[i].value[1] - share * (double)sum[i].value[0];

		all += e;
		squares += e * e;
	}
	/* How others differ from one CTA is not known: as it does from the whole. */
	if (step->recorded > 1)
		squares = (squares - all * all / m) / (m - 1);
	return squares > 0 ? m * (1 - m / (double)step->ctas) * squares : 0;
}

static double weight_of(const struct ct_value_step *step)
{
	return step->ctas ? (double)step->ctas / (double)step->recorded : 1;
}

struct ct_values_estimate ct_value_estimate(const struct ct_value_engine *engine,
					    const struct ct_sum *sum, size_t count)
{
	struct ct_values_estimate estimate = {0, 0, 0};
	double elements = 0, redundant = 0, variance = 0, recorded = 0;

	for (size_t i = 0; i < count; i++) {
		double weight = weight_of(&engine->step[(uint32_t)sum[i].key[0]]);

		elements += weight * (double)sum[i].value[0];
		redundant += weight * (double)sum[i].value[1];
		recorded += (double)sum[i].value[0];
	}
	if (elements <= 0)
		return estimate;
	estimate.share = redundant / elements;
	estimate.scale = elements / recorded;
	for (size_t i = 0, end; i < count; i = end) {
		const struct ct_value_step *step = &engine->step[(uint32_t)sum[i].key[0]];
		double weight = weight_of(step);

		for (end = i; end < count && sum[end].key[0] == sum[i].key[0];)
			end++;
		if (step->ctas)
			variance +=
			    weight * weight * variance_of(step, sum + i, end - i, estimate.share);
	}
	estimate.error = sqrt(variance) / elements;
	return estimate;
}

struct ct_values_spatial ct_values_spatial_of(const struct ct_values_figures *figures,
					      bool is_store)
{
	double scale = is_store ? figures->store_estimate.scale : figures->load_estimate.scale;
	struct ct_values_spatial spatial = {0, 0, 0};
	uint64_t elements = 0, distinct = 0;

	for (size_t i = 0; i < figures->sets; i++) {
		if (figures->set[i].is_store != is_store)
			continue;
		elements += figures->set[i].elements;
		distinct += figures->set[i].launch_distinct;
	}
	if (!elements)
		return spatial;
	spatial.redundant = elements - distinct;
	spatial.least = (double)spatial.redundant / (double)elements;
	spatial.most = 1 - (double)distinct / ((double)elements * (scale > 1 ? scale : 1));
	return spatial;
}
