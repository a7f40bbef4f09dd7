/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a warp gets, fills, ships and returns a slot of the stage (ring.h).
 *
 *   slot   start            cursor           end        annex
 *    |-------|=================|--------------|    ...    |---------------|
 *    shipped   not yet shipped   room
 *
 * Shipping costs lanes that are not the whole warp the convergence barriers they are
 * in (warp.cuh). So where they find no room they go on in the annex; the whole warp, or
 * its last lanes, then ship the chunk and move there what is in the annex. end stays
 * that of the chunk, so that whole warps find no room beside the annex.
 *
 * A slot's home is an SM: slots smid * CT_SLOTS_PER_SM + i. Warps look there
 * first, so that the segments in it come from one SM and headers stay short.
 * Home is a hint: what owns a slot is the exchange.
 */
#ifndef CT_DEVICE_RT_SLOT_H
#define CT_DEVICE_RT_SLOT_H

#include "device-rt/warp.cuh"

#define CT_SLOTS_PER_SM 64u

/* A warp changes chunks when less than this is left, before it knows what it is
 * to write: enough for every record but a range or value record. */
#define CT_ROOM_BYTES 288u

/* In the annex stand the end of what is in the chunk, in 16 bytes, and a segment. */
#define CT_ANNEX_HEAD 16u
#define CT_BEGIN_IN_ANNEX (~0u) /* for ct_warp.begin */

CT_INLINE uint64_t ct_slot_base(uint64_t context, uint32_t slot)
{
	return CT_CONTEXT(context, stage) + (uint64_t)slot * CT_CHUNK_BYTES;
}

CT_INLINE bool ct_slot_is_home(uint32_t slot)
{
	return slot / CT_SLOTS_PER_SM == ct_sm();
}

/* One lane: the slot's next owner finds word. An addition, and no store: with the
 * exchanges it makes one chain of read-modify-writes, so that a fence after
 * taking a slot acquires from every owner there was (docs/protocol.md). An
 * acquiring exchange would empty the first-level cache at each warp's entry. */
CT_INLINE void ct_slot_put(uint64_t context, uint32_t slot, uint64_t word)
{
	ct_add_release64(CT_CONTEXT(context, pool) + 8ull * slot, word - CT_SLOT_OWNED);
}

/* A slot that was taken, and its pool word; CT_NO_SLOT, CT_SLOT_OWNED if none could be had. */
struct ct_taken {
	uint64_t word;
	uint32_t slot;
};

/* The place of this warp in the SM, where a warp looks first. */
CT_INLINE uint32_t ct_slot_home(void)
{
	return ct_sm() * CT_SLOTS_PER_SM + ct_warp_of_sm() % CT_SLOTS_PER_SM;
}

/* One lane: the slot, if nothing has it. */
CT_INLINE struct ct_taken ct_slot_try(uint64_t context, uint32_t slot)
{
	struct ct_taken taken = {CT_SLOT_OWNED, slot};

	if (slot < CT_CONTEXT(context, slots))
		taken.word =
		    ct_exchange_relaxed64(CT_CONTEXT(context, pool) + 8ull * slot, CT_SLOT_OWNED);
	if (taken.word == CT_SLOT_OWNED)
		taken.slot = CT_NO_SLOT;
	return taken;
}

/*
 * The lanes of mask together: look for a free slot from home on. Ends because
 * there are more slots than warps can be resident; abort bounds it all the same.
 * Together, for a lane that looks alone may fall behind the others, who would
 * go on without it (warp.cuh); that it does was not measured.
 */
CT_INLINE struct ct_taken ct_slot_search(uint64_t context, uint32_t mask)
{
	uint32_t lane = ct_lane(), leader = __ffs(mask) - 1, slots = CT_CONTEXT(context, slots);
	struct ct_taken taken = {CT_SLOT_OWNED, CT_NO_SLOT};

	for (uint32_t probe = 0;; probe++) {
		if (lane == leader)
			taken = ct_slot_try(context, (ct_slot_home() + probe) % slots);
		taken.slot = __shfl_sync(mask, taken.slot, leader);
		if (taken.slot != CT_NO_SLOT)
			break;
		if ((probe + 1) % slots == 0) {
			uint32_t abort = 0;

			if (lane == leader)
				abort = ct_load_relaxed_system(CT_CONTEXT(context, abort));
			if (__shfl_sync(mask, abort, leader))
				break;
			__nanosleep(1000);
		}
	}
	taken.word = __shfl_sync(mask, taken.word, leader);
	return taken;
}

CT_INLINE void ct_segment_store(uint64_t at, uint32_t launch, uint32_t sequence)
{
	ct_store64(at, CT_SEGMENT_WORD0(ct_sm(), sequence, launch));
	ct_store64(at + 8, CT_SEGMENT_WORD1(ct_thread() / CT_WARP_LANES, ct_linear_cta()));
}

