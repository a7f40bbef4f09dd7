/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what CTAs send themselves beside all transfers, so that figures can be had with and
 * without. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_SELVES_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_SELVES_H

#include "postproc/analysis/comm/base/engine.h"

#define CT_SMALL_SIZES 65536u

struct ct_selves {
	uint64_t *received, *sent; /* bytes, by superstep */
	uint64_t *size;            /* transfers, by bytes below CT_SMALL_SIZES */
	uint64_t *distance;        /* bytes, by levels */
	uint64_t levels;
	uint64_t (*cell)[2]; /* by bin of the density map: transfers, bytes */
	uint64_t *cta_bytes; /* by CTA */
};

/* 0 or -ENOMEM; to be finished in either case. */
int ct_selves_init(struct ct_selves *selves, const struct ct_engine *engine, uint64_t levels);
void ct_selves_fini(struct ct_selves *selves);
/* All but its size. */
void ct_selves_count(struct ct_selves *selves, const struct ct_engine *engine,
		     const struct ct_flow *flow, uint64_t transfers);
/* To the sums; 0 or the first error. */
int ct_selves_add(const struct ct_selves *selves, const struct ct_engine *engine,
		  struct ct_sums *sums);

#endif
