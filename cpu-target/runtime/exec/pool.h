/* SPDX-License-Identifier: Apache-2.0 */
/* Worker threads and the grids they work on. */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_POOL_H
#define CT_CPU_TARGET_RUNTIME_EXEC_POOL_H

#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/exec/fiber.h"
#include <pthread.h>
#include <stdatomic.h>

struct ct_cpu_block;
struct ct_cpu_child;

struct ct_cpu_job {
	const struct ct_cpu_grid *grid;
	uint64_t block_count; /* of clusters if there are any; so is what follows */
	uint64_t chunk;       /* blocks that a worker takes at once */
	uint64_t shuffle_seed;
	_Atomic uint64_t next_block;
	_Atomic int error;
	unsigned workers; /* working on it; under the pool's lock, as the next two */
	struct ct_cpu_job *next;
	pthread_cond_t done;           /* it has ended */
	struct ct_cpu_child *children; /* launched by the grid; run when it has ended */
	struct ct_cpu_child *tail_children;
	_Alignas(16) char workspace[64]; /* cooperative groups: grid barrier */
};

struct ct_cpu_worker {
	unsigned index;
	struct ct_cpu_context context; /* while a fiber runs */
	struct ct_cpu_block *resident;
	struct ct_cpu_block *spare;
	uint64_t chunk_next;
	uint64_t chunk_end;
};

/* Have the workers run all blocks of job and wait for that. Returns 0 or
 * -errno if no worker could be started. */
int ct_cpu_pool_run(struct ct_cpu_job *job);

#endif