/*
 * One lane, at the kernel's entry: the warp's state, its first slot and segment,
 * whose header is as short as what stands before it in the slot allows. In a slot
 * without room no segment is open yet.
 */
CT_INLINE void ct_warp_open(uint32_t warp, uint64_t context, uint32_t launch, struct ct_taken taken)
{
	uint64_t base = ct_slot_base(context, taken.slot), at = 0, end = 0;
	uint32_t fill = CT_SLOT_FILL(taken.word), sequence = 0, groups = 0;

	if (taken.slot != CT_NO_SLOT)
		at = base + fill;
	if (at && fill + CT_SEGMENT_BYTES + CT_ROOM_BYTES <= CT_CHUNK_BYTES) {
		end = base + CT_CHUNK_BYTES;
		sequence = 1;
		if (CT_SLOT_LAUNCH(taken.word) == launch && ct_slot_is_home(taken.slot)) {
			ct_store64(at, CT_SEGMENT_SHORT_WORD(ct_thread() / CT_WARP_LANES,
							     ct_linear_cta()));
			groups = CT_SLOT_GROUPS(taken.word);
			at += 8;
		} else {
			ct_segment_store(at, launch, 0);
			at += CT_SEGMENT_BYTES;
		}
	}
	ct_shared_store_pair(CT_AT(warp, cursor), at, end);
	ct_shared_store_pair(CT_AT(warp, context), context, taken.word);
	ct_ticket_init(CT_AT(warp, tickets));
	ct_shared_store(CT_AT(warp, slot), taken.slot);
	ct_shared_store(CT_AT(warp, start), CT_SLOT_AT(taken.word));
	ct_shared_store4(CT_AT(warp, launch), launch, sequence, groups, (uint32_t)at);
	ct_shared_store4(CT_AT(warp, serving), 0, 0, CT_MODE_RECORD, fill);
}

/* One lane: what it can do without the others (ct_warp_has_begun). */
CT_INLINE void ct_warp_begin(uint32_t warp, uint64_t context, uint32_t launch)
{
	struct ct_taken taken = ct_slot_try(context, ct_slot_home());

	if (taken.slot != CT_NO_SLOT) {
		ct_warp_open(warp, context, launch, taken);
		return;
	}
	ct_shared_store(CT_AT(warp, slot), CT_NO_SLOT);
	ct_shared_store(CT_AT(warp, sequence), 0);
}

/* After ct_warp_begin: a segment is open. */
CT_INLINE bool ct_warp_has_begun(uint32_t warp)
{
	return ct_shared_load(CT_AT(warp, sequence)) != 0;
}

/* One lane: a state that records nothing. */
CT_INLINE void ct_warp_begin_off(uint32_t warp)
{
	ct_shared_store_pair(CT_AT(warp, cursor), 0, 0);
	ct_shared_store(CT_AT(warp, slot), CT_NO_SLOT);
	ct_shared_store4(CT_AT(warp, serving), 0, 0, CT_MODE_OFF, 0);
}

/* The lanes of mask: the warp gave up at its entry; it tries again. Returns 0 if there still
 * is no slot. */
CT_INLINE uint32_t ct_slot_retry(uint32_t warp, uint32_t mask, uint64_t context)
{
	struct ct_taken taken = ct_slot_search(context, mask);
	uint64_t cursor;

	if (taken.slot == CT_NO_SLOT)
		return 0;
	if (ct_lane() != (uint32_t)__ffs(mask) - 1)
		return 1;
	cursor = ct_slot_base(context, taken.slot) + CT_SLOT_FILL(taken.word);
	ct_shared_store(CT_AT(warp, slot), taken.slot);
	ct_shared_store(CT_AT(warp, start), CT_SLOT_AT(taken.word));
	ct_shared_store(CT_AT(warp, first), (uint32_t)cursor);
	ct_shared_store(CT_AT(warp, begin), CT_SLOT_FILL(taken.word));
	ct_shared_store64(CT_AT(warp, taken), taken.word);
	ct_shared_store64(CT_AT(warp, cursor), cursor);
	return 1;
}

/* One lane: the warp's next segment begins at at, in place of the last one if that has
 * nothing in it. */
CT_INLINE void ct_segment_open(uint32_t warp, uint64_t at, bool replaces)
{
	uint32_t sequence = ct_shared_load(CT_AT(warp, sequence)) - replaces;
	uint32_t launch = ct_shared_load(CT_AT(warp, launch));

	ct_segment_store(at, launch, sequence);
	at += CT_SEGMENT_BYTES;
	ct_shared_store64(CT_AT(warp, cursor), at);
	ct_shared_store4(CT_AT(warp, launch), launch, sequence + 1, 0, (uint32_t)at);
}

