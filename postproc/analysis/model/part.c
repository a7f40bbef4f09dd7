/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of launches and machines. */
#include "postproc/analysis/model/part.h"

#include <math.h>

#define SECTOR 32.0 /* bytes */

struct ct_model_part ct_model_part(uint32_t sms, uint32_t simulated, double ctas)
{
	double part = simulated / ctas;
	struct ct_model_part whole = {.sms = sms, .share = 1, .times = 1}, less;

	if (!simulated || !(part < 1))
		return whole;
	less.sms = (uint32_t)fmax(round(part * sms), 1);
	less.share = (double)less.sms / sms;
	less.times = less.share / part;
	return less;
}

/* Counts the sectors of so many CTAs. */
static double sectors_of(const struct ct_streams_extent *kept, double ctas)
{
	return (double)kept->common + (double)kept->alone * ctas / (double)kept->ctas;
}

uint64_t ct_model_part_l2(double l2_bytes, const struct ct_streams_extent *kept, double simulated,
			  double ctas)
{
	double all;

	if (!kept->ctas || !(simulated < ctas))
		return (uint64_t)l2_bytes;
	all = sectors_of(kept, ctas);
	if (all * SECTOR <= l2_bytes)
		return (uint64_t)l2_bytes;
	return (uint64_t)(l2_bytes * sectors_of(kept, simulated) / all);
}

uint32_t ct_model_part_warps(const struct ct_warp_stream *const *stream, uint32_t count,
			     uint64_t most, uint32_t least)
{
	uint64_t sum = 0;
	uint32_t first = 0, ctas = 0; /* of this CTA; before it */

	for (uint32_t w = 0; most && w < count; w++) {
		if (w && stream[w]->cta != stream[first]->cta) {
			first = w;
			ctas++;
		}
		sum += (uint64_t)stream[w]->requests + stream[w]->sectors;
		if (sum > most && ctas >= least)
			return first;
	}
	return count;
}
