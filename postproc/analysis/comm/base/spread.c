/* SPDX-License-Identifier: Apache-2.0 */
#include "postproc/analysis/comm/base/spread.h"

static uint64_t quantile(const struct ct_comm_histogram *histogram, uint64_t count,
			 unsigned percent)
{
	unsigned __int128 so_far = 0, wanted = (unsigned __int128)count * percent;
	size_t i = 0;

	for (; i + 1 < histogram->count; i++) {
		so_far += histogram->entry[i].count;
		if (100 * so_far >= wanted)
			break;
	}
	return histogram->entry[i].key;
}

struct ct_comm_spread ct_comm_spread_of(const struct ct_comm_histogram *histogram)
{
	struct ct_comm_spread spread = {.count = 0};
	double sum = 0;

	for (size_t i = 0; i < histogram->count; i++) {
		spread.count += histogram->entry[i].count;
		sum += (double)histogram->entry[i].key * (double)histogram->entry[i].count;
	}
	if (!spread.count)
		return spread;
	spread.p5 = quantile(histogram, spread.count, 5);
	spread.p25 = quantile(histogram, spread.count, 25);
	spread.median = quantile(histogram, spread.count, 50);
	spread.p75 = quantile(histogram, spread.count, 75);
	spread.p95 = quantile(histogram, spread.count, 95);
	spread.most = histogram->entry[histogram->count - 1].key;
	spread.mean = sum / (double)spread.count;
	return spread;
}