/* From a slot to its annex, at least CT_CHUNK_BYTES: annexes stand behind all slots, so that
 * these stay close together. */
CT_INLINE uint64_t ct_annex_distance(uint64_t context)
{
	return (uint64_t)CT_CONTEXT(context, slots) * CT_CHUNK_BYTES;
}

/* The lanes of mask: a segment in the annex, with nothing shipped and no atomics, for what no
 * longer fits into the chunk. */
CT_RARE void ct_annex_enter(uint32_t warp, uint32_t mask)
{
	if (ct_lane() == (uint32_t)__ffs(mask) - 1) {
		uint64_t cursor, end, annex;
		uint32_t fill;
		bool is_empty;

		ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
		is_empty = ct_shared_load(CT_AT(warp, first)) == (uint32_t)cursor;
		fill = is_empty ? ct_shared_load(CT_AT(warp, begin))
				: (uint32_t)(cursor + CT_CHUNK_BYTES - end);
		annex = end - CT_CHUNK_BYTES +
			ct_annex_distance(ct_shared_load64(CT_AT(warp, context)));
		ct_store64(annex, fill);
		ct_segment_open(warp, annex + CT_ANNEX_HEAD, is_empty);
		ct_shared_store(CT_AT(warp, begin), CT_BEGIN_IN_ANNEX);
	}
	__syncwarp(mask);
}

/* The warp must have a slot. */
CT_INLINE bool ct_is_in_annex(uint32_t warp)
{
	return ct_shared_load(CT_AT(warp, begin)) == CT_BEGIN_IN_ANNEX;
}

/* The lanes of mask: what is in the annex is now the chunk, which has been shipped. */
CT_RARE void ct_annex_move(uint32_t warp, uint32_t mask)
{
	uint32_t lane = ct_lane(), at = 16 * __popc(mask & ((1u << lane) - 1));
	uint64_t context = ct_shared_load64(CT_AT(warp, context));
	uint64_t distance = ct_annex_distance(context) + CT_ANNEX_HEAD;
	uint64_t base = ct_slot_base(context, ct_shared_load(CT_AT(warp, slot)));
	uint64_t cursor = ct_shared_load64(CT_AT(warp, cursor)) - distance;

#pragma unroll 1
	for (uint64_t to = base + at; to < cursor; to += 16 * __popc(mask))
		ct_store_ring(to, ct_load_stage(to + distance));
	__syncwarp(mask);
	if (lane == (uint32_t)__ffs(mask) - 1) {
		uint32_t first = ct_shared_load(CT_AT(warp, first)) - (uint32_t)distance;

		ct_shared_store_pair(CT_AT(warp, cursor), cursor, base + CT_CHUNK_BYTES);
		ct_shared_store(CT_AT(warp, first), first);
		ct_shared_store(CT_AT(warp, begin), 0);
	}
	__syncwarp(mask);
}

/*
 * A new segment with need bytes of room behind its header: in what is left of
 * the slot, or at the beginning of the slot, shipped. It replaces a segment
 * that has nothing in it yet. From the annex: the segment there goes on in the slot,
 * shipped, or in the annex again if it leaves too little room. The caller has the
 * state (warp.cuh). Returns 0 if no slot could be had: the record is lost, and a
 * whole chunk is counted for it.
 */
CT_RARE uint32_t ct_chunk_change(uint32_t warp, uint32_t mask, uint32_t need)
{
	uint32_t lane = ct_lane(), leader = __ffs(mask) - 1, fill, start;
	uint64_t context = ct_shared_load64(CT_AT(warp, context)), base, cursor, end;
	bool is_empty, is_in_annex, is_full;

	if (ct_shared_load(CT_AT(warp, slot)) == CT_NO_SLOT) {
		__syncwarp(mask);
		if (!ct_slot_retry(warp, mask, context)) {
			if (lane == leader)
				ct_count_loss(context, ct_shared_load(CT_AT(warp, launch)));
			return 0;
		}
	}
	__syncwarp(mask);
	base = ct_slot_base(context, ct_shared_load(CT_AT(warp, slot)));
	ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
	is_in_annex = ct_is_in_annex(warp);
	is_empty = ct_shared_load(CT_AT(warp, first)) == (uint32_t)cursor;
	if (is_in_annex)
		fill = ct_load_stage(base + ct_annex_distance(context)).x;
	else
		fill = is_empty ? ct_shared_load(CT_AT(warp, begin)) : (uint32_t)(cursor - base);
	start = ct_shared_load(CT_AT(warp, start));
	__syncwarp(mask);
	is_full = is_in_annex || fill + CT_SEGMENT_BYTES + need > CT_CHUNK_BYTES;
	if (is_full && fill > start)
		ct_ship(context, ct_shared_load(CT_AT(warp, launch)), mask, base + start,
			fill - start);
	if (is_full) {
		context = ct_shared_load64(CT_AT(warp, context));
		base = ct_slot_base(context, ct_shared_load(CT_AT(warp, slot)));
		fill = 0;
		if (lane == leader)
			ct_shared_store(CT_AT(warp, start), 0);
	}
	if (is_in_annex) {
		ct_annex_move(warp, mask);
		ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
		__syncwarp(mask);
		if (cursor + need > end)
			ct_annex_enter(warp, mask);
		return 1;
	}
	if (lane == leader) {
		ct_segment_open(warp, base + fill, is_empty && end);
		ct_shared_store64(CT_AT(warp, end), base + CT_CHUNK_BYTES);
		ct_shared_store(CT_AT(warp, begin), fill);
	}
	__syncwarp(mask);
	return 1;
}

