/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies and reductions: done at once; then their bytes have arrived at
 * the barrier, if there is one. */
#include "cpu-target/device/device.h"

void NVVM(mbarrier_complete_tx)(u64 *barrier, u32 bytes);

void NVVM(cp_async_bulk)(char *to, const char *from, u32 bytes, u64 *barrier)
{
	__builtin_memcpy(to, from, bytes);
	if (barrier)
		NVVM(mbarrier_complete_tx)(barrier, bytes);
}

void NVVM(cp_async_bulk_global_to_shared_cta)(char *to, u64 *barrier, const char *from, u32 bytes)
{
	NVVM(cp_async_bulk)(to, from, bytes, barrier);
}

void NVVM(cp_async_bulk_shared_cta_to_cluster)(char *to, u64 *barrier, const char *from, u32 bytes)
{
	NVVM(cp_async_bulk)(to, from, bytes, barrier);
}

void NVVM(cp_async_bulk_shared_cta_to_global)(char *to, const char *from, u32 bytes)
{
	__builtin_memcpy(to, from, bytes);
}

void NVVM(cp_async_bulk_commit_group)(void)
{
}

void NVVM(cp_async_bulk_wait_group)(u32 left)
{
	(void)left;
}

void NVVM(cp_async_bulk_wait_group_read)(u32 left)
{
	(void)left;
}

#define REDUCE(type, suffix, operation, update)                                                    \
	void NVVM(cp_async_bulk_reduce_##operation##_##suffix)(type * to, const type *from,        \
							       u32 bytes, u64 *barrier)            \
	{                                                                                          \
		for (u32 i = 0; i < bytes / sizeof(type); i++) {                                   \
			type old, v = from[i], next;                                               \
                                                                                                   \
			__atomic_load(&to[i], &old, __ATOMIC_SEQ_CST);                             \
			do                                                                         \
				next = (update);                                                   \
			while (!__atomic_compare_exchange(&to[i], &old, &next, 0,                  \
							  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));    \
		}                                                                                  \
		if (barrier)                                                                       \
			NVVM(mbarrier_complete_tx)(barrier, bytes);                                \
	}

#define REDUCE_ORDERED(type, suffix)                                                               \
	REDUCE(type, suffix, add, old + v)                                                         \
	REDUCE(type, suffix, min, old < v ? old : v)                                               \
	REDUCE(type, suffix, max, old > v ? old : v)

#define REDUCE_BITS(type, suffix)                                                                  \
	REDUCE(type, suffix, and, old &v)                                                          \
	REDUCE(type, suffix, or, old | v)                                                          \
	REDUCE(type, suffix, xor, old ^ v)

REDUCE_ORDERED(u32, u32)
REDUCE_ORDERED(u64, u64)
REDUCE_ORDERED(i32, s32)
REDUCE_ORDERED(i64, s64)
REDUCE_ORDERED(_Float16, f16)
REDUCE(float, f32, add, old + v)
REDUCE(double, f64, add, old + v)
REDUCE(u32, u32, inc, old >= v ? 0 : old + 1)
REDUCE(u32, u32, dec, old == 0 || old > v ? v : old - 1)
REDUCE_BITS(u32, b32)
REDUCE_BITS(u64, b64)

/* Into one block; ct-retarget refuses those with a mask of blocks. */
void NVVM(cp_async_bulk_global_to_shared_cluster)(char *to, u64 *barrier, const char *from,
						  u32 bytes)
{
	NVVM(cp_async_bulk)(to, from, bytes, barrier);
}
