/* SPDX-License-Identifier: Apache-2.0 */
/* Counting of single transfers (flow.c) and of products (dense_count.c) share this. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_FLOWS_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_FLOWS_H

#include "postproc/analysis/comm/base/engine.h"

static inline bool ct_is_upper(uint64_t coordinate, uint32_t extent)
{
	return extent > 1 && 2 * coordinate >= extent;
}

/* Bit d: in the upper half of dimension d. */
static inline unsigned ct_half_of(const uint32_t grid[3], uint32_t cta)
{
	uint32_t rest;

	if (grid[1] == 1 && grid[2] == 1)
		return ct_is_upper(cta, grid[0]);
	rest = cta / grid[0];
	return ct_is_upper(cta % grid[0], grid[0]) |
	       (unsigned)ct_is_upper(rest % grid[1], grid[1]) << 1 |
	       (unsigned)ct_is_upper(rest / grid[1], grid[2]) << 2;
}

static inline const uint32_t *ct_grid_of(const struct ct_engine *engine, uint32_t superstep)
{
	return engine->superstep[superstep].launch->event->grid;
}

/* Bin of the density map; UINT32_MAX: not in it. */
static inline uint32_t ct_bin_of(const struct ct_engine *engine, uint32_t cta)
{
	uint32_t first = engine->options.density_first;

	if (cta < first || cta > engine->options.density_last)
		return UINT32_MAX;
	return (uint32_t)((cta - first) / engine->bin_ctas);
}

/* Piece by piece, those of one transfer one after another. Is this one of the same? */
static inline bool ct_flow_join(struct ct_flow *flow, const struct ct_flow_piece *piece)
{
	if (piece->ctas != flow->ctas || piece->supersteps != flow->supersteps)
		return false;
	flow->bytes += piece->bytes;
	flow->loads += piece->loads;
	return true;
}

/* A sum of the kind; nothing is added where there is nothing. */
static inline int ct_fact_add(struct ct_sums *sums, enum ct_fact fact, uint64_t rest, uint64_t key1,
			      uint64_t value0, uint64_t value1)
{
	return value0 || value1 ? ct_sums_add(sums, CT_FACT_KEY(fact, rest), key1, value0, value1)
				: 0;
}

#endif
