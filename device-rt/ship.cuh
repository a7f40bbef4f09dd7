/* SPDX-License-Identifier: Apache-2.0 */
/* Send a run of staged bytes to the host as one ring chunk (protocol: ring.h). */
#ifndef CT_DEVICE_RT_SHIP_H
#define CT_DEVICE_RT_SHIP_H

#include "device-rt/ptx.cuh"
#include <cudatrace/ring.h>
#include <stddef.h>

#define CT_NO_TICKET (~0ull)
/* Set in the cached tail by the first producer that sees abort, so that the
 * others need not ask the host: a read across PCIe each. */
#define CT_TAIL_ABORTED (1ull << 63)

/* A context is written once, before the first launch that uses it. */
#define CT_CONTEXT(context, field)                                                                 \
	__ldg((const decltype(((struct ct_context *)0)->field) *)((context) +                      \
								  offsetof(struct ct_context,      \
									   field)))

CT_INLINE bool ct_ring_has_room(uint64_t ticket, uint64_t tail, uint32_t ring_mask)
{
	return (int64_t)(ticket - tail) <= (int64_t)ring_mask;
}

CT_INLINE uint64_t ct_progress(uint64_t progress, uint32_t consumer)
{
	return ct_load_relaxed_system64(progress + (uint64_t)consumer * CT_PROGRESS_STRIDE * 8);
}

/* Ask the host how far it is; one producer at a time, for all of them. Four loads are
 * under way together, a read across PCIe each; the fence acquires from all consumers. */
CT_RARE void ct_ring_poll(uint64_t context)
{
	uint64_t progress = CT_CONTEXT(context, progress), tail = CT_TAIL_ABORTED - 1;
	uint32_t consumers = CT_CONTEXT(context, consumers);
	uint32_t abort = ct_load_relaxed_system(CT_CONTEXT(context, abort));

#pragma unroll 1
	for (uint32_t i = 0; i < consumers; i += 4) {
		uint64_t first = ct_progress(progress, i), second, third, fourth;

		second = ct_progress(progress, i + 1 < consumers ? i + 1 : i);
		third = ct_progress(progress, i + 2 < consumers ? i + 2 : i);
		fourth = ct_progress(progress, i + 3 < consumers ? i + 3 : i);
		first = second < first ? second : first;
		third = fourth < third ? fourth : third;
		first = third < first ? third : first;
		tail = first < tail ? first : tail;
	}
	ct_fence_system();
	ct_max_release(CT_CONTEXT(context, tail), abort ? tail | CT_TAIL_ABORTED : tail);
}

/* Waiters so near to the tail ask the host, and those further away only look at what they
 * have found: thousands may wait. Who waits for the chunk behind the tail is among the near. */
#define CT_WAIT_NEAR 16u
#define CT_WAIT_NS_PER_CHUNK 100u /* less than a chunk takes on the bus */
#define CT_WAIT_NS_MAX 20000u

/* One lane: wait until the ring has room for ticket. Ends because the host
 * either makes progress or sets abort. Returns ticket or CT_NO_TICKET. */
CT_RARE uint64_t ct_ring_wait(uint64_t context, uint64_t ticket)
{
	uint64_t tail_at = CT_CONTEXT(context, tail), lock_at = CT_CONTEXT(context, poll_lock);
	uint32_t ring_mask = CT_CONTEXT(context, ring_mask);

	for (uint32_t round = 0;; round++) {
		uint64_t tail = ct_load_acquire(tail_at), ahead;
		bool asks;

		if (tail & CT_TAIL_ABORTED)
			return CT_NO_TICKET;
		if (ct_ring_has_room(ticket, tail, ring_mask))
			return ticket;
		/* At first what is known of the tail may be old, and the near ones asking. */
		if (round == 2)
			ct_add_relaxed(CT_CONTEXT(context, waits), 1);
		ahead = ticket - tail - ring_mask;
		asks = ahead <= CT_WAIT_NEAR && ct_exchange_acquire(lock_at, 1) == 0;
		if (asks) {
			ct_ring_poll(context);
			ct_store_release(lock_at, 0);
		}
		if (!asks)
			__nanosleep(ahead <= CT_WAIT_NEAR ? CT_WAIT_NS_PER_CHUNK
				    : ahead < CT_WAIT_NS_MAX / CT_WAIT_NS_PER_CHUNK
					? (uint32_t)ahead * CT_WAIT_NS_PER_CHUNK
					: CT_WAIT_NS_MAX);
	}
}

/* One lane: count a lost chunk of some of these launches (ring.h). */
CT_RARE void ct_count_loss_among(uint64_t context, uint32_t first, uint32_t last)
{
	uint64_t losses = CT_CONTEXT(context, losses);

	ct_max_release(losses + 8ull * (CT_LOSSES + 1), CT_LOSSES_NOT(first));
	ct_max_release(losses + 8ull * (CT_LOSSES + 2), last);
	ct_add_relaxed(losses + 8ull * CT_LOSSES, 1);
}

