/* SPDX-License-Identifier: Apache-2.0 */
/* One consumer of a ring: it takes chunks when its turn comes. */
#ifndef CT_HOST_RT_DRAIN_CONSUMER_H
#define CT_HOST_RT_DRAIN_CONSUMER_H

#include "host-rt/drain/consumer_thread.h"
#include "host-rt/drain/ring.h"
#include <pthread.h>

struct ct_consumer {
	struct ct_consumers *all;
	void *stream;
	uint32_t number;
	uint64_t next;           /* ticket; as published */
	uint64_t written_ns;     /* when it last wrote */
	uint64_t pending;        /* bytes taken and not written */
	uint64_t pending_chunks; /* atomic */
	uint64_t pending_first;  /* atomic: ticket; UINT64_MAX if none is pending */
	uint32_t has_left;       /* atomic: the thread has come to its end */
	struct ct_consumer_park park;
	pthread_t thread;
} __attribute__((aligned(128)));

/* Whose run the ticket is in. */
struct ct_consumer *ct_consumer_owner(const struct ct_consumers *all, uint64_t ticket);
/* The first ticket from `ticket` on that belongs to the consumer. */
uint64_t ct_consumer_own_ticket(const struct ct_consumer *consumer, uint64_t ticket);

/* Producers see how far it is. */
void ct_consumer_publish(struct ct_consumer *consumer);
/* Hands one chunk, which is ready, to the sink. */
void ct_consumer_take(struct ct_consumer *consumer, uint64_t ticket, uint32_t bytes);
/* Takes the consumer's chunks that are ready; returns how many. */
uint64_t ct_consumer_drain(struct ct_consumer *consumer);
/* Writes what was taken. */
void ct_consumer_write(struct ct_consumer *consumer);
void ct_consumer_count_lost(struct ct_consumers *all, uint64_t chunks);

/* The consumer's thread runs this: takes chunks until all are to stop. argument: the consumer. */
void *ct_consumer_run(void *argument);

#endif
