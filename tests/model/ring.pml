/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol of ring.h for spin: warps, flush kernel, consumers and the host,
 * one step per access to what they share (sequentially consistent; why the
 * memory orders make it so is in docs/protocol.md).
 *
 * A record is a bit. Warp w appends records w * RECORDS and up. A slot and a ring
 * chunk hold CAP records as a mask; a mask is copied in two steps, so that a
 * copy can be torn.
 *
 * MODE BLOCK: the host waits for kernels, flushes, waits for the consumers, stops.
 * MODE ABORT: at any moment the host sets abort; from then on consumers may end.
 * MODE DROP:  as BLOCK, and a full ring loses chunks.
 *
 * Checked: no ring chunk is written before it is taken; nothing is delivered
 * twice; at the end every record was delivered or counted as lost, and none is
 * lost in BLOCK; a warp's records are delivered in the order of their tickets;
 * everybody ends (no invalid end states; with -DLIVE also under weak fairness).
 * Each BREAK_* takes away something that this rests on, and must be found.
 */
#define BLOCK 0
#define ABORT 1
#define DROP 2
#ifndef MODE
#define MODE BLOCK
#endif
#ifndef WARPS
#define WARPS 2
#endif
#ifndef RECORDS
#define RECORDS 3 /* per warp */
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef RUN
#define RUN 1 /* CT_TICKET_RUN */
#endif
#ifndef RING
#define RING 2
#endif
#ifdef BREAK_NEAR
#define NEAR 0
#else
#define NEAR 1 /* waiters that ask the host; CT_WAIT_NEAR is more */
#endif
#define CAP 2
#ifdef BREAK_ROOM
#define ROOM (RING + 1)
#else
#define ROOM RING
#endif
#define ALL ((1 << (WARPS * RECORDS)) - 1)
#define HALF 21845 /* every other bit */
#define NO_TICKET 255
#define OWNED 255

byte head, tail, progress[CONSUMERS], flag[RING]; /* flag: ticket + 1 */
bool poll_lock, tail_aborted, aborted, stop;
short ring[RING], stage[SLOTS]; /* stage: what is not shipped of a slot */
byte pool[SLOTS], start[SLOTS]; /* pool: fill, or OWNED */

/* For the assertions. */
short delivered, lost;
bool busy[RING];
byte ticket_of[WARPS * RECORDS];
byte producers, running, consumers_left;
bool all_ended;

inline exchange(slot, word)
{
#ifdef BREAK_EXCHANGE
	word = pool[slot];
	pool[slot] = OWNED
#else
	atomic { word = pool[slot]; pool[slot] = OWNED }
#endif
}

inline lose(mask)
{
	atomic { assert((lost & mask) == 0); lost = lost | mask }
}

/* One producer at a time; the cached tail only grows. */
inline poll_progress()
{
	lowest = progress[0];
	for (i : 1 .. CONSUMERS - 1) {
		if
		:: progress[i] < lowest -> lowest = progress[i]
		:: else
		fi
	}
#ifndef BREAK_ABORT
	seen_abort = aborted;
#endif
	atomic {
		if
		:: lowest > tail -> tail = lowest
		:: else
		fi;
		tail_aborted = tail_aborted || seen_abort
	}
}

inline try_poll()
{
	atomic {
		if
		:: !poll_lock -> poll_lock = true; has_lock = true
		:: else -> has_lock = false
		fi
	}
	if
	:: has_lock -> poll_progress(); poll_lock = false
	:: else
	fi
}

inline wait_for_room()
{
	do
	:: tail_aborted -> lose(shipped); ticket = NO_TICKET; break
	:: !tail_aborted && ticket < tail + ROOM -> break
	:: !tail_aborted && ticket >= tail + ROOM ->
		if
		:: ticket < tail + ROOM + NEAR -> try_poll()
		:: else /* looks at the tail again */
		fi
	od
}

/* ct_ring_ticket */
inline take_ticket()
{
	ticket = 0;
#if MODE == DROP
	if
	:: head < tail + RING
	:: else -> try_poll();
		if
		:: head < tail + RING
		:: else -> lose(shipped); ticket = NO_TICKET
		fi
	fi;
#endif
	if
	:: ticket != NO_TICKET -> atomic { ticket = head; head++ }; wait_for_room()
	:: else
	fi
}

/* ct_ship: the records of `shipped` */
inline ship()
{
	take_ticket();
	if
	:: ticket != NO_TICKET ->
		index = ticket % RING;
		assert(!busy[index]);
		busy[index] = true;
		ring[index] = shipped & HALF;
		ring[index] = ring[index] | (shipped & ~HALF);
		flag[index] = ticket + 1
	:: else
	fi
}

