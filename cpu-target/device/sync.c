/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers, warp operations, waiting. */
#include "cpu-target/device/device.h"

/* Accesses in a wait loop between two yields. */
#define SPINS_PER_YIELD 32

void __ct_cpu_spin(void);
void __ct_cpu_spin(void)
{
	struct ct_cpu_thread *t = __ct_cpu_thread;

	if (++t->spins < SPINS_PER_YIELD)
		return;
	t->spins = 0;
	__ct_cpu_yield();
}

void NVVM(nanosleep)(u32 ns)
{
	__ct_cpu_sleep(ns);
	__ct_cpu_yield();
}

void NVVM(exit)(void)
{
	__ct_cpu_exit();
}

#define BARRIER(kind)                                                                              \
	void NVVM(barrier_cta_sync_##kind##all)(u32 id)                                            \
	{                                                                                          \
		__ct_cpu_barrier(id, 0, CT_RED_NONE, 0);                                           \
	}                                                                                          \
	void NVVM(barrier_cta_sync_##kind##count)(u32 id, u32 threads)                             \
	{                                                                                          \
		__ct_cpu_barrier(id, threads, CT_RED_NONE, 0);                                     \
	}                                                                                          \
	void NVVM(barrier_cta_arrive_##kind##count)(u32 id, u32 threads)                           \
	{                                                                                          \
		__ct_cpu_barrier_arrive(id, threads);                                              \
	}

#define BARRIER_REDUCTION(name, kind, operation)                                                   \
	u32 NVVM(barrier_cta_red_##name##_##kind##all)(u32 id, u32 p)                              \
	{                                                                                          \
		return __ct_cpu_barrier(id, 0, operation, p);                                      \
	}                                                                                          \
	u32 NVVM(barrier_cta_red_##name##_##kind##count)(u32 id, u32 threads, u32 p)               \
	{                                                                                          \
		return __ct_cpu_barrier(id, threads, operation, p);                                \
	}

BARRIER()
BARRIER(aligned_)
BARRIER_REDUCTION(and, , CT_RED_AND)
BARRIER_REDUCTION(or, , CT_RED_OR)
BARRIER_REDUCTION(popc, , CT_RED_POPC)
BARRIER_REDUCTION(and, aligned_, CT_RED_AND)
BARRIER_REDUCTION(or, aligned_, CT_RED_OR)
BARRIER_REDUCTION(popc, aligned_, CT_RED_POPC)

void NVVM(barrier_cluster_arrive)(void)
{
	__ct_cpu_cluster_arrive();
}

void NVVM(barrier_cluster_arrive_relaxed)(void)
{
	__ct_cpu_cluster_arrive();
}

void NVVM(barrier_cluster_wait)(void)
{
	__ct_cpu_cluster_wait();
}

void NVVM(bar_warp_sync)(u32 mask)
{
	__ct_cpu_warp_op(CT_WARP_SYNC, mask, 0, 0, 0);
}

u32 NVVM(activemask)(u32 site)
{
	return __ct_cpu_activemask(site);
}

#define SHUFFLE(name, operation)                                                                   \
	u32 NVVM(shfl_sync_##name##_i32)(u32 mask, u32 v, u32 b, u32 c)                            \
	{                                                                                          \
		return (u32)__ct_cpu_warp_op(operation, mask, v, b, c);                            \
	}                                                                                          \
	u32 NVVM(shfl_sync_##name##_i32p)(u32 mask, u32 v, u32 b, u32 c)                           \
	{                                                                                          \
		return (u32)__ct_cpu_warp_op(operation, mask, v, b, c);                            \
	}                                                                                          \
	float NVVM(shfl_sync_##name##_f32)(u32 mask, float v, u32 b, u32 c)                        \
	{                                                                                          \
		return float_of((u32)__ct_cpu_warp_op(operation, mask, bits_of(v), b, c));         \
	}                                                                                          \
	float NVVM(shfl_sync_##name##_f32p)(u32 mask, float v, u32 b, u32 c)                       \
	{                                                                                          \
		return float_of((u32)__ct_cpu_warp_op(operation, mask, bits_of(v), b, c));         \
	}

SHUFFLE(up, CT_WARP_SHFL_UP)
SHUFFLE(down, CT_WARP_SHFL_DOWN)
SHUFFLE(bfly, CT_WARP_SHFL_BFLY)
SHUFFLE(idx, CT_WARP_SHFL_IDX)

#define VOTE(name, operation)                                                                      \
	u32 NVVM(vote_##name##_sync)(u32 mask, u32 p)                                              \
	{                                                                                          \
		return (u32)__ct_cpu_warp_op(operation, mask, p != 0, 0, 0);                       \
	}

VOTE(all, CT_WARP_VOTE_ALL)
VOTE(any, CT_WARP_VOTE_ANY)
VOTE(uni, CT_WARP_VOTE_UNI)
VOTE(ballot, CT_WARP_VOTE_BALLOT)

#define MATCH(name, type, operation)                                                               \
	u32 NVVM(match_##name)(u32 mask, type v)                                                   \
	{                                                                                          \
		return (u32)__ct_cpu_warp_op(operation, mask, v, 0, 0);                            \
	}

MATCH(any_sync_i32, u32, CT_WARP_MATCH_ANY)
MATCH(any_sync_i64, u64, CT_WARP_MATCH_ANY)
MATCH(all_sync_i32p, u32, CT_WARP_MATCH_ALL)
MATCH(all_sync_i64p, u64, CT_WARP_MATCH_ALL)

#define REDUCE(name, operation)                                                                    \
	u32 NVVM(redux_sync_##name)(u32 v, u32 mask)                                               \
	{                                                                                          \
		return (u32)__ct_cpu_warp_op(operation, mask, v, 0, 0);                            \
	}

REDUCE(add, CT_WARP_RED_ADD)
REDUCE(min, CT_WARP_RED_MIN)
REDUCE(max, CT_WARP_RED_MAX)
REDUCE(umin, CT_WARP_RED_UMIN)
REDUCE(umax, CT_WARP_RED_UMAX)
REDUCE(and, CT_WARP_RED_AND)
REDUCE(or, CT_WARP_RED_OR)
REDUCE(xor, CT_WARP_RED_XOR)
