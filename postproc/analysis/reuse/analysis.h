/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reuse distances by kernel and object, for lines of 32, 64 and 128 bytes, and from them Q(Z, L):
 * how many lines a memory of Z bytes fetches (seed 004, 2.3; worked out in docs/access.md).
 *
 * The order of accesses is that of the trace: of a warp its program order, of warps that in which
 * their records went to the ring, some hundred accesses of one at a time. A device of a process has
 * one LRU stack per size, which goes on from launch to launch. Distances are exact up to
 * CT_REUSE_LINES lines of a size that a device accesses in all; from there on one line of 2, 4, 8 …
 * is sampled (stack.h), which ct_reuse_results.sampled tells, and ct_reuse_error how far off
 * transfers may be. Memory is bounded by CT_REUSE_LINES and by the kernels and objects there are.
 *
 * Of global memory. It is not in analyses.def: for the order of the trace, one thread decodes.
 */
#ifndef CT_POSTPROC_ANALYSIS_REUSE_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_REUSE_ANALYSIS_H

#include "postproc/analysis/reuse/curve.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/scan/analysis.h"

#define CT_REUSE_SIZES 3u
#define CT_REUSE_SIZE_BYTES(size) (32u << (size)) /* size: below CT_REUSE_SIZES */
#define CT_REUSE_LINES (1u << 18)                 /* of a size and device, before sampling */
#define CT_REUSE_SHARES 8u
#define CT_REUSE_OCTAVES 42u

/* Describes what launches of a kernel did to objects of one group. */
struct ct_reuse_row {
	uint32_t kernel, group;
	struct ct_reuse_curve curve[CT_REUSE_SIZES];
};

/* Counts for a kernel the same of disjoint samples of lines, by powers of two of the distance:
 * octave 0 is distance 0, octave n those below 2^n. */
struct ct_reuse_share {
	uint64_t references, cold, within[CT_REUSE_OCTAVES], across[CT_REUSE_OCTAVES];
};

struct ct_reuse_kernel {
	uint64_t launches;
	struct ct_reuse_curve curve[CT_REUSE_SIZES]; /* of all its rows together */
	struct ct_reuse_share share[CT_REUSE_SIZES][CT_REUSE_SHARES];
};

struct ct_reuse_results {
	struct ct_kernel_table kernels;
	struct ct_reuse_kernel *kernel; /* by kernels.list */
	/* By group: its first object; NULL of memory of no known object, the last one. */
	const struct ct_object_info **object;
	uint32_t groups;
	struct ct_reuse_row *row; /* by kernel and group; those that have references */
	size_t rows;
	/* By size: one in 2^n lines was sampled at the end, of the device of which the fewest were;
	 * 0: all figures are exact. */
	uint32_t sampled[CT_REUSE_SIZES];
};

/* The job of ct_reuse_analysis. Zero-initialise; ct_reuse_job_fini frees what comes of it. */
struct ct_reuse_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter; /* NULL: everything passes; what does not leaves no trace in
					   the stacks */
	uint32_t lines;                 /* 0: CT_REUSE_LINES; from 64, a power of two */
	struct ct_reuse_results results; /* after the pass, of rank 0 */
};

extern const struct ct_analysis ct_reuse_analysis;

void ct_reuse_job_fini(struct ct_reuse_job *job);

/* The standard error of ct_reuse_transfers by references (of a miss ratio) of a kernel, from what
 * its disjoint samples say; 0 if all lines were kept. size: below CT_REUSE_SIZES. */
double ct_reuse_error(const struct ct_reuse_results *results, uint32_t kernel, uint32_t size,
		      double lines, bool is_warm);

#endif
