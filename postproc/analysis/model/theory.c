/* SPDX-License-Identifier: Apache-2.0 */
/* Work, depth, balance, roofline. */
#include "postproc/analysis/model/theory.h"

#include <math.h>

double ct_model_brent(double work, double depth, double processors)
{
	return depth + (work - depth) / processors;
}

double ct_model_parallelism(double work, double depth)
{
	return depth > 0 ? work / depth : 0;
}

/* The left side of (2.4). */
static double needed(const struct ct_model_memory *m, double depth, double transactions)
{
	return m->processors * m->rate / m->bandwidth *
	       (1 + m->latency * m->bandwidth / m->line / (transactions / depth));
}

void ct_model_balance(struct ct_model_balance *balance, const struct ct_model_memory *memory,
		      double work, double depth, double transactions)
{
	const struct ct_model_memory *m = memory;
	struct ct_model_memory wider = *memory, faster = *memory;
	double right;

	*balance = (struct ct_model_balance){
	    .machine = m->processors * m->rate / m->bandwidth,
	    .little = 1 + m->latency * m->bandwidth / m->line / (transactions / depth),
	    .intensity = work / (transactions * m->line),
	    .amdahl = 1 + (m->processors - 1) / (work / depth),
	};
	right = balance->intensity * balance->amdahl;
	balance->slack = right / needed(m, depth, transactions);
	/* As many words in transactions of twice the size are half as many. */
	wider.line *= 2;
	faster.bandwidth *= 2;
	balance->twice_line = right / needed(&wider, depth, transactions / 2);
	balance->twice_bandwidth = right / needed(&faster, depth, transactions);
}

double ct_model_roof(double peak, double bandwidth, double intensity)
{
	return fmin(peak, bandwidth * intensity);
}

double ct_model_efficiency(double instructions, double threads)
{
	return 1 / (instructions * threads);
}

double ct_model_utilization(double instructions, double regions, double cta_warps, double sm_ctas)
{
	return instructions / regions * ((cta_warps - 1) / 2 + (sm_ctas - 1) * cta_warps);
}
