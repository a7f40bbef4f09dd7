/* SPDX-License-Identifier: Apache-2.0 */
/* Bins of distances, and the transfers that follow from them. */
#include "postproc/analysis/reuse/curve.h"

#include <math.h>

uint32_t ct_reuse_bin(uint64_t distance)
{
	uint32_t octave, bin;

	if (distance < CT_REUSE_FINE)
		return (uint32_t)distance;
	octave = 63 - (uint32_t)__builtin_clzll(distance);
	bin = (octave - CT_REUSE_FINE_LOG2 + 1) * CT_REUSE_FINE +
	      (uint32_t)(distance >> (octave - CT_REUSE_FINE_LOG2) & (CT_REUSE_FINE - 1));
	return bin < CT_REUSE_BINS ? bin : CT_REUSE_BINS - 1;
}

uint64_t ct_reuse_bin_begin(uint32_t bin)
{
	uint32_t octave = bin / CT_REUSE_FINE;

	if (bin >= CT_REUSE_BINS)
		return UINT64_MAX;
	return octave ? (uint64_t)(CT_REUSE_FINE + bin % CT_REUSE_FINE) << (octave - 1) : bin;
}

void ct_reuse_curve_add(struct ct_reuse_curve *to, const struct ct_reuse_curve *from)
{
	to->references += from->references;
	to->cold += from->cold;
	for (uint32_t bin = 0; bin < CT_REUSE_BINS; bin++) {
		to->within[bin] += from->within[bin];
		to->across[bin] += from->across[bin];
	}
}

/* Returns the part of a bin's distances that is of so many lines or more: they miss. */
static double part_from(uint32_t bin, double lines)
{
	double begin = (double)ct_reuse_bin_begin(bin), end = (double)ct_reuse_bin_begin(bin + 1);

	return lines <= begin ? 1 : lines >= end ? 0 : (end - lines) / (end - begin);
}

double ct_reuse_transfers(const struct ct_reuse_curve *curve, double lines, bool is_warm)
{
	double transfers = (double)curve->cold;

	for (uint32_t bin = 0; bin < CT_REUSE_BINS; bin++) {
		double part = part_from(bin, lines);

		transfers += part * (double)curve->within[bin];
		transfers += (is_warm ? part : 1) * (double)curve->across[bin];
	}
	return transfers;
}

uint64_t ct_reuse_compulsory(const struct ct_reuse_curve *curve)
{
	uint64_t lines = curve->cold;

	for (uint32_t bin = 0; bin < CT_REUSE_BINS; bin++)
		lines += curve->across[bin];
	return lines;
}

bool ct_reuse_exponent(const struct ct_reuse_curve *curve, double *exponent)
{
	double least = (double)ct_reuse_compulsory(curve);
	double n = 0, x = 0, y = 0, xx = 0, xy = 0;

	for (int log2_lines = 0; log2_lines < 40; log2_lines++) {
		double transfers = ct_reuse_transfers(curve, exp2(log2_lines), false);

		if (transfers <= least * (1 + 1e-9))
			break;
		n++;
		x += log2_lines;
		y += log2(transfers);
		xx += (double)log2_lines * log2_lines;
		xy += log2_lines * log2(transfers);
	}
	if (n < 3)
		return false;
	*exponent = -(n * xy - x * y) / (n * xx - x * x);
	return true;
}
