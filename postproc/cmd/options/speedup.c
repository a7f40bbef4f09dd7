/* SPDX-License-Identifier: Apache-2.0 */
/* Times of a run on one device, and what follows for several. */
#include "postproc/cmd/options/speedup.h"

#include "base/array.h"
#include "base/map.h"
#include "postproc/analysis/model/machine.h"
#include "postproc/analysis/model/times.h"
#include "postproc/cmd/base/trace_file.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int ctpost_comm_read_machine(struct ctpost_call *call, struct ct_scaling_options *options,
			     struct ct_speedup_program *program)
{
	const char *path = ctpost_value(call, "machine");
	struct ct_machine machine;
	char why[CT_MACHINE_TEXT_BYTES];

	if (!path)
		return CTPOST_OK;
	if (ct_machine_read(&machine, path, why) < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", path, why);
	if (machine.has_peers && !ctpost_value(call, "bandwidth"))
		options->bandwidth = machine.peer_both_bandwidth;
	if (machine.has_peers && !ctpost_value(call, "latency"))
		options->latency = machine.peer_step_seconds;
	if (!machine.has_peers &&
	    !(ctpost_value(call, "bandwidth") && ctpost_value(call, "latency")))
		fprintf(stderr,
			"ctpost: warning: %s: links between devices are not measured, as on a "
			"machine of one device; give them by --bandwidth and --latency\n",
			path);
	program->fixed = machine.kernel_seconds;
	program->launch = machine.launch_seconds;
	program->issue = machine.has_peers ? machine.peer_issue_seconds : machine.launch_seconds;
	return CTPOST_OK;
}

/* Copies of all processes between host and devices. */
static void add_copies(struct ct_speedup_program *program, struct ct_trace *times)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(times, &processes);

	for (size_t p = 0; p < parts; p++) {
		const struct ct_row_activity *row;
		const void *rows;
		size_t count = 0;

		if (ct_trace_rows(times, processes[p].part, CT_TABLE_ACTIVITY, &rows, &count) < 0)
			continue;
		row = rows;
		for (size_t i = 0; i < count; i++) {
			double seconds = (double)row[i].duration_ns * 1e-9;

			if (row[i].kind != CT_ACTIVITY_COPY)
				continue;
			program->to_device += row[i].copy == CT_COPY_TO_DEVICE ? seconds : 0;
			program->to_host += row[i].copy == CT_COPY_TO_HOST ? seconds : 0;
		}
	}
}

/* Launches of a kernel with a grid and block are timed once. number of known: of its time, from 1.
 */
static int time_of(struct ct_map *known, double **times, const struct ct_launch_info *launch,
		   struct ct_trace *trace, double *seconds)
{
	const struct ct_event_launch *event = launch->event;
	uint32_t shape[6] = {event->grid[0],  event->grid[1],  event->grid[2],
			     event->block[0], event->block[1], event->block[2]};
	uint64_t key = 0;
	union ct_map_value *number;
	struct ct_model_time time;

	for (int i = 0; i < 6; i++)
		key = ct_map_hash(key, shape[i]);
	number = ct_map_put(known, (uintptr_t)launch->kernel_name, key);
	if (!number)
		return -ENOMEM;
	if (!number->number) {
		if (ct_array_grow(times, known->count - 1, sizeof(**times)) < 0)
			return -ENOMEM;
		ct_model_time(&time, trace, launch->kernel_name, event);
		(*times)[known->count - 1] = time.count ? time.seconds : 0;
		number->number = known->count;
	}
	*seconds = (*times)[number->number - 1];
	return 0;
}

static int add_kernels(struct ctpost_speedups *speedups, const struct ct_comm *comm,
		       struct ct_trace *times)
{
	const struct ct_superstep *superstep;
	size_t count = ct_order_supersteps(ct_comm_order(comm), &superstep);
	struct ct_map known = {0};
	double *list = NULL;
	int err = 0;

	if (count > ct_comm_figures(comm)->supersteps)
		count = ct_comm_figures(comm)->supersteps;
	speedups->kernel = calloc(count + 1, sizeof(*speedups->kernel));
	if (!speedups->kernel)
		return -ENOMEM;
	for (size_t s = 0; s < count && err == 0; s++) {
		if (!superstep[s].launch)
			continue;
		err = time_of(&known, &list, superstep[s].launch, times, &speedups->kernel[s]);
		speedups->launches++;
		speedups->untimed += !(speedups->kernel[s] > 0);
	}
	ct_map_fini(&known);
	free(list);
	speedups->program.kernel = speedups->kernel;
	speedups->program.supersteps = count;
	return err;
}

int ctpost_comm_speedups(struct ctpost_speedups *speedups, struct ctpost_call *call,
			 const struct ct_comm *comm, const struct ct_scaling *scaling,
			 const struct ct_scaling_options *options)
{
	struct ct_trace *times = ctpost_open_trace(call, ctpost_value(call, "times"));
	const struct ct_scaling_row *row;
	size_t rows;
	int err;

	if (!times)
		return CTPOST_FAILED;
	add_copies(&speedups->program, times);
	err = add_kernels(speedups, comm, times);
	ct_trace_close(times);
	row = ct_scaling_rows(scaling, &rows);
	speedups->speedup = calloc(rows + 1, sizeof(*speedups->speedup));
	if (err < 0 || !speedups->speedup)
		return ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	speedups->alone = ct_speedup_alone(&speedups->program);
	if (speedups->untimed == speedups->launches && speedups->untimed)
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: it has no times of these kernels with these grids; "
				   "ctrun --calls=only records them",
				   ctpost_value(call, "times"));
	ct_speedup_of(speedups->speedup, row, rows, &speedups->program, options);
	return CTPOST_OK;
}

void ctpost_speedups_fini(struct ctpost_speedups *speedups)
{
	free(speedups->kernel);
	free(speedups->speedup);
	*speedups = (struct ctpost_speedups){.kernel = NULL};
}
