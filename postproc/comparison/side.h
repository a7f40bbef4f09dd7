/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of two studies that are compared: its kernels and lines with the figures of both, whatever
 * analyses these come from. Figures are of all launches of a kernel: where a part of its thread
 * blocks was recorded, they are scaled by how many there were.
 */
#ifndef CT_POSTPROC_COMPARISON_SIDE_H
#define CT_POSTPROC_COMPARISON_SIDE_H

#include "postproc/analysis/finder.h"
#include "postproc/problems/identity.h"

#include <math.h>

/* NAN: not recorded. */
struct ct_side_figures {
	double requests, sectors, ideal_sectors; /* of global memory */
	double wavefronts;                       /* of shared memory */
	double elements, redundant;              /* of loads and stores with values */
	double seconds;                          /* measured, of kernels that ran pristine */
};

#define CT_SIDE_NOTHING                                                                            \
	((struct ct_side_figures){.requests = NAN,                                                 \
				  .sectors = NAN,                                                  \
				  .ideal_sectors = NAN,                                            \
				  .wavefronts = NAN,                                               \
				  .elements = NAN,                                                 \
				  .redundant = NAN,                                                \
				  .seconds = NAN})

struct ct_side_kernel {
	const char *name, *symbol; /* of the trace */
	char *folded;              /* facts/folded_name.h */
	uint64_t launches;
	double scale; /* thread blocks by those that were recorded; NAN: none was */
	struct ct_side_figures figures;
	double predicted;    /* seconds, by the model; NAN: not known */
	double instructions; /* of warps; NAN: not recorded */
	/* GPUPerf's potential benefits of a launch (seed 004, 4.1), in cycles; NAN: not known. */
	double b_itilp, b_memlp, b_fp, b_serial;
};

/* A line of the source in a kernel. */
struct ct_side_line {
	size_t kernel;
	const char *file, *base; /* of the trace; base: without directories */
	uint32_t line;
	/* Says what it does: operations and objects, sorted; "" of a line that samples alone
	 * know. */
	char *signature;
	char *text; /* of the source, without comments, blanks as one; "" not known */
	struct ct_side_figures figures; /* seconds: by samples */
};

struct ct_side {
	/* The name is the caller's, as long as the comparison. */
	const char *name;
	const struct ct_inquiry *inquiry;
	const struct ct_problems *problems;
	const struct ct_line_texts *texts; /* what lines said in the run; NULL: not known */

	double run_seconds, kernel_seconds; /* measured; NAN: not known */
	bool is_cpu;                        /* kernels ran on CPU threads */
	bool is_scaled;                     /* of some kernel a part was recorded */
	bool has_accesses, has_shared, has_values, has_blocks;
	struct ct_side_kernel *kernel;
	size_t kernels;
	struct ct_side_line *line; /* by kernel, base, line */
	size_t lines;
};

/* 0 or -ENOMEM; fini frees in either case. */
int ct_side_init(struct ct_side *side);
void ct_side_fini(struct ct_side *side);

/* The kernel of a name; SIZE_MAX: there is none. */
size_t ct_side_kernel_of(const struct ct_side *side, const char *name);
/* Whether what an analysis needs to find its problems was recorded. */
bool ct_side_sees(const struct ct_side *side, const char *analysis);

/* Without directories. */
const char *ct_side_base(const char *path);

#endif
