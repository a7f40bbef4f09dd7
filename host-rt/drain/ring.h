/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of one device (protocol: cudatrace/ring.h) and how far its consumers are. */
#ifndef CT_HOST_RT_DRAIN_RING_H
#define CT_HOST_RT_DRAIN_RING_H

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
	uint64_t aborted_at;  /* the lowest ticket that was not taken when aborted was set */
	uint32_t aborted; /* atomic: producers wait no longer, and count what they do not ship */
	/* The consumers' own. */
	struct ct_consumer *each;
	uint64_t delay_ns;
	bool running;
	uint32_t stalls;  /* how often aborted was set for one */
	bool abandoned;   /* a thread did not end: ring, flags and progress stay in use */
	uint64_t wanted;  /* atomic: chunks below this ticket are written without delay */
	bool writes_soon; /* atomic: others within some milliseconds */
	uint32_t stop;    /* atomic: leave when nothing more is ready */
	uint32_t drowsy;  /* atomic: who looks for the next chunk does so seldom */
	uint64_t next;    /* while stopped: the first ticket not taken */
	uint64_t lost;    /* atomic: chunks refused, not written, damaged or never shipped */
};

/* The lowest ticket that some consumer has yet to take. */
uint64_t ct_consumers_lowest(const struct ct_consumers *consumers);

/* Whether the ticket's chunk can be taken; its bytes. */
static inline bool ct_consumers_is_ready(const struct ct_consumers *consumers, uint64_t ticket,
					 uint32_t *bytes)
{
	uint64_t flag =
	    __atomic_load_n(&consumers->flags[ticket & consumers->ring_mask], __ATOMIC_ACQUIRE);

	*bytes = CT_FLAG_BYTES(flag);
	return CT_FLAG_TAG(flag) == CT_FLAG_TAG(CT_FLAG(ticket, 0));
}

/* How urgent room is: 1, the ring is more than half full; 2, more than three quarters; else 0. */
uint32_t ct_consumers_hurry(const struct ct_consumers *consumers);

/* From lowest on, which is ct_consumers_lowest, there is no room for another ticket: producers
 * wait, or the next one will. From any thread while they run. */
bool ct_consumers_is_full(const struct ct_consumers *consumers, uint64_t lowest);

#endif
