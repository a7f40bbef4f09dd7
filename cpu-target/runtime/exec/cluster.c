/* SPDX-License-Identifier: Apache-2.0 */
/* Thread block clusters: their blocks and their barrier. */
#include "cpu-target/runtime/exec/cluster.h"
#include "cpu-target/runtime/exec/block.h"
#include <stdlib.h>

struct ct_cpu_cluster *ct_cpu_cluster_new(const struct ct_cpu_grid *grid, uint64_t index)
{
	struct ct_cpu_cluster *cluster = calloc(1, sizeof(*cluster));

	if (!cluster)
		return NULL;
	cluster->count = 1;
	for (int d = 0; d < 3; d++) {
		cluster->size[d] = grid->cluster[d];
		cluster->grid[d] = grid->grid[d] / grid->cluster[d];
		cluster->count *= cluster->size[d];
	}
	cluster->id[0] = (uint32_t)(index % cluster->grid[0]);
	cluster->id[1] = (uint32_t)(index / cluster->grid[0] % cluster->grid[1]);
	cluster->id[2] = (uint32_t)(index / cluster->grid[0] / cluster->grid[1]);
	return cluster;
}

uint64_t ct_cpu_cluster_cta(const struct ct_cpu_cluster *cluster, const struct ct_cpu_grid *grid,
			    uint32_t rank)
{
	const uint32_t *size = cluster->size;
	uint64_t x = cluster->id[0] * size[0] + rank % size[0];
	uint64_t y = cluster->id[1] * size[1] + rank / size[0] % size[1];
	uint64_t z = cluster->id[2] * size[2] + rank / size[0] / size[1];

	return x + grid->grid[0] * (y + grid->grid[1] * z);
}

void ct_cpu_cluster_join(struct ct_cpu_cluster *cluster, struct ct_cpu_block *block, uint32_t rank)
{
	cluster->blocks[rank] = block;
	cluster->shared[rank] = block->shared;
	cluster->shared_bytes = block->shared_bytes;
	cluster->resident++;
}

void ct_cpu_cluster_leave(struct ct_cpu_cluster *cluster)
{
	if (cluster && --cluster->resident == 0)
		free(cluster);
}

static uint32_t count_alive(const struct ct_cpu_cluster *cluster)
{
	uint32_t alive = 0;

	for (uint32_t i = 0; i < cluster->count; i++)
		alive += cluster->blocks[i]->alive;
	return alive;
}

/* Threads that ended count as arrived. */
static int is_complete(const struct ct_cpu_cluster *cluster)
{
	return cluster->arrived >= count_alive(cluster) + cluster->gone;
}

static void next_phase(struct ct_cpu_cluster *cluster)
{
	cluster->phase++;
	cluster->arrived = 0;
	cluster->gone = 0;
}

void __ct_cpu_cluster_arrive(void)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();
	struct ct_cpu_cluster *cluster = fiber->thread.cluster;

	if (!cluster)
		return;
	fiber->cluster_phase = cluster->phase;
	fiber->cluster_arrived = 1;
	cluster->arrived++;
}

void __ct_cpu_cluster_wait(void)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();
	struct ct_cpu_cluster *cluster = fiber->thread.cluster;

	if (!cluster) {
		__ct_cpu_barrier(CT_CPU_BARRIERS - 1, 0, CT_RED_NONE, 0);
		return;
	}
	while (fiber->cluster_phase == cluster->phase) {
		if (is_complete(cluster))
			next_phase(cluster);
		else
			__ct_cpu_yield();
	}
	fiber->cluster_arrived = 0;
}
