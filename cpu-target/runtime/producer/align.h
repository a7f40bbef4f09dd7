/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Join what the lanes of a warp did one after another into the warp-level
 * records that a GPU would have made: queues in, groups out.
 *
 * Fibers run one lane at a time, so each lane has a queue of its accesses and
 * events in program order. The rule: look at the first entry of every lane,
 * take the first place in the program (call_path.h: sites are numbered in
 * program order, those of a callee come within its call), join all lanes that
 * are there. A lane that can still run must have an entry before anything is
 * taken, because it might come to an earlier place; a lane that waits at a
 * barrier or a warp operation, or has exited, holds nothing back.
 *
 * The first place alone would let a lane run through a loop on its own:
 *
 *	for (...)		lane 0:  3 5 | 3 5 | ...
 *		if (x[i])  // 3	lane 1:  3 7 | 3 7 | ...
 *			y[i];  // 5
 *		else
 *			z[i];  // 7
 *
 * After site 5 lane 0 is back at 3, lane 1 still at 7. So a group that came
 * back to its place lets those lanes go first that are about to come back to
 * the same place: they are one iteration behind.
 */
#ifndef CT_CPU_TARGET_RUNTIME_PRODUCER_ALIGN_H
#define CT_CPU_TARGET_RUNTIME_PRODUCER_ALIGN_H

#include "cpu-target/runtime/producer/call_path.h"
#include <cudatrace/encode.h>
#include <stdint.h>

#define CT_ALIGN_CAPACITY 128u        /* entries per lane; a power of two */
#define CT_ALIGN_VALUES_CAPACITY 256u /* values per lane; a power of two */
#define CT_ALIGN_VALUES_MAX 6u        /* of one access */
#define CT_ALIGN_BYTES_MAX 0xffffu    /* of an access that is not a range */

enum ct_align_kind {
	CT_ALIGN_ACCESS,
	CT_ALIGN_EVENT,
	CT_ALIGN_RANGE, /* value 0: low = bytes */
	CT_ALIGN_TILE,  /* value 0: low = row bytes | rows << 32, high = stride */
	/* These are of both, if what they move is recorded: value 1, low = address of a copy of
	 * it, rows one behind the other, for who takes the entry to free. */
};

/*
 *	63       48 47                    0
 *	+----------+-----------------------+
 *	|  bytes   |        address        |
 *	+---------++------+----------------+	key and path as in call_path.h; entries
 *	| values  | kind  | path  |   key  |	with equal `what` and bytes can be joined
 *	+---------+-------+-------+--------+
 *	63      56 55   54 53   32 31     0
 */
struct ct_align_entry {
	uint64_t where;
	uint64_t what;
};

#define CT_ALIGN_KEY(what) ((uint32_t)(what))
#define CT_ALIGN_PATH(what) ((uint32_t)((what) >> 32) & (CT_PATH_COUNT_MAX - 1))
#define CT_ALIGN_KIND(what) ((enum ct_align_kind)((what) >> 54 & 3))
#define CT_ALIGN_VALUES(what) ((uint32_t)((what) >> 56))
#define CT_ALIGN_ONE_VALUE (1ull << 56)

struct ct_align_value {
	uint64_t low, high;
	uint32_t part, bytes;
};

/* Queues of the values of the queued entries; of warps that have values. */
struct ct_align_values {
	uint32_t taken[CT_WARP_LANES];
	uint32_t count[CT_WARP_LANES];
	struct ct_align_value queue[CT_WARP_LANES][CT_ALIGN_VALUES_CAPACITY];
};

struct ct_align_lane {
	uint32_t taken; /* entries taken so far; position of the first queued one */
	uint32_t count; /* queued */
	uint32_t path;  /* where the lane is */
	uint64_t last;  /* `what` of the entry taken last */
};

#define CT_ALIGN_EMPTY UINT32_MAX

struct ct_align_warp {
	/* place of each lane's first entry: key, or CT_ALIGN_EMPTY, and path */
	uint32_t first[CT_WARP_LANES];
	uint32_t first_path[CT_WARP_LANES];
	struct ct_align_lane lane[CT_WARP_LANES];
	struct ct_call_paths paths;
	struct ct_align_values *values; /* NULL until the first one */
	/* Padded by a cache line: rows must not start in the same cache set. */
	struct ct_align_entry queue[CT_WARP_LANES][CT_ALIGN_CAPACITY + 4];
};

/* One warp-level record with its values. Arrays are defined for the lanes of mask. */
struct ct_align_group {
	uint64_t site;
	uint32_t bytes;
	uint32_t mask;
	enum ct_align_kind kind;
	uint32_t phase;  /* of an event */
	uint32_t values; /* not of an event */
	uint64_t address[CT_WARP_LANES];
	struct {
		uint32_t part, bytes;
		uint64_t low[CT_WARP_LANES], high[CT_WARP_LANES];
	} value[CT_ALIGN_VALUES_MAX];
};

/* Empties all queues. Memory is kept: zero a structure before its first reset. */
void ct_align_reset(struct ct_align_warp *warp);

/* The path of an entry that a lane pushes for a site of this tag, referenced. */
uint32_t ct_align_path(struct ct_align_warp *warp, unsigned lane, uint32_t tag);

/* Appends an entry of a lane whose queue is not full. phase: enum
 * ct_event_phase, 0 of accesses. bytes <= CT_ALIGN_BYTES_MAX; address of 48 bits. */
static inline void ct_align_push(struct ct_align_warp *warp, unsigned lane, uint64_t site,
				 enum ct_align_kind kind, uint32_t phase, uint32_t bytes,
				 uint64_t address)
{
	struct ct_align_lane *l = &warp->lane[lane];
	uint32_t slot = (l->taken + l->count) & (CT_ALIGN_CAPACITY - 1);
	uint32_t tag = CT_SITE_TAG(site), key = CT_SITE_INDEX(site) << 1 | phase;
	uint32_t path = l->path | tag ? ct_align_path(warp, lane, tag) : 0;

	if (!l->count++) {
		warp->first[lane] = key;
		warp->first_path[lane] = path;
	}
	warp->queue[lane][slot] = (struct ct_align_entry){
	    address | (uint64_t)bytes << 48,
	    (uint64_t)kind << 54 | (uint64_t)path << 32 | key,
	};
}

/* Adds a value to the entry that the lane has just pushed. Returns 0, or -1 if
 * there is no memory or no room (never within CT_ALIGN_VALUES_MAX). */
int ct_align_push_value(struct ct_align_warp *warp, unsigned lane,
			const struct ct_align_value *value);

/* The lane goes into what the call site executes, or is back from there. The
 * events of the call are pushed in the caller: before entering, after leaving. */
void ct_align_enter_call(struct ct_align_warp *warp, unsigned lane, uint64_t site);
void ct_align_leave_call(struct ct_align_warp *warp, unsigned lane, uint64_t site);

/* No room for one more entry with all its values. */
static inline int ct_align_is_full(const struct ct_align_warp *warp, unsigned lane)
{
	return warp->lane[lane].count == CT_ALIGN_CAPACITY ||
	       (warp->values &&
		warp->values->count[lane] > CT_ALIGN_VALUES_CAPACITY - CT_ALIGN_VALUES_MAX);
}

/* Takes the next group, given the mask of lanes that can still run. Returns 1,
 * or 0 if there is none or a running lane must go on first. If a running lane's
 * queue is full and no running lane's is empty, there is always a group or a
 * running lane with room that must go on. */
int ct_align_next(struct ct_align_warp *warp, uint32_t running, struct ct_align_group *group);

#endif