#define SHIPPER_LOCALS \
	byte ticket, index, lowest, i, word; \
	short shipped; \
	bool has_lock, seen_abort

proctype Warp(byte w)
{
	byte slot = w % SLOTS, begun, fill, record;
	SHIPPER_LOCALS;

	exchange(slot, word);
	do
	:: word == OWNED -> slot = (slot + 1) % SLOTS; exchange(slot, word)
	:: else -> break
	od;
	fill = word;
	begun = start[slot];
	do
	:: record < RECORDS ->
		if
		:: fill == CAP ->
			if
			:: fill > begun -> shipped = stage[slot]; ship(); stage[slot] = 0
			:: else
			fi;
			fill = 0;
			begun = 0
		:: else
		fi;
		stage[slot] = stage[slot] | (1 << (w * RECORDS + record));
		fill++;
		record++
	:: else -> break
	od;
	/* ct_slot_return */
	atomic { start[slot] = begun; pool[slot] = fill };
	producers--
}

/* ct_flush: a warp per slot in the kernel, one after another here. */
proctype Flush()
{
	byte slot;
	SHIPPER_LOCALS;

	for (slot : 0 .. SLOTS - 1) {
		if
		:: pool[slot] != OWNED && pool[slot] > start[slot] ->
			exchange(slot, word);
			if
			:: word == OWNED
			:: else ->
				if
				:: word > start[slot] ->
					shipped = stage[slot];
					ship();
					stage[slot] = 0;
					word = slot % CAP;
					start[slot] = word
				:: else
				fi;
				pool[slot] = word
			fi
		:: else
		fi
	}
	running--
}

inline next_own(ticket)
{
	do
	:: (ticket / RUN) % CONSUMERS != c -> ticket++
	:: else -> break
	od
}

inline deliver(chunk, at)
{
	atomic {
		assert((delivered & chunk) == 0 && (lost & chunk) == 0);
		delivered = delivered | chunk;
		for (r : 0 .. WARPS * RECORDS - 1) {
			if
			:: chunk & (1 << r) -> ticket_of[r] = at
			:: else
			fi
		}
		r = 0
	}
}

proctype Consumer(byte c)
{
	byte next, r;
	short taken;

	atomic { next_own(next); progress[c] = next };
	do
	:: flag[next % RING] == next + 1 ->
#ifdef BREAK_PROGRESS
		progress[c] = next + CONSUMERS * RUN;
#endif
		taken = ring[next % RING] & HALF;
		taken = taken | (ring[next % RING] & ~HALF);
		deliver(taken, next);
		busy[next % RING] = false;
		atomic { next++; next_own(next) };
		/* Progress may be reported later, but before waiting. */
		if
		:: progress[c] = next
		:: flag[next % RING] == next + 1
		fi
	:: flag[next % RING] != next + 1 && stop -> break
#if MODE == ABORT
	:: aborted -> break
#endif
	od;
	progress[c] = next;
	consumers_left--
}

/* Takes what still lies in the ring when the consumers have ended. */
inline salvage()
{
	for (i : 0 .. RING - 1) {
		if
		:: busy[i] && flag[i] ->
			deliver(ring[i], flag[i] - 1);
			busy[i] = false
		:: else
		fi
	}
}

inline check_order()
{
	for (i : 0 .. WARPS * RECORDS - 1) {
		if
		:: i % RECORDS != 0 && (delivered & (1 << i)) && (delivered & (1 << (i - 1))) ->
			assert(ticket_of[i - 1] <= ticket_of[i])
		:: else
		fi
	}
}

init
{
	byte i, r;

	atomic {
		for (i : 0 .. SLOTS - 1) { pool[i] = i % CAP; start[i] = i % CAP }
		producers = WARPS;
		consumers_left = CONSUMERS;
		running = 1;
		for (i : 0 .. CONSUMERS - 1) { progress[i] = i * RUN; run Consumer(i) }
		for (i : 0 .. WARPS - 1) { run Warp(i) }
		run Flush() /* beside running warps */
	}
#if MODE == ABORT
	aborted = true;
#endif
	producers == 0 && running == 0;
	running = 1;
	run Flush();
	running == 0;
#if MODE != ABORT
	for (i : 0 .. CONSUMERS - 1) {
		progress[i] >= head
	}
#endif
	stop = true;
	consumers_left == 0;
	atomic {
		salvage();
		assert((delivered & lost) == 0);
		assert((delivered | lost) == ALL);
#if MODE == BLOCK
		assert(lost == 0);
#endif
		check_order()
	};
	all_ended = true
}

#ifdef LIVE
ltl everybody_ends { <> all_ended }
#endif
