/* SPDX-License-Identifier: Apache-2.0 */
#include "postproc/analysis/ctas/part_warps.h"

#include "base/array.h"
#include "base/quantity.h"
#include "postproc/analysis/model/machine.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/worthwhile.h"

#include <cudatrace/record.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEDULERS 4 /* of an SM: a warp that has one to itself gains nothing from fuller ones */

/* Sums over launches of a kernel. */
struct kernel {
	const struct ct_launch_info *most; /* the launch with most idle lanes */
	double most_idle;
	double warps;
	double idle;  /* warps that full ones would spare */
	double spare; /* of warps, what launches take less at most, if they are as long as many */
};

static double threads_of(const struct ct_launch_info *launch)
{
	const uint32_t *block = launch->event->block;

	return (double)block[0] * block[1] * block[2];
}

static double warps_of(const struct ct_launch_info *launch)
{
	return ceil(threads_of(launch) / CT_WARP_LANES);
}

static double blocks_of(const struct ct_launch_info *launch)
{
	const uint32_t *grid = launch->event->grid;

	return (double)grid[0] * grid[1] * grid[2];
}

/* Whether an SM is full of blocks before it is full of warps. */
static bool is_full_of_blocks(const struct ct_launch_info *launch, const struct ct_machine *machine)
{
	return machine->ctas_per_sm * warps_of(launch) < machine->warps_per_sm &&
	       blocks_of(launch) > machine->ctas_per_sm * machine->sm_count;
}

/* Returns the share that full warps save of the launch, at most: issue slots of idle lanes; and
 * where fewer threads are resident for that, so much more of the waiting as they could hide. */
static double spare_of(const struct ct_launch_info *launch, const struct ct_machine *machine)
{
	double idle = 1 - threads_of(launch) / (CT_WARP_LANES * warps_of(launch));
	double all = blocks_of(launch) * threads_of(launch) / machine->sm_count;
	double room = fmin(machine->warps_per_sm * CT_WARP_LANES, all);

	if (!is_full_of_blocks(launch, machine))
		return idle;
	return fmax(idle, 1 - machine->ctas_per_sm * threads_of(launch) / room);
}

static void add_launch(struct kernel *kernel, const struct ct_launch_info *launch,
		       const struct ct_machine *machine)
{
	double warps = blocks_of(launch) * warps_of(launch);
	double idle = warps - blocks_of(launch) * threads_of(launch) / CT_WARP_LANES;

	kernel->warps += warps;
	if (warps <= SCHEDULERS * machine->sm_count || !(idle > 0))
		return;
	kernel->idle += idle;
	kernel->spare += warps * spare_of(launch, machine);
	if (idle > kernel->most_idle) {
		kernel->most = launch;
		kernel->most_idle = idle;
	}
}

/* The file and line of the launch, as far as they are known. 0 or -ENOMEM */
static int place(struct ct_part_warps *found, struct ct_finding *finding,
		 const struct ct_launch_info *launch)
{
	char file[4096], line[32];

	ct_site_field(launch->site, 1, file, sizeof(file));
	finding->line =
	    (uint32_t)strtoul(ct_site_field(launch->site, 2, line, sizeof(line)), NULL, 10);
	if (!finding->line)
		return 0;
	if (ct_array_grow(&found->file, found->files, sizeof(*found->file)) < 0)
		return -ENOMEM;
	finding->file = found->file[found->files] = strdup(file);
	found->files += finding->file != NULL;
	return finding->file ? 0 : -ENOMEM;
}

