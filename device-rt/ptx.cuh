/* SPDX-License-Identifier: Apache-2.0 */
/* The few PTX instructions the producer is built from, each with its scope and order spelled out.
 */
#ifndef CT_DEVICE_RT_PTX_H
#define CT_DEVICE_RT_PTX_H

#include <stdint.h>

#define CT_INLINE static __device__ __forceinline__
#define CT_OUT_OF_LINE static __device__ __noinline__
/* Marks code that warps hardly ever run, or in one tier alone: units of several kernels have it
 * once, to be called with all that functions cost (llvm-pass/clone/placement.h). */
#define CT_RARE CT_OUT_OF_LINE __attribute__((annotate("ct.rare")))
/* Marks functions that full traces call where accesses have no common shape, and once for each
 * warp or loop: units of more kernels have them once. What tiers reduce with stays in the clones'
 * own code: saved registers cost it more than all else (bench/trace-cost/results/tiers.md). */
#define CT_RECORDS_ANNOTATION __attribute__((annotate("ct.records")))
#define CT_RECORDS CT_OUT_OF_LINE CT_RECORDS_ANNOTATION

/* By its symbol: clang 22 believes that the builtin of this name does not return. */
extern "C" __device__ unsigned ct_reflect(const char *) __asm__("__nvvm_reflect");

/* Folded when the user's module is compiled for its architecture. */
CT_INLINE bool ct_is_sm80(void)
{
	return ct_reflect("__CUDA_ARCH") >= 800;
}

/* The sum over the lanes of mask. */
CT_INLINE uint32_t ct_add_lanes(uint32_t mask, uint32_t value)
{
	uint32_t sum = 0;

	if (ct_is_sm80()) {
		asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(sum) : "r"(value), "r"(mask));
		return sum;
	}
#pragma unroll 1
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		sum += __shfl_sync(mask, value, __ffs(rest) - 1);
	return sum;
}

/* Likewise the greatest. */
CT_INLINE uint32_t ct_most_lanes(uint32_t mask, uint32_t value)
{
	uint32_t most = 0;

	if (ct_is_sm80()) {
		asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(most) : "r"(value), "r"(mask));
		return most;
	}
#pragma unroll 1
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint32_t other = __shfl_sync(mask, value, __ffs(rest) - 1);

		most = other > most ? other : most;
	}
	return most;
}

CT_INLINE uint32_t ct_lane(void)
{
	uint32_t lane;

	asm("mov.u32 %0, %%laneid;" : "=r"(lane));
	return lane;
}

/* Without a branch, which lanes that choose otherwise would wait for. */
CT_INLINE uint64_t ct_pick(uint32_t first, uint64_t a, uint64_t b)
{
	asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; selp.b64 %0, %0, %1, p; }"
	    : "+l"(a)
	    : "l"(b), "r"(first));
	return a;
}

/* Volatile: a warp may move to another SM, and these are hints only. */
CT_INLINE uint32_t ct_sm(void)
{
	uint32_t sm;

	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	return sm;
}

CT_INLINE uint32_t ct_warp_of_sm(void)
{
	uint32_t warp;

	asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
	return warp;
}

/* Nanoseconds; an instruction of some cycles (docs/validation.md). */
CT_INLINE uint64_t ct_time(void)
{
	uint64_t time;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
	return time;
}

