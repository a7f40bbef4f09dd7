/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The consumers of one device's ring (protocol: ring.h): threads that hand its
 * chunks to a sink, each with a stream of its own. They make no CUDA call.
 *
 * A chunk is taken out of the ring, and the room it had given back, before what
 * was taken is coded or written: producers wait for neither while other
 * consumers keep up. They never stop taking chunks while producers may run: what
 * the sink does not want is counted as lost, so that kernels do not wait.
 */
#ifndef CT_CONSUMER_H
#define CT_CONSUMER_H

#include <cudatrace/ring.h>
#include <stdbool.h>
#include <stdint.h>

#define CT_CONSUMERS_MAX 64u
#define CT_CONSUMER_PENDING (256u << 10) /* bytes taken, at most, before they are written */

/* For tests: nanoseconds that taking a chunk takes longer, so that producers find the ring full. */
#define CT_CONSUMER_DELAY "CUDATRACE_TEST_CONSUMER_DELAY_NS"

struct ct_consumer_sink {
	/* A stream for one consumer; NULL: without memory. */
	void *(*open)(void *user);
	/* Take one chunk out of the ring; negative: it is lost. Tickets of a stream ascend. */
	int (*take)(void *stream, uint64_t ticket, const void *records, uint32_t bytes);
	/* Bring what was taken to where it belongs; returns how many of those chunks are lost.
	 * hurry: 1, the ring is more than half full; 2, more than three quarters; else 0. */
	uint64_t (*write)(void *stream, uint32_t hurry);
	void (*close)(void *stream);
	/* Now and then, at least each second, in one of the threads; may be NULL. */
	void (*idle)(void *user);
};

struct ct_consumer;

struct ct_consumers {
	/* Set by the owner before ct_consumers_start; host addresses. */
	const char *ring;
	const uint64_t *flags;
	uint64_t *progress; /* count * CT_PROGRESS_STRIDE */
	uint32_t ring_mask;
	uint32_t count; /* 1..CT_CONSUMERS_MAX */
	const struct ct_consumer_sink *sink;
	void *user;
	bool has_cores;       /* there is one for each of them, and for the program */
	uint64_t patience_ns; /* for a thread that is to end; 0: no limit */
	uint32_t aborted; /* atomic: producers wait no longer, and count what they do not ship */
	/* The consumers' own. */
	struct ct_consumer *each;
	uint64_t delay_ns;
	bool running;
	bool abandoned;  /* a thread did not end: ring, flags and progress stay in use */
	uint32_t stop;   /* atomic: leave when nothing more is ready */
	uint32_t drowsy; /* atomic: who looks for the next chunk does so seldom */
	uint64_t next;   /* while stopped: the first ticket not taken */
	uint64_t lost;   /* atomic: chunks refused, not written, damaged or never shipped */
};

/* next, lost: where to begin. Sets progress. 0 or a negative error. */
int ct_consumers_start(struct ct_consumers *consumers);

/* The first ticket that is not taken; whether it is there to be taken. From any thread while
 * they run. */
bool ct_consumers_next(const struct ct_consumers *consumers, uint64_t *ticket);

/* Every ticket below head has been taken and written, or is counted as lost. From their threads
 * or while they run. */
bool ct_consumers_have_written(const struct ct_consumers *consumers, uint64_t head);

/* Chunks will come soon: a consumer that sleeps for long wakes up. Running; any thread. */
void ct_consumers_expect(struct ct_consumers *consumers);

/* Wait until every ticket below head has been taken. Only when all of them are
 * shipped, or never will be. False: nothing has moved for patience_ns. */
bool ct_consumers_wait(struct ct_consumers *consumers, uint64_t head, uint64_t patience_ns);

/* Join the threads; then take what is still ready, and write it. With salvage,
 * producers died and tickets may be missing between those that arrived, and up to
 * head: these are counted as lost, unless aborted. A thread that does not end
 * within the patience is abandoned, and what is not written is lost. Harmless if
 * not running. */
void ct_consumers_stop(struct ct_consumers *consumers, bool salvage, uint64_t head);

#endif
