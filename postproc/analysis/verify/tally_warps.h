/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warps whose first segment was seen, a bit each. Most warps have one segment, so where no order
 * is asked for this is nearly all that a tally holds. Zero-initialised, it is empty.
 */
#ifndef CT_POSTPROC_ANALYSIS_VERIFY_TALLY_WARPS_H
#define CT_POSTPROC_ANALYSIS_VERIFY_TALLY_WARPS_H

#include "base/buffer.h"
#include "base/map.h"

#define CT_TALLY_WARPS_CTAS 128u

/* A block of so many successive CTAs of a launch. */
struct ct_tally_warps_block {
	uint32_t warps[CT_TALLY_WARPS_CTAS];
};

struct ct_tally_warps {
	struct ct_map block; /* by launch, and by CTA / CT_TALLY_WARPS_CTAS */
};

void ct_tally_warps_fini(struct ct_tally_warps *warps);

/* 1: the warp was not there; 0: it was; -ENOMEM */
int ct_tally_warps_add(struct ct_tally_warps *warps, uint32_t launch, uint64_t cta, uint32_t warp);
bool ct_tally_warps_has(const struct ct_tally_warps *warps, uint32_t launch, uint64_t cta,
			uint32_t warp);

/* Each block, in no order that means anything; a negative value ends it and is returned. */
int ct_tally_warps_each(const struct ct_tally_warps *warps,
			int (*fn)(void *user, uint32_t launch, uint64_t first_cta,
				  const struct ct_tally_warps_block *block),
			void *user);

/* Add a block; twice reports warps that were there already. 0, or what it returns, or -ENOMEM */
int ct_tally_warps_join(struct ct_tally_warps *into, uint32_t launch, uint64_t first_cta,
			const struct ct_tally_warps_block *block,
			int (*twice)(void *user, uint32_t launch, uint64_t cta, uint32_t warp),
			void *user);

#endif