CT_INLINE void ct_fence_gpu(void)
{
	asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

CT_INLINE void ct_fence_system(void)
{
	asm volatile("fence.acq_rel.sys;" ::: "memory");
}

CT_INLINE void ct_fence_cta(void)
{
	asm volatile("fence.acq_rel.cta;" ::: "memory");
}

/* Global memory: records into the stage, of which only this warp knows. */
CT_INLINE void ct_store64(uint64_t address, uint64_t value)
{
	asm volatile("st.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

/* Both in one, at a multiple of 16. */
CT_INLINE void ct_store64_pair(uint64_t address, uint64_t first, uint64_t second)
{
	asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(address), "l"(first), "l"(second)
		     : "memory");
}

CT_INLINE void ct_store32(uint64_t address, uint32_t value)
{
	asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

CT_INLINE void ct_store16(uint64_t address, uint32_t value)
{
	asm volatile("st.global.u16 [%0], %1;" ::"l"(address), "h"((uint16_t)value) : "memory");
}

CT_INLINE void ct_store8(uint64_t address, uint32_t value)
{
	asm volatile("st.global.u8 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

/* Weak, for the same reason as shared loads. Sees what another SM wrote to the
 * slot before us: ct_ship has a fence between the taking of the slot and this. */
CT_INLINE uint4 ct_load_stage(uint64_t address)
{
	uint4 v;

	asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
		     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
		     : "l"(address)
		     : "memory");
	return v;
}

/* As asm, because the compiler splits uint4 copies into two 8-byte stores, which ruins PCIe writes.
 */
CT_INLINE void ct_store_ring(uint64_t address, uint4 v)
{
	asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(v.x), "r"(v.y),
		     "r"(v.z), "r"(v.w)
		     : "memory");
}

/* Not __ldg: written before the kernel began, but perhaps after one that read it. */
CT_INLINE uint32_t ct_load(uint64_t address)
{
	uint32_t value;

	asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
	return value;
}

CT_INLINE uint32_t ct_load16(uint64_t address)
{
	uint16_t value;

	asm volatile("ld.global.u16 %0, [%1];" : "=h"(value) : "l"(address) : "memory");
	return value;
}

CT_INLINE uint32_t ct_load8(uint64_t address)
{
	uint32_t value;

	asm volatile("ld.global.u8 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
	return value;
}

CT_INLINE uint64_t ct_load64(uint64_t address)
{
	uint64_t value;

	asm volatile("ld.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
	return value;
}

/* The address of a word, in one instruction. */
CT_INLINE uint64_t ct_word_at(uint64_t words, uint32_t index)
{
	uint64_t address;

	asm("mad.wide.u32 %0, %1, 4, %2;" : "=l"(address) : "r"(index), "l"(words));
	return address;
}

/* Both from a multiple of 16 on. */
CT_INLINE void ct_load64_pair(uint64_t address, uint64_t *first, uint64_t *second)
{
	asm volatile("ld.global.v2.u64 {%0, %1}, [%2];"
		     : "=l"(*first), "=l"(*second)
		     : "l"(address)
		     : "memory");
}

/* Past the first cache, which may hold what was there before another SM wrote; yet not strong. */
CT_INLINE void ct_load64_pair_once(uint64_t address, uint64_t *first, uint64_t *second)
{
	asm volatile("ld.global.L1::no_allocate.v2.u64 {%0, %1}, [%2];"
		     : "=l"(*first), "=l"(*second)
		     : "l"(address)
		     : "memory");
}

CT_INLINE void ct_load4(uint64_t address, uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
	asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
		     : "=r"(*a), "=r"(*b), "=r"(*c), "=r"(*d)
		     : "l"(address)
		     : "memory");
}

/* `red` and not `atom`: no YIELD in the loops that lead to it (count.cuh). */
CT_INLINE void ct_reduce_add(uint64_t address, uint64_t value)
{
	asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(address), "l"(value)
		     : "memory");
}

/* The same of some lanes, without a branch. */
CT_INLINE void ct_reduce_add_if(bool is_due, uint64_t address, uint64_t value)
{
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; "
		     "@p red.relaxed.gpu.global.add.u64 [%1], %2; }" ::"r"((uint32_t)is_due),
		     "l"(address), "l"(value)
		     : "memory");
}

CT_INLINE void ct_reduce_or(uint64_t address, uint64_t bits)
{
	asm volatile("red.relaxed.gpu.global.or.b64 [%0], %1;" ::"l"(address), "l"(bits)
		     : "memory");
}

CT_INLINE void ct_reduce_or32(uint64_t address, uint32_t bits)
{
	asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(address), "r"(bits)
		     : "memory");
}

CT_INLINE void ct_reduce_max(uint64_t address, uint64_t value)
{
	asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" ::"l"(address), "l"(value)
		     : "memory");
}

