/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The consumer of one device's ring: a thread that hands its chunks to the
 * session in ticket order (protocol: ring.h). Makes no CUDA call.
 *
 * It never stops taking chunks while producers may run: when the session no
 * longer wants them they are counted as lost, so that kernels do not wait.
 */
#ifndef CT_CONSUMER_H
#define CT_CONSUMER_H

#include <cudatrace/ring.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Takes one chunk; negative: it is lost. */
typedef int ct_consumer_sink(void *user, uint64_t ticket, const void *records, uint32_t bytes);

struct ct_consumer {
	/* Set by the owner before ct_consumer_start; host addresses. */
	const char *ring;
	const uint64_t *flags;
	uint64_t *progress;
	uint32_t ring_mask;
	ct_consumer_sink *sink;
	void (*idle)(void *user); /* now and then, at least each second; may be NULL */
	void *user;
	/* The consumer's own. */
	pthread_t thread;
	bool running;
	uint32_t stop; /* atomic: leave when nothing more is ready */
	uint64_t next; /* next ticket; atomic, as published in progress */
	uint64_t lost; /* atomic: chunks refused by the sink or damaged */
};

/* next, lost: where to begin (next must be what progress holds). */
int ct_consumer_start(struct ct_consumer *consumer);

/* Wait until every ticket below head has been taken. Only when all of them
 * are sure to be shipped. */
void ct_consumer_wait(const struct ct_consumer *consumer, uint64_t head);

/* Join the thread; then take what is still ready. With salvage, producers died
 * and tickets may be missing between those that arrived: these are counted as
 * lost. Harmless if not running. */
void ct_consumer_stop(struct ct_consumer *consumer, bool salvage);

#endif
