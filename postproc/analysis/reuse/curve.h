/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far apart in memory two accesses of one line are: distinct lines that were accessed in
 * between (the LRU stack distance), counted in bins, and the transfers Q(Z, L) that a fully
 * associative LRU memory of Z / L lines would make of them (seed 004, 2.3; Mattson 1970).
 */
#ifndef CT_POSTPROC_ANALYSIS_REUSE_CURVE_H
#define CT_POSTPROC_ANALYSIS_REUSE_CURVE_H

#include <stdbool.h>
#include <stdint.h>

/* Distances below 8 have a bin each; above, each power of two has 8. The last bin: 2^40 on. */
#define CT_REUSE_FINE_LOG2 3u
#define CT_REUSE_FINE (1u << CT_REUSE_FINE_LOG2)
#define CT_REUSE_BINS (CT_REUSE_FINE * (40u - CT_REUSE_FINE_LOG2 + 1u) + 1u)

/*
 * Accesses of lines: a request accesses each line that it touches once. All counts are estimates
 * where lines are sampled (analysis.h), and add up to references then, too.
 */
struct ct_reuse_curve {
	uint64_t references;
	uint64_t cold; /* of lines that nothing accessed before in the trace */
	/* By distance: lines that the same launch accessed before, and that only earlier ones did,
	 * which a memory that keeps its contents between launches may have. */
	uint64_t within[CT_REUSE_BINS], across[CT_REUSE_BINS];
};

uint32_t ct_reuse_bin(uint64_t distance);
/* The least distance of a bin; of CT_REUSE_BINS: UINT64_MAX. */
uint64_t ct_reuse_bin_begin(uint32_t bin);

void ct_reuse_curve_add(struct ct_reuse_curve *to, const struct ct_reuse_curve *from);

/* Transfers of a memory of that many lines: Q(Z, L) with lines = Z / L. is_warm: it keeps what
 * earlier launches left; otherwise it is empty when a launch begins. Within a bin, distances count
 * as spread evenly. */
double ct_reuse_transfers(const struct ct_reuse_curve *curve, double lines, bool is_warm);

/* Lines that are accessed in a launch, summed over launches: transfers that no memory avoids. */
uint64_t ct_reuse_compulsory(const struct ct_reuse_curve *curve);

/* Exponent a of Q(Z) ~ Z^-a, fitted to the logarithms at powers of two of lines from 1 on, as long
 * as there are more transfers than compulsory ones; 0.5: as matrices multiplied in blocks, 0:
 * streams. false: fewer than three such points. */
bool ct_reuse_exponent(const struct ct_reuse_curve *curve, double *exponent);

#endif
