/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that constant memory, or a kernel's arguments, would serve (seed 003, slides 11 and 12):
 * no traced kernel writes them, all of them fit, the lanes of a warp read one address at a time,
 * and each warp reads a good part of what the launch reads. Rows of a matrix that warps read each
 * for itself are none, however small it is. docs/memories.md.
 */
#ifndef CT_POSTPROC_ANALYSIS_MEMORIES_CONSTANTS_H
#define CT_POSTPROC_ANALYSIS_MEMORIES_CONSTANTS_H

#include "postproc/analysis/access/analysis.h"

#define CT_CONSTANT_BYTES 65536u /* that a program has of it */
#define CT_ARGUMENT_BYTES 4096u  /* of a kernel, on any device */

struct ct_constant {
	uint32_t kernel, group;          /* of the accesses */
	const struct ct_access_row *row; /* of its loads, the one of the most requests */
	uint64_t bytes;                  /* of the array */
	double requests, share;          /* that load it; of all of the kernel's */
	double warps;                    /* that load an element, of those of a launch, in parts */
};

struct ct_constants {
	struct ct_constant *list; /* the most requests first */
	size_t count;
};

/* 0 or -ENOMEM; fini frees in either case. */
int ct_constants_init(struct ct_constants *constants, const struct ct_access_results *access);
void ct_constants_fini(struct ct_constants *constants);

#endif