/* One lane: count a lost chunk of the launch (ring.h). */
CT_RARE void ct_count_loss(uint64_t context, uint32_t launch)
{
	uint64_t losses = CT_CONTEXT(context, losses), at = losses + 8ull * (launch % CT_LOSSES);
	uint64_t known = 0, seen;

	for (;;) {
		seen =
		    ct_compare_and_swap(at, known, ((uint64_t)launch << 32) + (uint32_t)known + 1);
		if (seen == known)
			return;
		if (seen >> 32 != launch)
			break;
		known = seen;
	}
	ct_count_loss_among(context, launch, launch);
}

/* One lane: whether the chunk is to be dropped, for the ring is full now as far as the
 * consumers have said. */
CT_RARE bool ct_ring_drops(uint64_t context)
{
	uint64_t tail_at = CT_CONTEXT(context, tail), lock_at = CT_CONTEXT(context, poll_lock);
	uint64_t head;
	uint32_t ring_mask = CT_CONTEXT(context, ring_mask);

	if (!(CT_CONTEXT(context, mode) & CT_CONTEXT_DROP))
		return false;
	head = ct_load_relaxed64(CT_CONTEXT(context, head));
	if (ct_ring_has_room(head, ct_load_acquire(tail_at), ring_mask))
		return false;
	if (ct_exchange_acquire(lock_at, 1) == 0) {
		ct_ring_poll(context);
		ct_store_release(lock_at, 0);
	}
	return !ct_ring_has_room(head, ct_load_acquire(tail_at) & ~CT_TAIL_ABORTED, ring_mask);
}

/* One lane: the records from source on, which begin with a full segment header, are lost;
 * launch: of the last segment. */
CT_RARE void ct_chunk_lost(uint64_t context, uint32_t launch, uint64_t source)
{
	uint32_t first = (uint32_t)ct_load_stage(source).x;

	ct_count_loss(context, launch);
	if (first != launch)
		ct_count_loss(context, first);
	if (launch - first > 1)
		ct_count_loss_among(context, first + 1, launch - 1);
}

/* One lane: a ticket whose ring chunk is free, or CT_NO_TICKET. */
CT_INLINE uint64_t ct_ring_ticket(uint64_t context)
{
	uint64_t ticket, tail;

	if (ct_ring_drops(context))
		return CT_NO_TICKET;
	ticket = ct_add_relaxed(CT_CONTEXT(context, head), 1);
	tail = ct_load_acquire(CT_CONTEXT(context, tail));
	if ((tail & CT_TAIL_ABORTED) ||
	    !ct_ring_has_room(ticket, tail, CT_CONTEXT(context, ring_mask)))
		ticket = ct_ring_wait(context, ticket);
	return ticket;
}

/*
 * The lanes of mask copy bytes (a multiple of 8) from source (16-aligned, in
 * the stage) to the ring. The last 16-byte copy may carry 8 bytes more than
 * asked: both slots and ring chunks end on 16, and the flag says the length.
 *
 * Order: each lane's copies, __syncwarp, the leader's release of the flag at
 * system scope, which covers what it saw of the other lanes.
 */
CT_INLINE void ct_ship(uint64_t context, uint32_t launch, uint32_t mask, uint64_t source,
		       uint32_t bytes)
{
	uint32_t lane = ct_lane(), leader = __ffs(mask) - 1, step = 16 * __popc(mask);
	uint32_t at = 16 * __popc(mask & ((1u << lane) - 1)), index;
	uint64_t ticket = 0, target;

	if (lane == leader)
		ticket = ct_ring_ticket(context);
	ticket = __shfl_sync(mask, ticket, leader);
	/* The leader has seen that the chunk is free; a shuffle alone orders no memory. The fence:
	 * what the slot's earlier owners wrote, released when they returned it. */
	ct_fence_gpu();
	__syncwarp(mask);
	if (ticket == CT_NO_TICKET) {
		if (lane == leader)
			ct_chunk_lost(context, launch, source);
		return;
	}
	index = (uint32_t)ticket & CT_CONTEXT(context, ring_mask);
	target = CT_CONTEXT(context, ring) + (uint64_t)index * CT_CHUNK_BYTES;
#pragma unroll 1
	for (; at + step < bytes; at += 2 * step) {
		uint4 a = ct_load_stage(source + at), b = ct_load_stage(source + at + step);

		ct_store_ring(target + at, a);
		ct_store_ring(target + at + step, b);
	}
	if (at < bytes)
		ct_store_ring(target + at, ct_load_stage(source + at));
	__syncwarp(mask);
	if (lane == leader)
		ct_store_release_system(CT_CONTEXT(context, flags) + 8ull * index,
					CT_FLAG(ticket, bytes));
}

#endif
