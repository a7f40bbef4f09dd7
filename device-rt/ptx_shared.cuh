/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory of a CTA in PTX: accesses, and the tickets of a lock. */
#ifndef CT_DEVICE_RT_PTX_SHARED_H
#define CT_DEVICE_RT_PTX_SHARED_H

#include "device-rt/ptx.cuh"

/*
 * By 32-bit shared address. Weak accesses, ordered by
 * __syncwarp and by the fences of the warp's lock. Never volatile:
 * ptxas adds a YIELD to loops with volatile loads, which costs the user's code
 * its convergence (warp.cuh).
 */
CT_INLINE uint32_t ct_shared_load(uint32_t address)
{
	uint32_t value;

	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
	return value;
}

CT_INLINE uint64_t ct_shared_load64(uint32_t address)
{
	uint64_t value;

	asm volatile("ld.shared.u64 %0, [%1];" : "=l"(value) : "r"(address) : "memory");
	return value;
}

/* Two words from a multiple of 16 on. */
CT_INLINE void ct_shared_load_pair(uint32_t address, uint64_t *first, uint64_t *second)
{
	asm volatile("ld.shared.v2.u64 {%0, %1}, [%2];"
		     : "=l"(*first), "=l"(*second)
		     : "r"(address)
		     : "memory");
}

/* The same, the other way. */
CT_INLINE void ct_shared_store_pair(uint32_t address, uint64_t first, uint64_t second)
{
	asm volatile("st.shared.v2.u64 [%0], {%1, %2};" ::"r"(address), "l"(first), "l"(second)
		     : "memory");
}

CT_INLINE void ct_shared_store4(uint32_t address, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(a), "r"(b),
		     "r"(c), "r"(d)
		     : "memory");
}

CT_INLINE void ct_shared_store(uint32_t address, uint32_t value)
{
	asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

CT_INLINE void ct_shared_store64(uint32_t address, uint64_t value)
{
	asm volatile("st.shared.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
}

/*
 * A ticket counter in shared memory: take returns 0, 1, … CT_TICKETS - 1, 0, …
 * From sm_80 on it is an mbarrier that is not waited for, whose pending count
 * tells the ticket: not an atomic operation to ptxas (see warp.cuh).
 */
#define CT_TICKETS ((1u << 20) - 1)

CT_INLINE void ct_ticket_init(uint32_t address)
{
	if (ct_is_sm80())
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(CT_TICKETS)
			     : "memory");
	else
		ct_shared_store64(address, 0);
}

CT_INLINE uint32_t ct_ticket_take(uint32_t address)
{
	uint32_t ticket;

	if (ct_is_sm80()) {
		uint64_t before;

		asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
			     : "=l"(before)
			     : "r"(address)
			     : "memory");
		asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(ticket) : "l"(before));
		return CT_TICKETS - ticket;
	}
	asm volatile("atom.relaxed.cta.shared.inc.u32 %0, [%1], %2;"
		     : "=r"(ticket)
		     : "r"(address), "r"(CT_TICKETS - 1)
		     : "memory");
	return ticket;
}

CT_INLINE uint32_t ct_shared_add(uint32_t address, uint32_t value)
{
	uint32_t old;

	asm volatile("atom.acq_rel.cta.shared.add.u32 %0, [%1], %2;"
		     : "=r"(old)
		     : "r"(address), "r"(value)
		     : "memory");
	return old;
}

#endif
