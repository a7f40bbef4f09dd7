/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays of which CTAs load the same again and again, by several of their warps, so that shared
 * memory could hold what they work on (seed 003, slides 15 and 16). Figures are of the CTAs of the
 * launch that the model goes by (model/streams.h). Not those that the kernel stores to, nor those
 * whose elements lanes gather (it is not known which of them a CTA will need) or load with strides,
 * which is to be fixed first. docs/memories.md.
 */
#ifndef CT_POSTPROC_ANALYSIS_MEMORIES_TILES_H
#define CT_POSTPROC_ANALYSIS_MEMORIES_TILES_H

#include "postproc/analysis/access/analysis.h"
#include "postproc/analysis/model/all.h"
#include "postproc/analysis/model/simulate.h"

#define CT_TILES_ARRAYS 8u

struct ct_staged {
	uint32_t group;
	const struct ct_access_row *row; /* of its loads, the one of the most requests */
	struct ct_simulate_range range;
	/* Sectors that requests of a CTA load, and of these distinct ones, in the mean; warps of a
	 * CTA that load one of them, likewise. */
	double loaded, distinct, warps;
	double requests; /* of the kernel's, in parts */
};

/* The arrays of a kernel, those that are loaded most first. */
struct ct_stagings {
	struct ct_staged list[CT_TILES_ARRAYS];
	uint32_t count;
};

/* kernel: of the model's. 0 or -ENOMEM. */
int ct_tiles_find(struct ct_stagings *tiles, const struct ct_access_results *access,
		  const struct ct_model_all *model, const struct ct_model_kernel *kernel);

#endif
