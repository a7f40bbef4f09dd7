/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bit k of a map stays 0 with probability exp(-n p) if n values come, each of which sets it with
 * p = 2^-(k+1) / 64 (the last one 2^-k / 64). The likelihood's derivative falls with n: its zero is
 * found by halving.
 */
#include "postproc/facts/sketch.h"

#include <math.h>

#define STEPS 100

static double probability(unsigned bit)
{
	unsigned exponent = bit + 1 < CT_SUMMARY_MAP_BITS ? bit + 1 : bit;

	return ldexp(1.0 / CT_SUMMARY_MAPS, -(int)exponent);
}

static double slope(const unsigned set[CT_SUMMARY_MAP_BITS], double n)
{
	double sum = 0;

	for (unsigned k = 0; k < CT_SUMMARY_MAP_BITS; k++) {
		double p = probability(k);

		sum += set[k] * p / expm1(n * p) - (CT_SUMMARY_MAPS - set[k]) * p;
	}
	return sum;
}

double ct_sketch_count(const uint32_t map[CT_SUMMARY_MAPS])
{
	unsigned set[CT_SUMMARY_MAP_BITS] = {0}, all = 0;
	double low = 1e-3, high = 1e13;

	for (unsigned i = 0; i < CT_SUMMARY_MAPS; i++)
		for (unsigned k = 0; k < CT_SUMMARY_MAP_BITS; k++) {
			set[k] += map[i] >> k & 1;
			all += map[i] >> k & 1;
		}
	if (!all)
		return 0;
	for (unsigned i = 0; i < STEPS; i++) {
		double middle = sqrt(low * high);

		if (slope(set, middle) > 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}
