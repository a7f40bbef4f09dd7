/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the producer keeps per warp, in shared memory, and who may touch it.
 *
 * Who may touch it: all 32 lanes together, without a lock, or
 * the group of lanes that holds the warp's lock. Independent thread scheduling
 * interleaves two groups of one warp, so a partial group takes the lock. The
 * two ways cannot meet: a group that sees all 32 lanes in __activemask() has
 * every lane with it, so none of them is inside a locked section; and it
 * ends in __syncwarp(), before which no lane goes on to begin one.
 */
#ifndef CT_DEVICE_RT_WARP_H
#define CT_DEVICE_RT_WARP_H

#include "device-rt/ptx_shared.cuh"
#include "device-rt/ship.cuh"
#include <cudatrace/record.h>

/*
 * Why recording uses no atomics and no strong loads: where a loop with a
 * divergent exit leads to one, calls included, ptxas puts a YIELD into the
 * function that holds it, and the user's kernel goes on lane by lane, with
 * masks that the pristine kernel does not have (seen on sm_90; the evidence is
 * in docs/decisions/convergence.md). What does need them stays out of line: a chunk
 * change, once in some hundred records, and the wait for a lock that another
 * group holds.
 */
/* CT_MODE_VALUES: what __ct_value tells is summarised (summary.cuh), nothing else is done. */
enum ct_warp_mode { CT_MODE_OFF = 0, CT_MODE_RECORD = 1, CT_MODE_COUNT = 2, CT_MODE_VALUES = 3 };

/* A cursor where there is nothing to record and nothing to count, whatever is accessed. */
#define CT_CURSOR_IDLE 1u

struct __align__(16) ct_warp
{
	uint64_t cursor; /* where the next record goes; 0 without a slot */
	uint64_t end;    /* of the slot, whose annex is behind it; 0 while no segment is open */
	uint64_t context;
	uint64_t taken;   /* the slot's pool word as it was found */
	uint64_t tickets; /* of the lock */
	uint32_t slot;    /* CT_NO_SLOT without a slot */
	uint32_t start;   /* offset in the slot of the first byte not shipped */
	uint32_t launch;
	uint32_t sequence; /* of the next segment */
	uint32_t groups;   /* in force in this chunk: bit per group of the kernel (record.h) */
	uint32_t first;    /* low half of cursor where the segment's first access goes */
	uint32_t serving;  /* the ticket that holds the lock */
	uint32_t exited;   /* lanes that have returned, in partial groups */
	uint32_t mode;     /* enum ct_warp_mode */
	uint32_t begin;    /* offset in the slot of the segment's header; CT_BEGIN_IN_ANNEX */
};

#define CT_NO_SLOT 0xffffffffu
#define CT_WARPS_MAX 32u
#define CT_AT(warp, field) ((warp) + (uint32_t)offsetof(struct ct_warp, field))

static __shared__ struct ct_warp ct_warps[CT_WARPS_MAX];

CT_INLINE uint32_t ct_thread(void)
{
	return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

CT_INLINE uint64_t ct_linear_cta(void)
{
	return blockIdx.x + (uint64_t)gridDim.x * (blockIdx.y + (uint64_t)gridDim.y * blockIdx.z);
}

/* Lanes that exist in this warp: all but in the last one of a block. */
CT_INLINE uint32_t ct_warp_lanes(uint32_t thread)
{
	uint32_t left = blockDim.x * blockDim.y * blockDim.z - (thread & ~31u);

	return left >= CT_WARP_LANES ? CT_FULL_MASK : (1u << left) - 1;
}

CT_INLINE uint32_t ct_warp_state(uint32_t thread)
{
	return (uint32_t)__cvta_generic_to_shared(&ct_warps[thread / CT_WARP_LANES]);
}

/* The same of a clone that brings its own states. */
CT_INLINE uint32_t ct_warp_state_of(uint32_t states, uint32_t thread)
{
	return states + thread / CT_WARP_LANES * (uint32_t)sizeof(struct ct_warp);
}

/* Let the other groups of this warp run. The loop ends at once: it is there
 * because ptxas gives a YIELD to what looks like a spin loop. */
CT_RARE void ct_warp_yield(uint32_t warp)
{
	while (ct_shared_add(CT_AT(warp, exited), 0) > CT_WARP_LANES)
		__nanosleep(20);
	__nanosleep(40);
}

/*
 * The lock is a queue of tickets. Two groups of a warp may run in lockstep, as
 * one set of lanes with two masks, so a group must never wait for the lock in
 * a loop that the holder has to leave first: the section that needs the lock
 * stands inside the loop.
 *
 *   ticket = ct_ticket(…);
 *   while (!ct_is_turn(…, ticket))
 *           continue;              wrong: the holder waits for the others at the end of the loop
 *
 *   for (done = false; !done;)
 *           if (ct_is_turn(…, ticket)) { …; ct_turn_end(…); done = true; }
 *           else ct_warp_yield(…);
 *
 * For the same reason the leaders of several groups take their tickets one
 * after another: lanes that arrive at an mbarrier in one instruction may all
 * be given the same pending count.
 */
CT_INLINE uint32_t ct_ticket(uint32_t warp, uint32_t mask, uint32_t lane, uint32_t leader)
{
	uint32_t ticket = 0;

	if (mask == CT_FULL_MASK)
		return 0;
	for (bool taken = false; !taken;) {
		uint32_t here = __activemask();
		uint32_t chosen = __shfl_sync(here, mask, __ffs(here) - 1);

		if (chosen != mask)
			continue;
		if (lane == leader)
			ticket = ct_ticket_take(CT_AT(warp, tickets));
		taken = true;
	}
	return __shfl_sync(mask, ticket, leader);
}

CT_INLINE bool ct_is_turn(uint32_t warp, uint32_t mask, uint32_t leader, uint32_t ticket)
{
	uint32_t serving;

	if (mask == CT_FULL_MASK)
		return true;
	serving = __shfl_sync(mask, ct_shared_load(CT_AT(warp, serving)), leader);
	ct_fence_cta();
	return serving == ticket;
}

CT_INLINE void ct_turn_end(uint32_t warp, uint32_t mask, uint32_t lane, uint32_t leader,
			   uint32_t ticket)
{
	__syncwarp(mask);
	if (mask != CT_FULL_MASK && lane == leader) {
		ct_fence_cta();
		ct_shared_store(CT_AT(warp, serving), ticket + 1 == CT_TICKETS ? 0 : ticket + 1);
	}
	__syncwarp(mask);
}

#endif