static int add(struct ct_part_warps *found, struct ct_findings *findings,
	       const struct kernel *kernel, const struct ct_machine *machine)
{
	const struct ct_launch_info *launch = kernel->most;
	char brief[CT_BRIEF_NAME_BYTES], number[CT_NUMBER_BYTES];
	double threads = threads_of(launch), share = kernel->idle / kernel->warps;
	struct ct_finding like = {.analysis = "ctas",
				  .id = CT_ID_PART_OF_A_WARP,
				  .kind = CT_FINDING_RESULT,
				  .section = "launches",
				  .figure = {100 * share, "%"},
				  .kernel_share = kernel->spare / kernel->warps,
				  .change = CT_CHANGE_LANES};
	int err = place(found, &like, launch);

	if (err < 0)
		return err;
	ct_findings_add(
	    findings, &like,
	    "Blocks of %.0f threads do not fill their warps: %.1f %% of the lanes of %s "
	    "have no thread.",
	    threads, 100 * share, ct_shown_name(launch->kernel, brief));
	if (is_full_of_blocks(launch, machine))
		ct_findings_because(
		    findings,
		    "%s blocks of %u x %u x %u threads; an SM holds at most %.0f "
		    "blocks, that is %.0f of %.0f threads",
		    ct_number((uint64_t)blocks_of(launch), number), launch->event->block[0],
		    launch->event->block[1], launch->event->block[2], machine->ctas_per_sm,
		    machine->ctas_per_sm * threads, machine->warps_per_sm * CT_WARP_LANES);
	else
		ct_findings_because(findings,
				    "%s blocks of %u x %u x %u threads; the last warp of each has "
				    "%.0f of 32 lanes",
				    ct_number((uint64_t)blocks_of(launch), number),
				    launch->event->block[0], launch->event->block[1],
				    launch->event->block[2],
				    threads - CT_WARP_LANES * (warps_of(launch) - 1));
	ct_findings_fix(findings,
			"Launch blocks of a multiple of 32 threads, 128 or 256 if nothing "
			"speaks against it, and let threads beyond the data return.");
	ct_findings_at_launch(findings, launch);
	ct_findings_at_kernel(findings, launch->kernel);
	return findings->err;
}

/* Launches of one kernel follow one another. */
static int compare_kernels(const void *a, const void *b)
{
	const struct ct_launch_info *const *x = a, *const *y = b;
	int order = strcmp((*x)->kernel, (*y)->kernel);

	return order ? order : (*x > *y) - (*x < *y);
}

static int find_in(struct ct_part_warps *found, struct ct_findings *findings,
		   const struct ct_launch_info **launch, size_t count,
		   const struct ct_machine *machine)
{
	double run = 0;
	int err = 0;

	for (size_t i = 0; i < count; i++)
		run += blocks_of(launch[i]) * warps_of(launch[i]);
	for (size_t i = 0, end; i < count && err == 0; i = end) {
		struct kernel kernel = {.most = NULL};

		for (end = i; end < count && !strcmp(launch[i]->kernel, launch[end]->kernel); end++)
			add_launch(&kernel, launch[end], machine);
		if (kernel.most && ct_is_worthwhile(kernel.idle, kernel.warps, run))
			err = add(found, findings, &kernel, machine);
	}
	return err;
}

int ct_part_warps_find(struct ct_part_warps *found, struct ct_findings *findings,
		       const struct ct_inquiry *inquiry)
{
	const struct ct_launch_info *all;
	size_t launches = ct_trace_launches(inquiry->trace, &all), count = 0;
	const struct ct_launch_info **launch = malloc((launches + 1) * sizeof(*launch));
	struct ct_machine machine;
	int err;

	if (!launch)
		return -ENOMEM;
	ct_machine_of_trace(&machine, inquiry->trace);
	for (size_t i = 0; i < launches; i++)
		if (!inquiry->filter || ct_filter_launch(inquiry->filter, &all[i]))
			launch[count++] = &all[i];
	qsort(launch, count, sizeof(*launch), compare_kernels);
	err = find_in(found, findings, launch, count, &machine);
	free(launch);
	return err;
}

void ct_part_warps_fini(struct ct_part_warps *found)
{
	for (size_t i = 0; i < found->files; i++)
		free(found->file[i]);
	free(found->file);
	*found = (struct ct_part_warps){.file = NULL};
}
