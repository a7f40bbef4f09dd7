/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranges of host memory that the device was asked to use, by address, and the waits that they
 * belong to. With the watch's lock held, if not said otherwise. Nothing here allocates: a fault on
 * a protected page may come from within the allocator.
 */
#ifndef CT_HOST_RT_WATCH_RANGES_RANGES_H
#define CT_HOST_RT_WATCH_RANGES_RANGES_H

#include "host-rt/watch/ranges/watched.h"
#include <stddef.h>

#define CT_RANGES_MAX (1u << 20)
#define CT_WAITS_MAX (1u << 20)

enum ct_range_state { CT_RANGE_FREE, CT_RANGE_PENDING, CT_RANGE_ARMED };

struct ct_range {
	uint64_t start, end;   /* end is behind the last byte of the last row */
	uint64_t width, pitch; /* pitch 0: one row */
	uint64_t sequence;     /* of the work (order.h) */
	const char *lost;      /* why an access may have been missed; NULL: none was */
	uint32_t rows;
	uint32_t producer; /* id of the call */
	uint32_t slot;     /* of the work's stream (order.h) */
	uint32_t wait;     /* of an armed one; index */
	uint8_t state;     /* enum ct_range_state */
	uint8_t origin;    /* enum ct_use_origin */
	bool is_again;     /* a wait that it was armed for has a row that says so */
	bool is_protected; /* pages.h */
	bool stays_open;   /* its pages cannot be protected */
	bool is_shared;    /* with other processes or a file: an access may be theirs */
	bool is_early;     /* pending, and an access now is one too early (ct_range_watch) */
	uint32_t call;     /* of a copy of pinned memory: its number in api.def, and */
	uint32_t thread;   /* who made it; 0: it is none */
	/* The links of the tree by address, a treap. */
	uint32_t left, right, priority;
	uint64_t max_end;
	uint32_t place; /* among those that live */
};

struct ct_wait {
	struct ct_row_wait row;
	uint32_t live; /* ranges */
};

/* An access, or what else finishes a range. */
struct ct_watch_touch {
	uint64_t time_ns, at, bytes;
	const char *reason; /* static */
	uint32_t thread, stack;
	uint8_t kind;  /* enum ct_use_kind */
	uint8_t means; /* enum ct_use_means */
	bool writes;
};

extern struct ct_range *ct_ranges; /* by index, from 1 */
extern struct ct_wait *ct_waits;

/* Called of each range when it is armed, and when it is armed no more. */
struct ct_range_listener {
	void (*arm)(struct ct_range *range);
	void (*disarm)(struct ct_range *range);
};

/* The listeners, in the order in which they are called, live as long as the process. 0 or
 * -ENOMEM. */
int ct_ranges_init(const struct ct_range_listener *listeners, size_t count);

/* Those that live; a finished one is replaced by the last. */
uint32_t ct_ranges_live(void);
uint32_t ct_ranges_at(uint32_t place);
uint32_t ct_ranges_armed(void);

/* A range like this one; 0: there are too many, which is said in the trace. */
uint32_t ct_ranges_add(const struct ct_range *like);
/* From now on it is not known of an armed range whether it was accessed; reason is static. */
void ct_ranges_lose_all(const char *reason);
/* Indices of ranges that have a byte in [start, end), at most room; the same order each time. */
uint32_t ct_ranges_find(uint64_t start, uint64_t end, uint32_t *indices, uint32_t room);
/* Does the range have a byte in there (rows are looked at)? */
bool ct_range_has(const struct ct_range *range, uint64_t start, uint64_t end);
/* Does such an access count? */
bool ct_range_counts(const struct ct_range *range, bool writes);

/* A pending range is watched until it is armed or ends, or until ct_range_unwatch: accesses are too
 * early. */
void ct_range_watch(uint32_t range);
void ct_range_unwatch(uint32_t range);
/* Is such an access too early? */
bool ct_range_is_early(const struct ct_range *range, bool writes);

/* A wait that has ended now; 0: there are too many. */
uint32_t ct_waits_add(const struct ct_row_wait *row);
/* It owns the range, which is pending or armed. */
void ct_range_arm(uint32_t range, uint32_t wait, uint64_t time_ns);
/* It ends, with a row if it was armed. */
void ct_range_finish(uint32_t range, const struct ct_watch_touch *access);
/* It ends without a row. */
void ct_range_drop(uint32_t range);
/* The wait's row is written if none of its ranges live. */
void ct_wait_finish(uint32_t wait);
/* The part of an armed or pending range outside of [start, end) stays. */
void ct_range_cut(uint32_t range, uint64_t start, uint64_t end,
		  const struct ct_watch_touch *access);

#endif
