/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions and elections of a warp beyond those of warp_op.def, and atomic
 * operations on bf16. */
#include "cpu-target/device/device.h"

/* Numbers in the order of unsigned integers. */
static u32 key_of(float value)
{
	u32 bits = bits_of(value);

	return bits >> 31 ? ~bits : bits | 1u << 31;
}

static float value_of(u32 key)
{
	return float_of(key >> 31 ? key & ~(1u << 31) : ~key);
}

/* NaN is left out of the reduction, or wins it. */
static float reduce(u32 mask, float value, int is_max, int nan_wins)
{
	u32 worst = is_max ? 0 : ~0u, key = value != value ? worst : key_of(value);
	u32 some_nan = 0, operation = is_max ? CT_WARP_RED_UMAX : CT_WARP_RED_UMIN;

	if (nan_wins)
		some_nan = (u32)__ct_cpu_warp_op(CT_WARP_VOTE_ANY, mask, value != value, 0, 0);
	key = (u32)__ct_cpu_warp_op(operation, mask, key, 0, 0);
	return some_nan || key == worst ? float_of(0x7fffffff) : value_of(key);
}

#define REDUX(name, is_max)                                                                        \
	float NVVM(redux_sync_##name)(float v, u32 mask)                                           \
	{                                                                                          \
		return reduce(mask, v, is_max, 0);                                                 \
	}                                                                                          \
	float NVVM(redux_sync_##name##_NaN)(float v, u32 mask)                                     \
	{                                                                                          \
		return reduce(mask, v, is_max, 1);                                                 \
	}                                                                                          \
	float NVVM(redux_sync_##name##_abs)(float v, u32 mask)                                     \
	{                                                                                          \
		return reduce(mask, __builtin_fabsf(v), is_max, 0);                                \
	}                                                                                          \
	float NVVM(redux_sync_##name##_abs_NaN)(float v, u32 mask)                                 \
	{                                                                                          \
		return reduce(mask, __builtin_fabsf(v), is_max, 1);                                \
	}

REDUX(fmin, 0)
REDUX(fmax, 1)

/* The lowest lane of mask is elected; the predicate says whether it is this. */
u32 NVVM(elect_sync)(u32 mask)
{
	u32 leader = (u32)__builtin_ctz(mask);

	__ct_cpu_warp_op(CT_WARP_SYNC, mask, 0, 0, 0);
	__ct_cpu_thread->predicate = ct_cpu_thread_lane(__ct_cpu_thread) == leader;
	return leader;
}

/* bf16 is the upper half of a float. */
static u32 round_brain(float value)
{
	u32 bits = bits_of(value);

	return value != value ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static float brain_of(u32 word, u32 index)
{
	return float_of(index ? word & 0xffff0000 : word << 16);
}

static float combine(float a, float b, u32 operation)
{
	switch (operation) {
	case 0:
		return a + b;
	case 1:
		return a < b || b != b ? a : b;
	default:
		return a > b || b != b ? a : b;
	}
}

static u32 brain_next(u32 old, u32 v, u32 operation)
{
	u32 low = round_brain(combine(brain_of(old, 0), brain_of(v, 0), operation));
	u32 high = round_brain(combine(brain_of(old, 1), brain_of(v, 1), operation));

	return low | high << 16;
}

#define BRAIN_ATOMIC(name, operation)                                                              \
	u32 NVVM(atomic_brain_##name##_2)(u32 * p, u32 v)                                          \
	{                                                                                          \
		u32 old = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                    \
                                                                                                   \
		while (!__atomic_compare_exchange_n(p, &old, brain_next(old, v, operation), 0,     \
						    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))           \
			;                                                                          \
		return old;                                                                        \
	}                                                                                          \
	uint16_t NVVM(atomic_brain_##name##_1)(uint16_t * p, uint16_t v)                           \
	{                                                                                          \
		uint16_t old = __atomic_load_n(p, __ATOMIC_SEQ_CST);                               \
                                                                                                   \
		while (!__atomic_compare_exchange_n(p, &old,                                       \
						    (uint16_t)brain_next(old, v, operation), 0,    \
						    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))           \
			;                                                                          \
		return old;                                                                        \
	}

BRAIN_ATOMIC(add, 0)
BRAIN_ATOMIC(min, 1)
BRAIN_ATOMIC(max, 2)
