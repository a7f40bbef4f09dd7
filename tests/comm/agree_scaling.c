/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what crosses between devices, for the placements that are formulas. */
#include "postproc/analysis/comm/scaling/scaling.h"
#include "tests/comm/agree.h"

#include <stdio.h>
#include <stdlib.h>

static void agree_row(const struct reference *reference, const struct ct_scaling_row *row,
		      struct disagreement *found)
{
	bool in_turn = row->placement == CT_PLACEMENT_CYCLIC;
	const struct bag *crossing = &reference->crossing[row->devices - 2][in_turn];
	uint64_t *expected = must_have(reference->figures.supersteps + 1, sizeof(*expected));
	char what[64];

	for (size_t i = 0; i < crossing->count; i++)
		expected[crossing->entry[i].key[1]]++;
	for (size_t s = 0; s < reference->figures.supersteps; s++) {
		if (expected[s] == row->superstep_bytes[s])
			continue;
		snprintf(what, sizeof(what), "scaling: %u devices, %s, superstep %zu", row->devices,
			 ct_placement_text(row->placement), s);
		disagree(found, what, (double)expected[s], (double)row->superstep_bytes[s]);
	}
	free(expected);
}

void agree_scaling(const struct reference *reference, struct ct_comm *comm, struct ct_ranks *ranks,
		   struct disagreement *found)
{
	const struct ct_scaling_options options = {
	    .devices_min = 2, .devices_max = REFERENCE_DEVICES, .bandwidth = 1e9, .ranks = ranks};
	const struct ct_scaling_row *row;
	struct ct_scaling *scaling;
	size_t rows;
	int err = ct_scaling_open(&scaling, comm, &options);

	if (err < 0) {
		disagree(found, "ct_scaling_open", 0, err);
		return;
	}
	row = ct_scaling_rows(scaling, &rows);
	for (size_t i = 0; i < rows; i++)
		if (row[i].placement != CT_PLACEMENT_GRAPH)
			agree_row(reference, &row[i], found);
	ct_scaling_close(scaling);
}
