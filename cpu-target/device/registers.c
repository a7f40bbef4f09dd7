/* SPDX-License-Identifier: Apache-2.0 */
/* Special registers. */
#include "cpu-target/device/device.h"

#define REGISTER(type, name, value)                                                                \
	type NVVM(read_ptx_sreg_##name)(void)                                                      \
	{                                                                                          \
		const struct ct_cpu_thread *t = __ct_cpu_thread;                                   \
                                                                                                   \
		(void)t;                                                                           \
		return value;                                                                      \
	}

#define LANE ct_cpu_thread_lane(t)
#define SHARED_RESERVED_BYTES 1024

REGISTER(u32, warpsize, 32)
REGISTER(u32, laneid, LANE)
REGISTER(u32, warpid, ct_cpu_thread_warp(t))
REGISTER(u32, nwarpid, 64)
REGISTER(u32, smid, t->worker)
REGISTER(u32, nsmid, __ct_cpu_worker_count())
REGISTER(u64, gridid, 0)
REGISTER(u32, lanemask_eq, 1u << LANE)
REGISTER(u32, lanemask_lt, (1u << LANE) - 1)
REGISTER(u32, lanemask_le, (2u << LANE) - 1)
REGISTER(u32, lanemask_gt, ~((2u << LANE) - 1))
REGISTER(u32, lanemask_ge, ~((1u << LANE) - 1))
REGISTER(u32, clock, (u32)__ct_cpu_clock())
REGISTER(u32, clock_hi, (u32)(__ct_cpu_clock() >> 32))
REGISTER(u64, clock64, __ct_cpu_clock())
REGISTER(u64, globaltimer, __ct_cpu_globaltimer())
REGISTER(u32, globaltimer_lo, (u32)__ct_cpu_globaltimer())
REGISTER(u32, globaltimer_hi, (u32)(__ct_cpu_globaltimer() >> 32))
REGISTER(u32, dynamic_smem_size, t->dynamic_shared_bytes)
REGISTER(u32, total_smem_size, t->static_shared_bytes + t->dynamic_shared_bytes)
/* The grid workspace of cooperative groups: upper and lower half. */
REGISTER(u32, envreg1, (u32)((u64)t->workspace >> 32))
REGISTER(u32, envreg2, (u32)(u64)t->workspace)
REGISTER(u64, reserved_smem_offset_0, (u64)(t->dynamic_shared - SHARED_RESERVED_BYTES))
REGISTER(u64, reserved_smem_offset_1, (u64)(t->dynamic_shared - SHARED_RESERVED_BYTES))
/* Without clusters every block is one of its own. */
#define CLUSTER(name, member, otherwise)                                                           \
	REGISTER(u32, name, (t->cluster ? (u32)(t->cluster->member) : (otherwise)))
#define IN_CLUSTER(d, before) ((u32)t->cluster_rank / (before) % t->cluster->size[d])

REGISTER(u32, is_explicit_cluster, t->cluster != 0)
REGISTER(u32, cluster_ctarank, (u32)t->cluster_rank)
CLUSTER(cluster_nctarank, count, 1)
REGISTER(u32, cluster_ctaid_x, t->cluster ? IN_CLUSTER(0, 1) : 0)
REGISTER(u32, cluster_ctaid_y, t->cluster ? IN_CLUSTER(1, t->cluster->size[0]) : 0)
REGISTER(u32, cluster_ctaid_z,
	 t->cluster ? IN_CLUSTER(2, t->cluster->size[0] * t->cluster->size[1]) : 0)
CLUSTER(cluster_nctaid_x, size[0], 1)
CLUSTER(cluster_nctaid_y, size[1], 1)
CLUSTER(cluster_nctaid_z, size[2], 1)
CLUSTER(clusterid_x, id[0], t->ctaid[0])
CLUSTER(clusterid_y, id[1], t->ctaid[1])
CLUSTER(clusterid_z, id[2], t->ctaid[2])
CLUSTER(nclusterid_x, grid[0], t->nctaid[0])
CLUSTER(nclusterid_y, grid[1], t->nctaid[1])
CLUSTER(nclusterid_z, grid[2], t->nctaid[2])
