/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of communication that are asked for one by one: what was done to addresses, and several
 * devices. */
#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/tables/sink.h"
#include <math.h>

struct row_address_history {
	uint64_t number;
	const struct ct_history_entry *entry;
	const struct ct_superstep *step, *source;
	bool is_access;
	const char *kernel, *operation, *origin, *source_kernel;
};

#define row_scaling_totals ct_comm_shown

struct row_scaling {
	const struct ct_scaling_row *row;
	const struct ct_speedup *speedup;
	const char *placement;
	uint64_t most_crossing_bytes; /* into one superstep */
	bool is_best;
};

struct row_scaling_supersteps {
	uint64_t superstep, bytes;
};

#define CT_DESCRIBED "postproc/analysis/comm/tables/asked.def"
#include "postproc/tables/described.h"

/* Who made the superstep: a kernel, or a call. */
static const char *name_of(const struct ct_superstep *step)
{
	return step->launch ? step->launch->kernel : ct_comm_call_of(step);
}

struct history_rows {
	const struct ct_comm_figures *figures;
	struct ct_table_sink *sink;
};

static const char *operation_of(const struct ct_history_entry *entry)
{
	if (!entry->unit)
		return entry->reads ? "read" : "write";
	if (entry->reads && entry->writes)
		return "atomic";
	return entry->reads ? "load" : "store";
}

static int put_operation(void *user, const struct ct_history_entry *entry)
{
	static const char *const origin[] = {"none", "cta", "host", "own", "unordered", "mixed"};
	const struct history_rows *rows = user;
	const struct ct_superstep *step = rows->figures->superstep;
	struct row_address_history row = {
	    .number = rows->sink->given++,
	    .entry = entry,
	    .step = &step[entry->superstep],
	    .is_access = entry->unit != NULL,
	    .operation = operation_of(entry),
	    .origin = entry->reads ? origin[entry->origin] : NULL,
	};

	row.kernel = name_of(row.step);
	if (entry->reads && entry->source_superstep != CT_NO_SUPERSTEP) {
		row.source = &step[entry->source_superstep];
		row.source_kernel = name_of(row.source);
	}
	return ct_table_put_row(rows->sink, &row);
}

static int rows_address_history(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;
	struct history_rows rows = {shown->figures, sink};

	return ct_history_each(shown->history, put_operation, &rows);
}

static int rows_scaling_totals(const void *from, struct ct_table_sink *sink)
{
	return ct_table_put_row(sink, from);
}

/* By time where it is known, else by what crosses. */
static int rows_scaling(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;
	int err = 0;

	for (size_t i = 0; i < shown->scaling_rows && err == 0; i++) {
		const struct ct_scaling_row *of = &shown->scaling[i];
		struct row_scaling row = {
		    .row = of,
		    .speedup = shown->speedup ? &shown->speedup[i] : NULL,
		    .placement = ct_placement_text(of->placement),
		    .is_best = shown->speedup ? shown->speedup[i].is_best : of->is_best,
		};

		for (size_t s = 0; s < shown->figures->supersteps; s++)
			if (of->superstep_bytes[s] > row.most_crossing_bytes)
				row.most_crossing_bytes = of->superstep_bytes[s];
		err = ct_table_put_row(sink, &row);
		for (size_t s = 0; s < shown->figures->supersteps && err == 0; s++)
			err = ct_table_put_child(
			    sink, 0, &(struct row_scaling_supersteps){s, of->superstep_bytes[s]});
	}
	return err;
}

static const struct ct_table_link of_superstep[] = {{"superstep", "supersteps", "superstep"}, {0}};

#define rows_scaling_supersteps NULL
static const struct ct_table_def scaling_supersteps = {CT_TABLE_PARTS(scaling_supersteps, NULL)};
static const struct ct_table_child of_scaling[] = {{"supersteps", &scaling_supersteps},
						   {NULL, NULL}};

const struct ct_table_def ct_address_history_table = {
    CT_TABLE_SHOWN(address_history, of_superstep)};
const struct ct_table_def ct_scaling_totals_table = {CT_TABLE_PARTS(scaling_totals, NULL)};
const struct ct_table_def ct_scaling_table = {CT_TABLE_SHOWN(scaling, NULL), .child = of_scaling};