CT_INLINE void ct_reduce_max32(uint64_t address, uint32_t value)
{
	asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(address), "r"(value)
		     : "memory");
}

/* Bits of a float: its whole part, and it once it has been rounded to a half and back. As asm, as
 * the user's code may be compiled to take subnormal numbers for 0. */
CT_INLINE uint32_t ct_whole_part(uint32_t bits)
{
	uint32_t whole;

	asm("{ .reg .f32 f; mov.b32 f, %1; cvt.rzi.f32.f32 f, f; mov.b32 %0, f; }"
	    : "=r"(whole)
	    : "r"(bits));
	return whole;
}

/* Whether it is a whole number from -2048 to 2048, other than -0: it has no more than 11 bits. To
 * add 1.5 * 2^23 rounds to whole numbers. */
CT_INLINE bool ct_is_small_whole(uint32_t bits)
{
	uint32_t whole;

	asm("{ .reg .f32 f; mov.b32 f, %1; add.rn.f32 f, f, 0f4B400000; "
	    "add.rn.f32 f, f, 0fCB400000; mov.b32 %0, f; }"
	    : "=r"(whole)
	    : "r"(bits));
	return (whole == bits) & (fabsf(__uint_as_float(bits)) <= 2048);
}

CT_INLINE uint32_t ct_through_half(uint32_t bits)
{
	uint32_t back;

	asm("{ .reg .f32 f; .reg .b16 h; mov.b32 f, %1; cvt.rn.f16.f32 h, f; cvt.f32.f16 f, h; "
	    "mov.b32 %0, f; }"
	    : "=r"(back)
	    : "r"(bits));
	return back;
}

CT_INLINE uint64_t ct_load_relaxed64(uint64_t address)
{
	uint64_t value;

	asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
	return value;
}

CT_INLINE uint64_t ct_load_acquire(uint64_t address)
{
	uint64_t value;

	asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
	return value;
}

CT_INLINE uint64_t ct_load_relaxed_system64(uint64_t address)
{
	uint64_t value;

	asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
	return value;
}

CT_INLINE uint32_t ct_load_relaxed_system(uint64_t address)
{
	uint32_t value;

	asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
	return value;
}

CT_INLINE void ct_store_release_system(uint64_t address, uint64_t value)
{
	asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

CT_INLINE void ct_store_release(uint64_t address, uint32_t value)
{
	asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

CT_INLINE uint32_t ct_exchange_acquire(uint64_t address, uint32_t value)
{
	uint32_t old;

	asm volatile("atom.acquire.gpu.global.exch.b32 %0, [%1], %2;"
		     : "=r"(old)
		     : "l"(address), "r"(value)
		     : "memory");
	return old;
}

CT_INLINE void ct_add_release64(uint64_t address, uint64_t value)
{
	asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(address), "l"(value)
		     : "memory");
}

CT_INLINE uint64_t ct_exchange_relaxed64(uint64_t address, uint64_t value)
{
	uint64_t old;

	asm volatile("atom.relaxed.gpu.global.exch.b64 %0, [%1], %2;"
		     : "=l"(old)
		     : "l"(address), "l"(value)
		     : "memory");
	return old;
}

/* Returns what was there; it is replaced if that was expected. */
CT_INLINE uint64_t ct_compare_and_swap(uint64_t address, uint64_t expected, uint64_t value)
{
	uint64_t old;

	asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;"
		     : "=l"(old)
		     : "l"(address), "l"(expected), "l"(value)
		     : "memory");
	return old;
}

CT_INLINE uint64_t ct_add_relaxed(uint64_t address, uint64_t value)
{
	uint64_t old;

	asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
		     : "=l"(old)
		     : "l"(address), "l"(value)
		     : "memory");
	return old;
}

/* Release: what was read from the consumers' progress happened before tail says so. */
CT_INLINE void ct_max_release(uint64_t address, uint64_t value)
{
	uint64_t old;

	asm volatile("atom.release.gpu.global.max.u64 %0, [%1], %2;"
		     : "=l"(old)
		     : "l"(address), "l"(value)
		     : "memory");
}

#endif
