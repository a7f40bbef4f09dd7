/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the producer keeps per warp, in shared memory, and how a warp gets,
 * fills, ships and returns a slot of the stage.
 *
 *   slot   start            cursor                     end
 *    |-------|=================|------------------------|
 *    shipped   not yet shipped   room
 *
 * Who may touch the state of a warp: all 32 lanes together, without a lock, or
 * the group of lanes that holds the warp's lock. Independent thread scheduling
 * interleaves two groups of one warp, so a partial group takes the lock. The
 * two ways cannot meet: a group that sees all 32 lanes in __activemask() has
 * every lane with it, so none of them is inside a locked section; and it
 * ends in __syncwarp(), before which no lane goes on to begin one.
 */
#ifndef CT_DEVICE_WARP_CUH
#define CT_DEVICE_WARP_CUH

#include "ship.cuh"
#include <cudatrace/record.h>

/*
 * Why recording uses no atomics and no strong loads: where a loop with a
 * divergent exit leads to one, calls included, ptxas puts a YIELD into the
 * function that holds it, and the user's kernel goes on lane by lane, with
 * masks that the pristine kernel does not have (seen on sm_90; the evidence is
 * in docs/architecture.md). What does need them stays out of line: a chunk
 * change, once in some hundred records, and the wait for a lock that another
 * group holds.
 */
struct ct_warp {
	uint64_t cursor; /* where the next record goes; 0 without a slot */
	uint64_t end;    /* end of the slot; 0 without a slot */
	uint64_t context;
	uint64_t tickets; /* of the lock */
	uint32_t slot;    /* CT_NO_SLOT without a slot */
	uint32_t start;   /* offset in the slot of the first byte not shipped */
	uint32_t launch;
	uint32_t sequence; /* of the next segment */
	uint32_t serving;  /* the ticket that holds the lock */
	uint32_t exited;   /* lanes that have returned, in partial groups */
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

/* Let the other groups of this warp run. The loop ends at once: it is there
 * because ptxas gives a YIELD to what looks like a spin loop. */
CT_OUT_OF_LINE void ct_warp_yield(uint32_t warp)
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
 * be told the same pending count.
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

/* One lane: look for a free slot after the given one. Ends because there are
 * more slots than warps can be resident; abort bounds it all the same. */
CT_OUT_OF_LINE uint64_t ct_slot_search(uint64_t context, uint32_t *slot)
{
	uint32_t slots = CT_CONTEXT(context, slots), at = *slot, probes = 0;
	uint64_t pool = CT_CONTEXT(context, pool), position;

	do {
		at = at + 1 >= slots ? 0 : at + 1;
		if (++probes % slots == 0) {
			if (ct_load_relaxed_system(CT_CONTEXT(context, abort)))
				return CT_SLOT_OWNED;
			__nanosleep(1000);
		}
		position = ct_exchange_acquire64(pool + 8ull * at, CT_SLOT_OWNED);
	} while (position == CT_SLOT_OWNED);
	*slot = at;
	return position;
}

/* One lane: check out a slot. Returns 0 if it gave up. */
CT_INLINE uint32_t ct_slot_take(uint32_t warp, uint64_t context)
{
	uint32_t slot = (ct_sm() * 64 + (ct_warp_of_sm() & 63)) % CT_CONTEXT(context, slots);
	uint64_t position =
	    ct_exchange_acquire64(CT_CONTEXT(context, pool) + 8ull * slot, CT_SLOT_OWNED);
	uint64_t base;

	if (position == CT_SLOT_OWNED)
		position = ct_slot_search(context, &slot);
	if (position == CT_SLOT_OWNED)
		return 0;
	base = CT_CONTEXT(context, stage) + (uint64_t)slot * CT_CHUNK_BYTES;
	ct_shared_store(CT_AT(warp, slot), slot);
	ct_shared_store(CT_AT(warp, start), CT_SLOT_AT(position));
	ct_shared_store64(CT_AT(warp, cursor), base + CT_SLOT_FILL(position));
	ct_shared_store64(CT_AT(warp, end), base + CT_CHUNK_BYTES);
	return 1;
}

CT_INLINE void ct_segment_begin(uint32_t warp, uint64_t at)
{
	uint32_t sequence = ct_shared_load(CT_AT(warp, sequence));
	uint64_t cta = ct_linear_cta();

	ct_store64(at, CT_SEGMENT_WORD0(ct_sm(), sequence, ct_shared_load(CT_AT(warp, launch))));
	ct_store64(at + 8, CT_SEGMENT_WORD1(ct_thread() / CT_WARP_LANES, cta));
	ct_shared_store(CT_AT(warp, sequence), sequence + 1);
	ct_shared_store64(CT_AT(warp, cursor), at + CT_SEGMENT_BYTES);
}

/*
 * Make room for need bytes after a new segment header: check out a slot if the
 * warp has none, ship what it holds if it is full. The caller has the state
 * (see above). Returns 0 if no slot could be had: the record is lost, and a
 * whole chunk is counted for it.
 */
CT_OUT_OF_LINE uint32_t ct_chunk_change(uint32_t warp, uint32_t mask, uint32_t need)
{
	uint32_t lane = ct_lane(), leader = __ffs(mask) - 1, taken = 1;
	uint64_t context = ct_shared_load64(CT_AT(warp, context)), cursor, end, first;

	if (ct_shared_load(CT_AT(warp, slot)) == CT_NO_SLOT) {
		__syncwarp(mask);
		if (lane == leader)
			taken = ct_slot_take(warp, context);
		taken = __shfl_sync(mask, taken, leader);
		if (!taken) {
			if (lane == leader)
				ct_count_loss(context, ct_shared_load(CT_AT(warp, launch)));
			return 0;
		}
	}
	__syncwarp(mask);
	cursor = ct_shared_load64(CT_AT(warp, cursor));
	end = ct_shared_load64(CT_AT(warp, end));
	first = end - CT_CHUNK_BYTES + ct_shared_load(CT_AT(warp, start));
	__syncwarp(mask);
	if (cursor + CT_SEGMENT_BYTES + need > end) {
		if (cursor > first)
			ct_ship(context, ct_shared_load(CT_AT(warp, launch)), mask, lane, leader,
				first, (uint32_t)(cursor - first));
		cursor = end - CT_CHUNK_BYTES;
		if (lane == leader)
			ct_shared_store(CT_AT(warp, start), 0);
	}
	if (lane == leader)
		ct_segment_begin(warp, cursor);
	__syncwarp(mask);
	return 1;
}

/* Full warps change chunks this early, so that partial groups seldom have to:
 * a chunk change costs them the convergence barriers they are in (see above). */
#define CT_SPARE_BYTES 512u

/* Where need bytes go, or 0. Every lane of mask gets the same answer; nobody
 * moves the cursor before all have read it. */
CT_INLINE uint64_t ct_reserve(uint32_t warp, uint32_t mask, uint32_t need)
{
	uint32_t room = need + (mask == CT_FULL_MASK ? CT_SPARE_BYTES : 0);
	uint64_t cursor, end;

	__syncwarp(mask);
	cursor = ct_shared_load64(CT_AT(warp, cursor));
	end = ct_shared_load64(CT_AT(warp, end));
	__syncwarp(mask);
	if (cursor + room > end) {
		if (!ct_chunk_change(warp, mask, room))
			return 0;
		cursor = ct_shared_load64(CT_AT(warp, cursor));
		__syncwarp(mask);
	}
	return cursor;
}

#endif