/*
 * The lanes of mask, all of the warp, at its entry, where one lane could not open a
 * segment: another slot, or room in this one. To ship it only when the first record
 * comes would split masks that the user's code has there (warp.cuh).
 */
CT_RARE void ct_warp_begin_together(uint32_t warp, uint64_t context, uint32_t launch, uint32_t mask)
{
	if (ct_shared_load(CT_AT(warp, slot)) == CT_NO_SLOT) {
		struct ct_taken taken = ct_slot_search(context, mask);

		if (ct_lane() == (uint32_t)__ffs(mask) - 1)
			ct_warp_open(warp, context, launch, taken);
		__syncwarp(mask);
	}
	if (ct_shared_load(CT_AT(warp, slot)) != CT_NO_SLOT && !ct_warp_has_begun(warp))
		ct_chunk_change(warp, mask, CT_ROOM_BYTES);
}

/* Where a record of need bytes goes, or 0. Every lane of mask gets the same answer; nothing
 * moves the cursor before all have read it. */
CT_INLINE uint64_t ct_reserve(uint32_t warp, uint32_t mask, uint32_t need)
{
	uint32_t room = need > CT_ROOM_BYTES ? need : CT_ROOM_BYTES;
	uint64_t cursor, end;
	bool is_in_chunk;

	__syncwarp(mask);
	ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
	__syncwarp(mask);
	/* Else in the annex, or with no segment open, or without a slot. */
	is_in_chunk = cursor && cursor <= end;
	if (cursor > end && mask != CT_FULL_MASK)
		end += ct_annex_distance(ct_shared_load64(CT_AT(warp, context)));
	if (cursor + room > end) {
		if (is_in_chunk && mask != ct_warp_lanes(ct_thread()))
			ct_annex_enter(warp, mask);
		else if (!ct_chunk_change(warp, mask, room))
			return 0;
		cursor = ct_shared_load64(CT_AT(warp, cursor));
		__syncwarp(mask);
	}
	return cursor;
}

/*
 * One lane, the last of its warp, not in the annex: give the slot back, unshipped. The next warp
 * appends its own segment, and ct_flush ships what stays. A segment without
 * records leaves no trace of itself. The release makes this warp's
 * records, and those of the owners before it, visible to the next owner.
 */
CT_INLINE void ct_slot_return(uint32_t warp)
{
	uint64_t cursor, end, context, word;
	uint32_t slot = ct_shared_load(CT_AT(warp, slot)), start, begin;

	if (slot == CT_NO_SLOT)
		return;
	ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
	ct_shared_load_pair(CT_AT(warp, context), &context, &word);
	start = ct_shared_load(CT_AT(warp, start));
	begin = ct_shared_load(CT_AT(warp, begin));
	if (ct_shared_load(CT_AT(warp, first)) != (uint32_t)cursor)
		word = CT_SLOT((uint32_t)(cursor - ct_slot_base(context, slot)), start,
			       ct_shared_load(CT_AT(warp, groups)),
			       ct_slot_is_home(slot) ? ct_shared_load(CT_AT(warp, launch)) : 0);
	else if (start != CT_SLOT_AT(word) || begin != CT_SLOT_FILL(word))
		word = CT_SLOT(begin, start, 0, 0);
	ct_slot_put(context, slot, word);
}

/* The lanes of mask, the last of their warp. */
CT_INLINE void ct_warp_end(uint32_t warp, uint32_t mask)
{
	if (ct_is_in_annex(warp))
		ct_chunk_change(warp, mask, 0);
	if (ct_lane() == (uint32_t)__ffs(mask) - 1)
		ct_slot_return(warp);
}

#endif
