/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that the driver compiles at run time, since the program has no code for the device (seed
 * 000, 3.4): by COMPILE, at the call that it did so in. */
#include "postproc/analysis/ffm/detect/detect.h"
#include <errno.h>

/* The step with this correlation, else the shortest one under way all the time. */
static uint32_t step_of(const struct ct_ffm_program *program, const struct ct_row_compile *row)
{
	uint64_t end = row->begin_ns + row->duration_ns;
	uint32_t found = CT_FFM_NONE;

	for (uint32_t s = 0; s < program->graph.steps; s++) {
		const struct ct_row_call *call = &program->calls[program->call[s]];

		if (row->correlation && call->correlation == row->correlation)
			return s;
		if (call->begin_ns > row->begin_ns || call->begin_ns + call->duration_ns < end)
			continue;
		if (found == CT_FFM_NONE ||
		    call->duration_ns < program->calls[program->call[found]].duration_ns)
			found = s;
	}
	return found;
}

/* own: by site of the study + 1, the time of this process. */
static int add_row(struct ct_ffm_study *study, struct ct_ffm_process *process,
		   const struct ct_row_compile *row, struct ct_map *own, struct ct_map *seen)
{
	uint32_t step = step_of(&process->program, row);
	struct ct_ffm_site site = {.call = ""};
	union ct_map_value *own_ns, *is_seen;
	struct ct_ffm_entry *entry;

	if (step != CT_FFM_NONE)
		site = ct_ffm_site_of(study, process, step);
	own_ns = ct_map_put(own, step == CT_FFM_NONE ? 0 : process->site[step] + 1ull, 0);
	is_seen = ct_map_put(seen, step, 0);
	entry = ct_ffm_study_entry(study, CT_FFM_JIT, site.call, site.stack);
	if (!own_ns || !is_seen || !entry)
		return -ENOMEM;
	entry->processes += own_ns->number == 0;
	entry->site.count += is_seen->number == 0;
	entry->bytes += row->bytes;
	own_ns->number += row->duration_ns;
	is_seen->number = 1;
	if (own_ns->number > entry->expected_ns)
		entry->expected_ns = entry->call_ns = own_ns->number;
	return 0;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	struct ct_map own = {0}, seen = {0};
	const void *rows;
	size_t count;
	int err = ct_trace_rows(study->calls, process->calls_part, CT_TABLE_COMPILE, &rows, &count);
	const struct ct_row_compile *row = rows;

	for (size_t i = 0; i < count && err == 0; i++)
		if (row[i].operation == CT_COMPILE_COMPILE)
			err = add_row(study, process, &row[i], &own, &seen);
	ct_map_fini(&own);
	ct_map_fini(&seen);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_compilations = {"compilations", detect};
