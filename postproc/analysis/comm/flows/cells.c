/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the density map. */
#include "postproc/analysis/comm/flows/cells.h"

#include <errno.h>
#include <stdlib.h>

#define AHEAD 8u /* cells that are fetched early */

int ct_cell_row_init(struct ct_cell_row *row, struct ct_engine *engine)
{
	*row = (struct ct_cell_row){.engine = engine};
	row->cell = malloc((engine->bins + 1) * sizeof(*row->cell));
	return row->cell ? 0 : -ENOMEM;
}

void ct_cell_row_fini(struct ct_cell_row *row)
{
	free(row->cell);
	row->cell = NULL;
}

void ct_cell_row_flush(struct ct_cell_row *row)
{
	struct ct_engine *engine = row->engine;
	pthread_mutex_t *lock = &engine->cell_lock[row->source % CT_CELL_LOCKS];
	uint64_t(*to)[2] = &engine->cell[(size_t)row->source * engine->bins];
	const struct ct_row_cell *cell = row->cell;

	if (!row->cells)
		return;
	pthread_mutex_lock(lock);
	for (uint32_t i = 0; i < row->cells; i++) {
		if (i + AHEAD < row->cells)
			__builtin_prefetch(to[cell[i + AHEAD].target], 1);
		to[cell[i].target][0] += cell[i].transfers;
		to[cell[i].target][1] += cell[i].bytes;
	}
	pthread_mutex_unlock(lock);
	row->cells = 0;
}
