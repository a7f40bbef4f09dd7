/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread block clusters. All blocks of a cluster are resident on one worker at
 * once, so nothing here is shared between host threads. ct-retarget's device
 * runtime reads the first part.
 */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_CLUSTER_H
#define CT_CPU_TARGET_RUNTIME_EXEC_CLUSTER_H

#include <stdint.h>

#define CT_CPU_CLUSTER_MAX 16u

struct ct_cpu_block;

struct ct_cpu_cluster {
	uint32_t size[3]; /* blocks */
	uint32_t id[3];
	uint32_t grid[3];                 /* clusters */
	uint32_t count;                   /* blocks */
	char *shared[CT_CPU_CLUSTER_MAX]; /* by rank; 0 until the block has started */
	uint64_t shared_bytes;

	/* of runtime/cluster.c */
	struct ct_cpu_block *blocks[CT_CPU_CLUSTER_MAX];
	uint32_t resident;
	uint32_t phase;   /* of the barrier */
	uint32_t arrived; /* in this phase */
	uint32_t gone;    /* arrived, and ended before the others did */
};

/* Device code calls these. */

/* barrier.cluster; a block of no cluster is one of its own. */
void __ct_cpu_cluster_arrive(void);
void __ct_cpu_cluster_wait(void);

/* The execution of blocks calls these. */

struct ct_cpu_grid;

/* The index-th cluster of a grid; NULL without memory. */
struct ct_cpu_cluster *ct_cpu_cluster_new(const struct ct_cpu_grid *grid, uint64_t index);
/* Linear id of its block of that rank. */
uint64_t ct_cpu_cluster_cta(const struct ct_cpu_cluster *cluster, const struct ct_cpu_grid *grid,
			    uint32_t rank);
void ct_cpu_cluster_join(struct ct_cpu_cluster *cluster, struct ct_cpu_block *block, uint32_t rank);
/* The block is done; the last one frees the cluster. */
void ct_cpu_cluster_leave(struct ct_cpu_cluster *cluster);

#endif
