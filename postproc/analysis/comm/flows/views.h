/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Density and distance of parts of the transfers: of those that end in some successive launches,
 * and of those between two kernels. How many parts there are does not depend on the trace: many
 * launches share a part, and of many kernels those that launch most CTAs have parts.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_VIEWS_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_VIEWS_H

#include "postproc/analysis/comm/base/engine.h"

struct ct_views {
	uint32_t merged;  /* bins of the density map that make a bin here, on each axis */
	uint32_t bins;    /* on an axis */
	uint32_t *slot;   /* by superstep; CT_NONE: its transfers do not count */
	uint32_t slots;   /* the first views; those of pairs follow */
	uint32_t *place;  /* by kernel, among those that have views; CT_NONE: none */
	uint32_t kernels; /* that have them */
	size_t words;     /* of a view: transfers and bytes by cell, then bytes by distance */
	size_t views;
	uint64_t *word; /* views * words; threads add to it */
};

/* The engine is prepared. -ENOMEM */
int ct_views_open(struct ct_views **out, const struct ct_engine *engine);
void ct_views_close(struct ct_views *views); /* NULL is allowed */

/* Bytes between two supersteps, by all CTAs together. */
void ct_views_add_distance(const struct ct_engine *engine, uint32_t source, uint32_t target,
			   uint64_t bytes);
/* The same in a cell; the bins are those of the density map. */
void ct_views_add_cell(const struct ct_engine *engine, uint64_t supersteps, uint32_t source,
		       uint32_t target, uint64_t transfers, uint64_t bytes);

/* Cells of a view, all 0, to be filled once and added to many; NULL: there are no views, or no
 * memory. The caller frees them. */
uint64_t *ct_views_cells(const struct ct_engine *engine);
/* cells NULL: nothing happens. */
void ct_views_gather(const struct ct_engine *engine, uint64_t *cells, uint32_t source,
		     uint32_t target, uint64_t transfers, uint64_t bytes);
void ct_views_add_cells(const struct ct_engine *engine, uint32_t source, uint32_t target,
			const uint64_t *cells);

/* Makes the views, of rank 0. -ENOMEM */
int ct_views_make(struct ct_comm_figures *figures, const struct ct_engine *engine);

#endif
