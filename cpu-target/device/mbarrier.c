/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbarrier objects. Ours is one word:
 *
 *     63 62   42 41     21 20      1  0
 *    +--+-------+---------+---------+---+
 *    | 0|  tx   | expected| pending |   |  bit 0: parity of the phase
 *    +--+-------+---------+---------+---+
 *
 * tx is signed; a phase ends when pending and tx are both 0. Other blocks of a
 * cluster may use it from other host threads.
 */
#include "cpu-target/device/device.h"

#define COUNT_MASK 0xfffffull
#define TX_MASK 0x1fffffull

struct fields {
	u32 parity, pending, expected;
	i32 tx;
};

static struct fields decode(u64 word)
{
	return (struct fields){(u32)(word & 1), (u32)(word >> 1 & COUNT_MASK),
			       (u32)(word >> 21 & COUNT_MASK),
			       (i32)((word >> 42 & TX_MASK) << 11) >> 11};
}

static u64 encode(struct fields f)
{
	return f.parity | (u64)f.pending << 1 | (u64)f.expected << 21 |
	       ((u64)(u32)f.tx & TX_MASK) << 42;
}

/* Returns the state before. */
static u64 update(u64 *barrier, u32 arrivals, u32 drops, i32 tx)
{
	u64 old = __atomic_load_n(barrier, __ATOMIC_SEQ_CST), next;

	do {
		struct fields f = decode(old);

		f.tx += tx;
		f.expected -= drops;
		f.pending -= arrivals;
		if (f.pending == 0 && f.tx == 0) {
			f.parity ^= 1;
			f.pending = f.expected;
		}
		next = encode(f);
	} while (!__atomic_compare_exchange_n(barrier, &old, next, 0, __ATOMIC_SEQ_CST,
					      __ATOMIC_SEQ_CST));
	return old;
}

void NVVM(mbarrier_init)(u64 *barrier, u32 count)
{
	__atomic_store_n(barrier, encode((struct fields){.pending = count, .expected = count}),
			 __ATOMIC_SEQ_CST);
}

void NVVM(mbarrier_inval)(u64 *barrier)
{
	(void)barrier;
}

u64 NVVM(mbarrier_arrive)(u64 *barrier)
{
	return update(barrier, 1, 0, 0);
}

u64 NVVM(mbarrier_arrive_count)(u64 *barrier, u32 count)
{
	return update(barrier, count, 0, 0);
}

u64 NVVM(mbarrier_arrive_drop_count)(u64 *barrier, u32 count)
{
	return update(barrier, count, count, 0);
}

u64 NVVM(mbarrier_arrive_drop)(u64 *barrier)
{
	return update(barrier, 1, 1, 0);
}

u64 NVVM(mbarrier_arrive_noComplete)(u64 *barrier, u32 count)
{
	return update(barrier, count, 0, 0);
}

u64 NVVM(mbarrier_arrive_drop_noComplete)(u64 *barrier, u32 count)
{
	return update(barrier, count, count, 0);
}

/* The expectation comes before the arrival of the same instruction. */
u64 NVVM(mbarrier_arrive_expect_tx)(u64 *barrier, u32 bytes)
{
	return update(barrier, 1, 0, (i32)bytes);
}

u64 NVVM(mbarrier_arrive_drop_expect_tx)(u64 *barrier, u32 bytes)
{
	return update(barrier, 1, 1, (i32)bytes);
}

void NVVM(mbarrier_expect_tx)(u64 *barrier, u32 bytes)
{
	update(barrier, 0, 0, (i32)bytes);
}

void NVVM(mbarrier_complete_tx)(u64 *barrier, u32 bytes)
{
	update(barrier, 0, 0, -(i32)bytes);
}

/* Is the phase of that parity over? Who is given no lets others run. */
u32 NVVM(mbarrier_test_wait_parity)(u64 *barrier, u32 parity)
{
	if (((u32)__atomic_load_n(barrier, __ATOMIC_SEQ_CST) ^ parity) & 1)
		return 1;
	__ct_cpu_yield();
	return 0;
}

u32 NVVM(mbarrier_test_wait)(u64 *barrier, u64 state)
{
	return NVVM(mbarrier_test_wait_parity)(barrier, (u32)state & 1);
}

u32 NVVM(mbarrier_pending_count)(u64 state)
{
	return decode(state).pending;
}

/* Copies are done at once, so those before this are complete: their arrival
 * changes nothing, unless it was counted from the start (.noinc). */
void NVVM(cp_async_mbarrier_arrive)(u64 *barrier)
{
	(void)barrier;
}

void NVVM(cp_async_mbarrier_arrive_noinc)(u64 *barrier)
{
	update(barrier, 1, 0, 0);
}
