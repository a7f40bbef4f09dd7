/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics with scopes, address spaces, asynchronous copies (done at once). */
#include "cpu-target/device/device.h"
#include "cpu-target/runtime/exec/exec.h"

#define ORDER __ATOMIC_SEQ_CST

u32 NVVM(isspacep_shared)(const void *p)
{
	return __ct_cpu_address_space(p) == CT_CPU_SPACE_SHARED;
}

u32 NVVM(isspacep_shared_cluster)(const void *p)
{
	return __ct_cpu_address_space(p) == CT_CPU_SPACE_SHARED;
}

u32 NVVM(isspacep_local)(const void *p)
{
	return __ct_cpu_address_space(p) == CT_CPU_SPACE_LOCAL;
}

u32 NVVM(isspacep_global)(const void *p)
{
	return __ct_cpu_address_space(p) == CT_CPU_SPACE_GLOBAL;
}

u32 NVVM(isspacep_const)(const void *p)
{
	return __ct_cpu_address_space(p) == CT_CPU_SPACE_PARAM;
}

#define ATOMIC_LOOP(type, name, update)                                                            \
	type NVVM(atomic_##name)(type * p, type v)                                                 \
	{                                                                                          \
		type old, next;                                                                    \
                                                                                                   \
		__atomic_load(p, &old, ORDER);                                                     \
		do                                                                                 \
			next = (update);                                                           \
		while (!__atomic_compare_exchange(p, &old, &next, 0, ORDER, ORDER));               \
		return old;                                                                        \
	}

#define ATOMIC_FETCH(type, name, builtin)                                                          \
	type NVVM(atomic_##name)(type * p, type v)                                                 \
	{                                                                                          \
		return builtin(p, v, ORDER);                                                       \
	}

#define ATOMIC_CAS(type, name)                                                                     \
	type NVVM(atomic_##name)(type * p, type expected, type v)                                  \
	{                                                                                          \
		__atomic_compare_exchange_n(p, &expected, v, 0, ORDER, ORDER);                     \
		return expected;                                                                   \
	}

ATOMIC_LOOP(u32, load_inc_32, old >= v ? 0 : old + 1)
ATOMIC_LOOP(u32, load_dec_32, old == 0 || old > v ? v : old - 1)

/* The hook is inlined; the access stays behind it. */
void __ct_cpu_fn___ct_at(u64 site, u64 address, u32 bytes)
{
	__ct_cpu_next_access = (struct ct_cpu_access){site, address, bytes};
	__asm__ volatile("" ::: "memory");
}

/* LLVM has separate intrinsics for the scopes .cta and .sys only. */
#define ATOMIC_SCOPE(scope)                                                                        \
	ATOMIC_FETCH(u32, add_gen_i_##scope##_i32, __atomic_fetch_add)                             \
	ATOMIC_FETCH(u64, add_gen_i_##scope##_i64, __atomic_fetch_add)                             \
	ATOMIC_LOOP(float, add_gen_f_##scope##_f32, old + v)                                       \
	ATOMIC_LOOP(double, add_gen_f_##scope##_f64, old + v)                                      \
	ATOMIC_FETCH(u32, exch_gen_i_##scope##_i32, __atomic_exchange_n)                           \
	ATOMIC_FETCH(u64, exch_gen_i_##scope##_i64, __atomic_exchange_n)                           \
	ATOMIC_FETCH(i32, max_gen_i_##scope##_i32, __atomic_fetch_max)                             \
	ATOMIC_FETCH(i64, max_gen_i_##scope##_i64, __atomic_fetch_max)                             \
	ATOMIC_FETCH(i32, min_gen_i_##scope##_i32, __atomic_fetch_min)                             \
	ATOMIC_FETCH(i64, min_gen_i_##scope##_i64, __atomic_fetch_min)                             \
	ATOMIC_FETCH(u32, and_gen_i_##scope##_i32, __atomic_fetch_and)                             \
	ATOMIC_FETCH(u64, and_gen_i_##scope##_i64, __atomic_fetch_and)                             \
	ATOMIC_FETCH(u32, or_gen_i_##scope##_i32, __atomic_fetch_or)                               \
	ATOMIC_FETCH(u64, or_gen_i_##scope##_i64, __atomic_fetch_or)                               \
	ATOMIC_FETCH(u32, xor_gen_i_##scope##_i32, __atomic_fetch_xor)                             \
	ATOMIC_FETCH(u64, xor_gen_i_##scope##_i64, __atomic_fetch_xor)                             \
	ATOMIC_LOOP(u32, inc_gen_i_##scope##_i32, old >= v ? 0 : old + 1)                          \
	ATOMIC_LOOP(u32, dec_gen_i_##scope##_i32, old == 0 || old > v ? v : old - 1)               \
	ATOMIC_CAS(uint16_t, cas_gen_i_##scope##_i16)                                              \
	ATOMIC_CAS(u32, cas_gen_i_##scope##_i32)                                                   \
	ATOMIC_CAS(u64, cas_gen_i_##scope##_i64)

ATOMIC_SCOPE(cta)
ATOMIC_SCOPE(sys)

/* cp.async: the optional third argument is how many bytes to read. */
#define COPY(name, bytes)                                                                          \
	void NVVM(cp_async_##name##_##bytes)(char *to, const char *from)                           \
	{                                                                                          \
		__builtin_memcpy(to, from, bytes);                                                 \
	}                                                                                          \
	void NVVM(cp_async_##name##_##bytes##_s)(char *to, const char *from, u32 count)            \
	{                                                                                          \
		for (u32 i = 0; i < bytes; i++)                                                    \
			to[i] = i < count ? from[i] : 0;                                           \
	}

COPY(ca_shared_global, 4)
COPY(ca_shared_global, 8)
COPY(ca_shared_global, 16)
COPY(cg_shared_global, 16)

void NVVM(cp_async_commit_group)(void)
{
}

void NVVM(cp_async_wait_group)(u32 left)
{
	(void)left;
}

void NVVM(cp_async_wait_all)(void)
{
}

/* Rank of the block of the cluster in whose shared memory p lies; its own else. */
u32 NVVM(getctarank)(const char *p)
{
	const struct ct_cpu_thread *t = __ct_cpu_thread;
	const struct ct_cpu_cluster *cluster = t->cluster;

	for (u32 i = 0; cluster && i < cluster->count; i++)
		if ((u64)(p - cluster->shared[i]) < cluster->shared_bytes)
			return i;
	return (u32)t->cluster_rank;
}

/* The place in block rank of the cluster that p is in its own block. */
char *NVVM(mapa)(char *p, u32 rank)
{
	const struct ct_cpu_cluster *cluster = __ct_cpu_thread->cluster;

	if (!cluster || rank >= cluster->count)
		return p;
	return cluster->shared[rank] + (p - cluster->shared[NVVM(getctarank)(p)]);
}

char *NVVM(mapa_shared_cluster)(char *p, u32 rank)
{
	return NVVM(mapa)(p, rank);
}

u32 NVVM(getctarank_shared_cluster)(const char *p)
{
	return NVVM(getctarank)(p);
}
