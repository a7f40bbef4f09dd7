/* SPDX-License-Identifier: Apache-2.0 */
/* Run a grid; what hooks may ask about the calling device thread. */
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/exec/block.h"
#include "cpu-target/runtime/exec/device_launch.h"
#include "cpu-target/runtime/exec/space.h"
#include <cudatrace/unit.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

void ct_cpu_set_producer(const struct ct_cpu_producer *producer)
{
	ct_cpu_producer = producer;
}

/* Seed of CUDATRACE_CPU_SHUFFLE, 0 for none: lanes and warps then run in a
 * random order, which shows races that the usual order hides. */
static uint64_t shuffle_seed(void)
{
	const char *text = getenv("CUDATRACE_CPU_SHUFFLE");

	if (!text || !*text)
		return 0;
	return (strtoull(text, NULL, 10) + 1) * 0x9e3779b97f4a7c15ull;
}

void ct_cpu_job_fail(struct ct_cpu_job *job, const struct ct_cpu_block *block,
		     const struct ct_cpu_thread *thread, enum ct_cpu_error error, const char *text)
{
	const struct ct_cpu_grid *grid = job->grid;
	char place[128] = "";
	int none = CT_CPU_OK, length = 0;

	if (!atomic_compare_exchange_strong(&job->error, &none, error))
		return;
	if (error == CT_CPU_ASSERT) {
		fprintf(stderr, "%s\n", text);
		return;
	}
	if (block)
		length = snprintf(place, sizeof(place), ", block (%u,%u,%u)",
				  (unsigned)(block->cta % grid->grid[0]),
				  (unsigned)(block->cta / grid->grid[0] % grid->grid[1]),
				  (unsigned)(block->cta / grid->grid[0] / grid->grid[1]));
	if (thread)
		snprintf(place + length, sizeof(place) - (size_t)length, ", thread (%u,%u,%u)",
			 thread->tid[0], thread->tid[1], thread->tid[2]);
	fprintf(stderr, "cuda-trace: CPU target: kernel %s%s: %s\n", grid->kernel->name, place,
		text);
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
	return ct_cpu_run_children(&job);
}

struct ct_cpu_thread *ct_cpu_current(void)
{
	return __ct_cpu_thread;
}

struct ct_cpu_warp *ct_cpu_current_warp(void)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();

	if (!fiber || !fiber->thread.block->job->grid->kernel->blocking)
		return NULL;
	return &fiber->warp->view;
}

void ct_cpu_lane_wait_trace(void)
{
	ct_cpu_fiber_wait(ct_cpu_current_fiber(), CT_LANE_TRACE);
}

int ct_cpu_address_space(const void *pointer)
{
	switch (ct_cpu_space_of((uintptr_t)pointer)) {
	case CT_SPACE_SHARED:
		return CT_CPU_SPACE_SHARED;
	case CT_SPACE_LOCAL:
		return CT_CPU_SPACE_LOCAL;
	case CT_SPACE_CONSTANT:
		return CT_CPU_SPACE_CONSTANT;
	case CT_SPACE_GENERIC:
		return CT_CPU_SPACE_PARAM;
	default:
		return CT_CPU_SPACE_GLOBAL;
	}
}
