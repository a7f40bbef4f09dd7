/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of all accesses to a range of addresses (seed 001, B.3). A warp's
 * access becomes a row per run: lanes next to each other with the same size
 * whose addresses follow each other without a gap, or are the same.
 */
#include "postproc/facts/lanes.h"
#include "postproc/render/export/tables.h"
#include <errno.h>

struct row_history {
	const struct ct_access *access;
	uint64_t number, superstep, unit;
	uint64_t address, size, stride;
	uint32_t accesses, lane;
};

#define CT_DESCRIBED "postproc/render/export/history_table.def"
#include "postproc/tables/described.h"

struct history {
	const struct ct_export *export;
	struct ct_table_sink *sink;
	const struct ct_unit *units;
	struct row_history row; /* the run so far, if it has accesses */
};

static int end_run(struct history *history)
{
	struct row_history *row = &history->row;
	int err = 0;

	if (row->accesses) {
		err = ct_table_put_row(history->sink, row);
		row->number++;
	}
	row->accesses = 0;
	return err;
}

/* Does a lane's access go on the run? Sets the stride with the second one. */
static bool goes_on(struct row_history *row, uint32_t lane, uint64_t address, uint64_t size)
{
	uint64_t stride = address == row->address ? 0 : row->size;

	if (!row->accesses || size != row->size || lane != row->lane + row->accesses)
		return false;
	if (row->accesses > 1)
		stride = row->stride;
	if (address != row->address + stride * row->accesses)
		return false;
	row->stride = stride;
	return true;
}

static int add_lane(struct history *history, uint32_t lane, uint64_t address, uint64_t size)
{
	struct row_history *row = &history->row;
	int err = 0;

	if (!goes_on(row, lane, address, size)) {
		err = end_run(history);
		row->address = address;
		row->size = size;
		row->stride = 0;
		row->lane = lane;
	}
	row->accesses++;
	return err;
}

static int add_access(void *user, const struct ct_access *access)
{
	struct history *history = user;
	const struct ct_export *export = history->export;
	struct row_history *row = &history->row;
	uint32_t lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	int err = 0;

	if (ct_operation_class(access->info->operation) >= CT_ACCESS_CLASSES || !lanes)
		return 0;
	row->access = access;
	row->unit = (uint64_t)(access->unit - history->units);
	row->superstep =
	    ct_order_of_launch(export->order, access->launch->part, access->launch->event->launch);
	for (; lanes && err == 0; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		uint64_t address = access->address[lane], size = ct_lane_bytes(access, lane);

		if (size && address <= export->history_last &&
		    address + (size - 1) >= export->history_first)
			err = add_lane(history, lane, address, size);
	}
	return err < 0 ? err : end_run(history);
}

static int rows_history(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	struct history history = {.export = export, .sink = sink};
	const struct ct_each each = {.access = add_access, .user = &history};

	ct_trace_units(export->trace, &history.units);
	return export->each(export, &each);
}

static const struct ct_table_link of_history[] = {{"part, launch", "launches", "part, launch"},
						  {"unit, site", "sites", "unit, site"},
						  {"address", NULL, NULL},
						  {0}};

CT_TABLE_OF(history, CT_NEEDS_ORDER | CT_IS_ON_REQUEST, of_history, NULL);
