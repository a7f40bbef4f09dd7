/* SPDX-License-Identifier: Apache-2.0 */
/* Run a grid, and behind it what it has launched. */
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/exec/block.h"
#include "cpu-target/runtime/exec/device_launch.h"
#include <stdlib.h>
#include <string.h>

/* Seed of CUDATRACE_CPU_SHUFFLE, 0 for none: lanes and warps then run in a
 * random order, which shows races that the usual order hides. */
static uint64_t shuffle_seed(void)
{
	const char *text = getenv("CUDATRACE_CPU_SHUFFLE");

	if (!text || !*text)
		return 0;
	return (strtoull(text, NULL, 10) + 1) * 0x9e3779b97f4a7c15ull;
}

static int run(struct ct_cpu_child *child)
{
	if (child->grid.kernel)
		return ct_cpu_grid_run(&child->grid);
	if (child->from)
		memmove(child->to, child->from, child->bytes);
	else
		memset(child->to, (int)child->value, child->bytes);
	return 0;
}

/* Runs and frees all; behind an error only frees. */
static int run_all(struct ct_cpu_child *child, int error)
{
	while (child) {
		struct ct_cpu_child *next = child->next;

		if (!error)
			error = run(child);
		free(child->parameters);
		free(child);
		child = next;
	}
	return error;
}

/* Returns an enum ct_cpu_error. */
static int run_children(struct ct_cpu_job *job)
{
	int error = run_all(job->children, atomic_load(&job->error));

	return run_all(job->tail_children, error);
}

int ct_cpu_grid_run(const struct ct_cpu_grid *grid)
{
	struct ct_cpu_job job = {
	    .grid = grid,
	    .shuffle_seed = shuffle_seed(),
	};

	job.block_count = (uint64_t)grid->grid[0] * grid->grid[1] * grid->grid[2];
	if (grid->cluster[0])
		job.block_count /= (uint64_t)grid->cluster[0] * grid->cluster[1] * grid->cluster[2];
	if (ct_cpu_pool_run(&job) < 0)
		ct_cpu_job_fail(&job, NULL, NULL, CT_CPU_NO_MEMORY,
				"no worker thread could be started");
	return run_children(&job);
}
