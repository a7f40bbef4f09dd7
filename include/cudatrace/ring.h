/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launch block and the chunk protocol between producers (device-rt on the
 * GPU, the CPU target's producer) and the consumers in host-rt.
 *
 * A producer fills a chunk it owns (GPU: a slot of `stage` checked out of
 * `pool`; CPU target: a private buffer), then ships it:
 *
 *   ticket = atomic_add(head, 1)
 *   wait until ticket - tail <= ring_mask       (tail is refreshed from the
 *                                                consumers' progress)
 *   copy bytes to ring + (ticket & ring_mask) * CT_CHUNK_BYTES
 *   store-release(system) flags[ticket & ring_mask] = CT_FLAG(ticket, bytes)
 *
 * Consumer c of n handles runs of CT_TICKET_RUN tickets round-robin: ticket t
 * belongs to consumer (t / CT_TICKET_RUN) % n. It acquire-loads the flag until
 * its tag matches, takes the bytes, and publishes with release the lowest
 * ticket it has not yet taken in progress[c * CT_PROGRESS_STRIDE]. tail is the
 * minimum over the consumers. Wait times are bounded by `abort`: when the host
 * sets it, producers drop what they cannot ship and count it in `losses`.
 * With CT_CONTEXT_DROP a producer that finds the ring full drops the chunk at
 * once, without a ticket, and counts it.
 *
 * losses[launch % CT_LOSSES] is launch << 32 | chunks lost of it. If the entry
 * holds another launch, it counts in losses[CT_LOSSES], whose upper half is 0; the
 * launches of these are those from CT_LOSSES_FIRST to losses[CT_LOSSES + 2]. A
 * chunk counts for the launch of the warp that was to ship it; on the GPU, where
 * warps of earlier launches may have begun it, for the launch of its first
 * segment, too, and once more without a launch if there may be others between.
 *
 * GPU pool protocol. pool[s] is CT_SLOT_OWNED while a warp owns slot s; else
 * a word of CT_SLOT: bytes [start, fill) of the slot are unshipped; the launch
 * of the last segment in them, and which groups (record.h) are in force at its
 * end; launch 0: the next segment needs a full header. Taking is an
 * acquire-exchange with CT_SLOT_OWNED; returning a release store. A slot's
 * start moves only when it is shipped. Positions are multiples of 8, starts of 16.
 *
 * Layout is the same for host, GPU and CPU target: pointers are 64-bit values.
 */
#ifndef CUDATRACE_RING_H
#define CUDATRACE_RING_H

#include <stdint.h>

#define CT_CHUNK_BYTES 4096u
#define CT_TICKET_RUN                                                                              \
	64u /* about a trace chunk: a consumer writes its runs as chunks of contiguous tickets */
#define CT_PROGRESS_STRIDE 8u /* uint64_t's: a cache line each */
#define CT_LOSSES 4096u
#define CT_LOSSES_WORDS (CT_LOSSES + 3u)
/* Both words grow from 0: the first launch is kept as what is missing to the greatest number. */
#define CT_LOSSES_NOT(launch) (0xffffffffu - (launch))
#define CT_LOSSES_FIRST(losses) CT_LOSSES_NOT((uint32_t)(losses)[CT_LOSSES + 1u])
/* A pool word: fill / 8 in bits 9..0, start / 16 in 18..10, groups in 30..19
 * (a bit each, CT_GROUPS_MAX), launch in 63..32. */
#define CT_SLOT_OWNED (~0ull)
#define CT_SLOT(fill, start, groups, launch)                                                       \
	((uint64_t)((fill) / 8) | (uint64_t)((start) / 16) << 10 | (uint64_t)(groups) << 19 |      \
	 (uint64_t)(launch) << 32)
#define CT_SLOT_FILL(word) ((uint32_t)(0x3ff & (word)) * 8)
#define CT_SLOT_AT(word) ((uint32_t)((word) >> 10 & 0x1ff) * 16)
#define CT_SLOT_GROUPS(word) ((uint32_t)((word) >> 19 & 0xfff))
#define CT_SLOT_LAUNCH(word) ((uint32_t)((word) >> 32))
#define CT_SLOT_EMPTY(start) CT_SLOT(start, start, 0, 0)
/* Where an emptied slot begins: staggered, so that chunks do not fill in phase. */
#define CT_SLOT_START(slot) (((2654435761u * (uint32_t)(slot) >> 8) % CT_CHUNK_BYTES) & ~15u)

/* flags[i]: tag (ticket+1) in the upper 40 bits, bytes in the lower 24. */
#define CT_FLAG(ticket, bytes) ((((uint64_t)(ticket) + 1) << 24) | (bytes))
#define CT_FLAG_TAG(flag) ((flag) >> 24)
#define CT_FLAG_BYTES(flag) ((uint32_t)(0xffffffu & (flag)))

/* One per device; lives in memory that producers read (device memory on the
 * GPU). Filled by host-rt. head, tail, poll_lock and losses point into device
 * memory; ring, flags, progress and abort into pinned host memory. */
struct ct_context {
	uint64_t stage; /* char[2][slots][CT_CHUNK_BYTES]: slots, then their annexes (slot.cuh) */
	uint64_t pool;  /* uint64_t[slots] */
	uint64_t head;  /* uint64_t: next ticket */
	uint64_t tail;  /* uint64_t: cached minimum of progress */
	uint64_t poll_lock; /* uint32_t */
	uint64_t losses;    /* uint64_t[CT_LOSSES_WORDS]: chunks given up, by launch */
	uint64_t ring;      /* char[ring_mask + 1][CT_CHUNK_BYTES] */
	uint64_t flags;     /* uint64_t[ring_mask + 1] */
	uint64_t progress;  /* uint64_t[consumers * CT_PROGRESS_STRIDE] */
	uint64_t abort;     /* uint32_t: host side is gone */
	uint32_t slots;     /* 0 on the CPU target */
	uint32_t ring_mask; /* ring chunks - 1, a power of two minus one */
	uint32_t consumers;
	uint32_t mode;       /* CT_CONTEXT_* */
	uint64_t launch_ids; /* uint32_t[]: for CT_LAUNCH_INDIRECT; 0 without graphs */
	uint64_t waits;      /* uint64_t: chunks that had to wait for room in the ring */
	uint64_t counts;     /* uint64_t[CT_COUNTS_AREAS] of tier counts (counts.h); 0: none */
};

#define CT_CONTEXT_DROP 1u /* a full ring loses chunks instead of making producers wait */

/* Passed by value as the last parameter of every instrumented clone. */
struct ct_launch {
	uint64_t context;      /* struct ct_context in the producer's memory */
	uint32_t launch;       /* launch id of segments */
	uint32_t flags;        /* CT_LAUNCH_INDIRECT, CT_LAUNCH_COUNTS */
	uint32_t block_period; /* 0 or 1: every CTA is recorded; else those whose */
	uint32_t block_offset; /* (linear CTA id + offset) % period == 0 */
	uint64_t clock;        /* of the CTA clock (ctas.h): struct ct_cta_times[]; 0: not wanted */
	/* In tier blocks (counts.h) they locate struct ct_counts_site of site 0 of the kernel's
	 * unit in the first row of counters, and the step from row to row. */
	uint64_t counters, row_bytes;
};

/* `launch` is an index: the launch id stands in launch_ids[launch]. For kernel
 * nodes of graphs, whose parameters outlive a single launch. */
#define CT_LAUNCH_INDIRECT 1u

/* Tier counts: accesses are counted on the device, not recorded; bits 31..8 as in counts.h. */
#define CT_LAUNCH_COUNTS 2u
/* Tier values, with CT_LAUNCH_COUNTS: values are summarised, and nothing else. */
#define CT_LAUNCH_VALUES 4u

#define CT_STATE_OFF 0xffffffffu /* a hooks' state that records nothing */

#endif
