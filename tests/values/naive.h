/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of ctpost values again, straight from docs/values.md: every element of every access
 * is kept, and what came before is looked for among all of them. Nothing of
 * postproc/analysis/values is used, nor of its order of work. For small traces.
 */
#ifndef CT_TEST_VALUES_NAIVE_H
#define CT_TEST_VALUES_NAIVE_H

#include "tests/comm/before.h"
#include "trace/read/reader.h"

enum what { LOAD, STORE, SAME, EXCHANGE, BLIND_LOAD, BLIND_STORE };

/* One element of the vector of one thread. */
struct element {
	enum what what;
	uint32_t step, warp, lane, record, part; /* part: which element of the vector */
	uint64_t cta, address, value;
	uint32_t bytes;
	const struct ct_launch_info *launch;
	const struct ct_unit *unit;
	uint32_t site;
	uint32_t scalar; /* of its type */
	bool is_unseen;  /* a byte of a range whose value is not known: it is no element */
	bool is_silent, is_counted; /* what has been found: by the thread alone, or otherwise */
};

struct counts {
	uint64_t elements, temporal, own, known, agreed, unknown, unreported;
};

struct naive {
	struct ct_trace *trace;
	struct before before;
	struct element *list; /* by launch, CTA, warp, in the warp's order */
	size_t count, room;
	struct counts *site; /* of the one unit that there is */
	struct done {
		uint64_t loads, temporal, stores, redundant, unknown, unreported;
	} * done; /* by superstep */
	uint64_t equal, candidates, surprises;
};

static inline bool is_store(const struct element *e)
{
	return e->what == STORE || e->what == EXCHANGE || e->what == BLIND_STORE;
}

static inline bool overlaps(const struct element *a, const struct element *b)
{
	return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

static inline bool is_same_place(const struct element *a, const struct element *b)
{
	return a->address == b->address && a->bytes == b->bytes;
}

/* naive_memory.c: what stores find in memory; elements first to end are of one launch. */
void judge_memory(struct naive *naive);
/* 1: memory held the value before the launch, 0: another one, -1: it is not known. */
int naive_held(const struct naive *naive, const struct element *e);
/* naive_uses.c: who writes and reads bytes of objects, launch after launch; prints it in the end.
 */
void follow_begin(struct naive *naive);
void follow_step(struct naive *naive, uint32_t step);
void follow_launch(struct naive *naive, uint32_t step, size_t first, size_t end);
void follow_memset(struct naive *naive, uint32_t step, uint64_t address, bool is_same);
void follow_end(struct naive *naive);
/* naive_sets.c: prints what the values of objects have in common. */
void print_sets(struct naive *naive);

#endif
