/* SPDX-License-Identifier: Apache-2.0 */
/* Special registers. */
#include "device.h"

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
/* Every block is a cluster of its own. */
REGISTER(u32, is_explicit_cluster, 0)
REGISTER(u32, cluster_ctarank, 0)
REGISTER(u32, cluster_nctarank, 1)
REGISTER(u32, cluster_ctaid_x, 0)
REGISTER(u32, cluster_ctaid_y, 0)
REGISTER(u32, cluster_ctaid_z, 0)
REGISTER(u32, cluster_nctaid_x, 1)
REGISTER(u32, cluster_nctaid_y, 1)
REGISTER(u32, cluster_nctaid_z, 1)
REGISTER(u32, clusterid_x, t->ctaid[0])
REGISTER(u32, clusterid_y, t->ctaid[1])
REGISTER(u32, clusterid_z, t->ctaid[2])
REGISTER(u32, nclusterid_x, t->nctaid[0])
REGISTER(u32, nclusterid_y, t->nctaid[1])
REGISTER(u32, nclusterid_z, t->nctaid[2])
