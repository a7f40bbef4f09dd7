/* SPDX-License-Identifier: Apache-2.0 */
/* The consumer thread of one device's ring. */
#include "consumer.h"
#include <errno.h>
#include <signal.h>
#include <time.h>

/* Publish progress at least this often: a quarter of a run. */
#define TICKETS_PER_PUBLISH 4u
/* Look up from a busy ring after this many. */
#define TICKETS_PER_DRAIN 4096u
/* Pauses between looks at an empty ring: busy first, since chunks come in
 * bursts, then asleep, since the program needs the core. */
#define BUSY_LOOKS 100u
#define IDLE_SLEEP_NS 100000u
#define IDLE_CALL_NS 500000000ull

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void spin_about_a_microsecond(void)
{
	for (int i = 0; i < 40; i++)
#if defined(__x86_64__)
		__builtin_ia32_pause();
#else
		__asm__ volatile("" ::: "memory");
#endif
}

static void pause_after(uint64_t looks)
{
	const struct timespec nap = {.tv_nsec = IDLE_SLEEP_NS};

	if (looks < BUSY_LOOKS)
		spin_about_a_microsecond();
	else
		nanosleep(&nap, NULL);
}

static void publish(struct ct_consumer *consumer, uint64_t next)
{
	__atomic_store_n(&consumer->next, next, __ATOMIC_RELEASE);
	__atomic_store_n(consumer->progress, next, __ATOMIC_RELEASE);
}

static bool is_ready(const struct ct_consumer *consumer, uint64_t ticket, uint32_t *bytes)
{
	uint64_t flag =
	    __atomic_load_n(&consumer->flags[ticket & consumer->ring_mask], __ATOMIC_ACQUIRE);

	*bytes = CT_FLAG_BYTES(flag);
	return CT_FLAG_TAG(flag) == CT_FLAG_TAG(CT_FLAG(ticket, 0));
}

static void take(struct ct_consumer *consumer, uint64_t ticket, uint32_t bytes)
{
	const char *chunk = consumer->ring + (ticket & consumer->ring_mask) * CT_CHUNK_BYTES;

	if (bytes > CT_CHUNK_BYTES || consumer->sink(consumer->user, ticket, chunk, bytes) < 0)
		__atomic_add_fetch(&consumer->lost, 1, __ATOMIC_RELAXED);
}

/* Takes what is ready, up to a limit; returns the next ticket. */
static uint64_t drain(struct ct_consumer *consumer, uint64_t ticket)
{
	uint64_t published = ticket, end = ticket + TICKETS_PER_DRAIN;
	uint32_t bytes;

	while (ticket < end && is_ready(consumer, ticket, &bytes)) {
		take(consumer, ticket++, bytes);
		if (ticket - published >= TICKETS_PER_PUBLISH) {
			publish(consumer, ticket);
			published = ticket;
		}
	}
	if (ticket != published)
		publish(consumer, ticket);
	return ticket;
}

static void *consume(void *argument)
{
	struct ct_consumer *consumer = argument;
	uint64_t ticket = consumer->next, looks = 0, called_ns = now_ns();

	while (!__atomic_load_n(&consumer->stop, __ATOMIC_ACQUIRE)) {
		uint64_t next = drain(consumer, ticket);

		looks = next == ticket ? looks + 1 : 0;
		ticket = next;
		if (consumer->idle && now_ns() - called_ns > IDLE_CALL_NS) {
			consumer->idle(consumer->user);
			called_ns = now_ns();
		}
		pause_after(looks);
	}
	return NULL;
}

int ct_consumer_start(struct ct_consumer *consumer)
{
	sigset_t all, before;
	int err;

	consumer->stop = 0;
	/* The program's signals are for the program's threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&consumer->thread, NULL, consume, consumer);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	consumer->running = err == 0;
	return -err;
}

void ct_consumer_wait(const struct ct_consumer *consumer, uint64_t head)
{
	uint64_t looks = 0;

	while (consumer->running && __atomic_load_n(&consumer->next, __ATOMIC_ACQUIRE) < head)
		pause_after(looks++);
}

/* Producers died: any of the tickets that the ring can hold may have arrived. */
static void salvage_rest(struct ct_consumer *consumer)
{
	uint64_t first = consumer->next, holes = 0;
	uint32_t bytes;

	for (uint64_t ticket = first; ticket <= first + consumer->ring_mask; ticket++) {
		if (!is_ready(consumer, ticket, &bytes)) {
			holes++;
			continue;
		}
		take(consumer, ticket, bytes);
		publish(consumer, ticket + 1);
		consumer->lost += holes;
		holes = 0;
	}
}

void ct_consumer_stop(struct ct_consumer *consumer, bool salvage)
{
	if (!consumer->running)
		return;
	__atomic_store_n(&consumer->stop, 1, __ATOMIC_RELEASE);
	pthread_join(consumer->thread, NULL);
	consumer->running = false;
	for (uint64_t before = ~0ull; before != consumer->next;) {
		before = consumer->next;
		drain(consumer, before);
	}
	if (salvage)
		salvage_rest(consumer);
}
