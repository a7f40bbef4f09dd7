/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an analysis is to the scan engine: a table of functions. One pass over a trace
 * (pass.h) feeds any number of them.
 *
 *   wants, begin ──┬── open, access, event, value …, finish ──┬── join ── stages ── finish
 *                  └── open, access, event, value …, finish ──┘
 *        once          each worker, with a state of its own          once
 *
 * A job is an analysis at work on one trace: its caller makes it, with what is to be looked
 * at; the engine only hands it on; what comes of it is in it after finish.
 *
 * Threads: wants, begin, finish and a stage's begin are called by the thread that runs the
 * pass. What takes a state is called by one thread at a time, so nothing in a state needs a
 * lock, and what states share (tables of the job, shuffles) is only read or safe to share.
 *
 * What comes of a pass must be the same for any number of workers and ranks and any bound of
 * memory: sums of integers, minima, sets, lists in an order of their own; nothing that goes by
 * which state has seen what, or by what came first, unless CT_WANT_ORDER is asked for.
 *
 * Functions return 0 or a negative error, which ends the pass; access, event and value may
 * also return a positive number to end it. Where a function is said to be absent, it is NULL.
 */
#ifndef CT_POSTPROC_SCAN_ANALYSIS_H
#define CT_POSTPROC_SCAN_ANALYSIS_H

#include "base/buffer.h"
#include "postproc/base/ranks.h"
#include "trace/read/reader.h"
#include <stdbool.h>

enum ct_want {
	CT_WANT_ACCESSES = 1,
	CT_WANT_EVENTS = 2,
	/* Values, each behind its access. With CT_WANT_WARPS. */
	CT_WANT_VALUES = 4,
	/* Each record has its `path`; records whose lanes have different ones come in several
	 * calls. With CT_WANT_WARPS. */
	CT_WANT_PATHS = 8,
	/* All of a warp comes to one state, in program order. Without, all of a chunk does (a
	 * chunk has segments of any warps), in order. */
	CT_WANT_WARPS = 16,
	/* Everything comes to one state in the order of the trace. One thread decodes, the others
	 * read and decompress ahead of it. */
	CT_WANT_ORDER = 32,
};

struct ct_wants {
	unsigned what; /* bits of enum ct_want; 0: nothing of the records */
	/* Records that no analysis wants are not decoded. Of the job, as long as the pass. */
	const uint8_t *launches;     /* by launch of the trace, 1: wanted; NULL: all */
	const uint8_t *const *sites; /* by unit, by site of it, 1: wanted; NULL: all */
};

/* An analysis may use this. As long as the pass. */
struct ct_room {
	uint32_t threads;      /* workers of this rank */
	uint64_t memory_bytes; /* its part of the bound, for all that grows with the trace */
	const char *directory; /* for what does not fit */
	struct ct_ranks *ranks;
	const struct ct_scanned *scanned; /* filled in when the scan is over, before the stages */
	/* Where begin and finish may leave a sentence about a failure, CT_WHY_BYTES long. */
	char *why;
};
#define CT_WHY_BYTES 512u

struct ct_worker {
	uint32_t number; /* below ct_room.threads */
	/* To ask about objects, by this worker alone. Its tables are those of the trace that the
	 * pass is over, so pointers into them mean the same to all workers. */
	struct ct_trace *trace;
};

/* Describes the records. Of all ranks. */
struct ct_scanned {
	uint64_t chunks;         /* read */
	uint64_t damaged_chunks; /* of which something was skipped */
};

/*
 * Work in partitions after the scan, on all threads: such as taking out, partition by
 * partition, what the scan has put into a shuffle (postproc/shuffle). Stages run one after
 * another; a stage has states of its own.
 */
struct ct_stage {
	const char *name;
	uint32_t partitions; /* on several ranks: partition p is of rank p % ranks */
	uint32_t weight;     /* of its time, beside 100 for the scan; for the progress bar */
	/* Collective; finishes what the stage takes out. May be absent. */
	int (*begin)(void *job);
	int (*open)(void **state, void *job, const struct ct_worker *worker);
	/* In place of partitions: how many pieces of work this rank has, now that the stage has
	 * begun; take is given their numbers. May be absent. */
	uint32_t (*pieces)(void *job);
	int (*take)(void *state, uint32_t partition);
	/* After the worker's last partition. May be absent. */
	int (*finish)(void *state);
	/* Bring that part of what all states have to the job: 0 … parts - 1, different ones at the
	 * same time. */
	int (*join)(void *job, void *const *states, uint32_t count, uint32_t part);
	uint32_t parts;
	void (*close)(void *state); /* NULL is allowed; those of different workers at once */
};

struct ct_analysis {
	const char *name;
	uint32_t memory; /* its part of what all of a pass together may use; 0: next to nothing */
	/* The results of ranks cannot be joined: of several ranks rank 0 reads the whole trace
	 * for it, and the others' jobs stay as they were opened. */
	bool is_of_one_process;
	int (*wants)(void *job, struct ct_wants *wants);
	/* Collective. May be absent. May be called again, see `again`. */
	int (*begin)(void *job, const struct ct_room *room);

	/* May be absent if nothing is wanted of the records: there is no state then. */
	int (*open)(void **state, void *job, const struct ct_worker *worker);
	int (*access)(void *state, const struct ct_access *access);
	int (*event)(void *state, const struct ct_event *event);
	int (*value)(void *state, const struct ct_value *value);
	/* After the worker's last record. May be absent. */
	int (*finish)(void *state);
	/* Add what `from`, of a worker with a higher number, has to state. from is only closed
	 * afterwards. */
	int (*join)(void *state, void *from);
	/* On several ranks: append what a state has as bytes, and add such bytes of another rank
	 * to a state. Rank 0 ends up with all. Absent: every rank keeps its own. */
	int (*pack)(const void *state, struct ct_buffer *bytes);
	int (*unpack)(void *state, const void *bytes, size_t count);
	void (*close)(void *state); /* NULL is allowed */

	const struct ct_stage *stages;
	size_t stage_count;

	/* Collective; *state: the joined one, of rank 0 with those of all ranks. The job may keep
	 * it: *state is NULL then. May be absent. */
	int (*conclude)(void *job, void **state, const struct ct_scanned *scanned);
	/* The pass has ended with err of this analysis: 1 to have it run again from begin, on all
	 * ranks, for the job is otherwise now; 0 to give up. May be absent. */
	int (*again)(void *job, int err);
};

#endif
