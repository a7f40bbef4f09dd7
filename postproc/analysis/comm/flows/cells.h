/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The density map's cells that the transfers of one source CTA belong to. Its targets ascend, so
 * its cells lie in a row: gathered here, they are added to the map in one go, with the row's lock
 * in place of an atomic operation for each. Of one thread.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_CELLS_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_CELLS_H

#include "postproc/analysis/comm/base/engine.h"

struct ct_row_cell {
	uint32_t target; /* bin */
	uint64_t transfers, bytes;
};

struct ct_cell_row {
	struct ct_engine *engine;
	struct ct_row_cell *cell;
	uint32_t source; /* bin */
	uint32_t cells;
};

/* -ENOMEM */
int ct_cell_row_init(struct ct_cell_row *row, struct ct_engine *engine);
void ct_cell_row_fini(struct ct_cell_row *row);

/* To the map. */
void ct_cell_row_flush(struct ct_cell_row *row);

/* Bins of the source at hand, and of one of its targets. */
static inline void ct_cell_row_add(struct ct_cell_row *row, uint32_t source, uint32_t target,
				   uint64_t transfers, uint64_t bytes)
{
	struct ct_row_cell *cell = &row->cell[row->cells];

	row->source = source;
	if (row->cells && cell[-1].target == target) {
		cell[-1].transfers += transfers;
		cell[-1].bytes += bytes;
		return;
	}
	*cell = (struct ct_row_cell){target, transfers, bytes};
	row->cells++;
}

#endif
