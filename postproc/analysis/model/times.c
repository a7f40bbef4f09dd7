/* SPDX-License-Identifier: Apache-2.0 */
/* Times of kernels from activities. */
#include "postproc/analysis/model/times.h"

#include <string.h>

static bool is_like(const struct ct_row_activity *row, const struct ct_event_launch *launch)
{
	return row->grid_x == launch->grid[0] && row->grid_y == launch->grid[1] &&
	       row->grid_z == launch->grid[2] && row->block_x == launch->block[0] &&
	       row->block_y == launch->block[1] && row->block_z == launch->block[2];
}

static void add(struct ct_model_time *time, const struct ct_row_activity *row,
		const struct ct_event_launch *launch)
{
	double seconds = (double)row->duration_ns * 1e-9;

	if (row->flags & CT_ACTIVITY_TRACED)
		return;
	if (row->registers) {
		time->registers = row->registers;
		time->shared_bytes = row->shared_bytes;
	}
	if (!is_like(row, launch))
		return;
	time->least = time->count && time->least < seconds ? time->least : seconds;
	time->most = time->most > seconds ? time->most : seconds;
	time->seconds += seconds;
	time->count++;
}

void ct_model_time(struct ct_model_time *time, struct ct_trace *trace, const char *symbol,
		   const struct ct_event_launch *launch)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes);

	*time = (struct ct_model_time){0};
	for (size_t p = 0; p < parts; p++) {
		const void *rows;
		size_t count = 0;

		if (ct_trace_rows(trace, processes[p].part, CT_TABLE_ACTIVITY, &rows, &count) < 0)
			continue;
		for (size_t i = 0; i < count; i++) {
			const struct ct_row_activity *row =
			    (const struct ct_row_activity *)rows + i;

			if (row->kind == CT_ACTIVITY_KERNEL &&
			    strcmp(ct_trace_string(trace, processes[p].part, row->name), symbol) ==
				0)
				add(time, row, launch);
		}
	}
	if (time->count)
		time->seconds /= (double)time->count;
}
