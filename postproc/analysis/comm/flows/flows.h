/* SPDX-License-Identifier: Apache-2.0 */
/* What counting of transfers shares: single ones (flow.c) and products (dense_count.c). */
#ifndef CT_COMM_FLOWS_FLOWS_H
#define CT_COMM_FLOWS_FLOWS_H

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

static inline void ct_cell_add(struct ct_engine *engine, uint32_t source, uint32_t target,
			       uint64_t transfers, uint64_t bytes)
{
	uint64_t *cell = engine->cell[(size_t)source * engine->bins + target];

	__atomic_add_fetch(&cell[0], transfers, __ATOMIC_RELAXED);
	__atomic_add_fetch(&cell[1], bytes, __ATOMIC_RELAXED);
}

#endif
