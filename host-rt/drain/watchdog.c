/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that looks whether the consumers of all devices still take chunks. */
#include "host-rt/drain/watchdog.h"
#include "host-rt/base/say.h"
#include "host-rt/base/thread.h"
#include "host-rt/drain/ring.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define LOOKS_PER_PATIENCE 8u
#define LOOK_EVERY_MS_MIN 10u
#define LOOK_EVERY_MS_MAX 500u

struct watched {
	struct watched *next;
	struct ct_consumers *consumers;
	uint32_t *abort;
	uint64_t ticket;     /* where they were */
	uint64_t waiting_ms; /* for so long the ring was full and nothing moved */
	uint64_t patience_ms;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static pthread_cond_t something_to_watch = PTHREAD_COND_INITIALIZER;
static struct watched *list;
static bool runs;

static void look(struct watched *watched, uint64_t passed_ms)
{
	uint64_t ticket = ct_consumers_lowest(watched->consumers);
	bool is_full = ct_consumers_is_full(watched->consumers, ticket);

	if (!is_full || ticket != watched->ticket)
		watched->waiting_ms = 0;
	else
		watched->waiting_ms += passed_ms;
	watched->ticket = ticket;
	if (watched->waiting_ms < watched->patience_ms)
		return;
	watched->waiting_ms = 0;
	if (__atomic_load_n(&watched->consumers->aborted, __ATOMIC_ACQUIRE))
		return;
	watched->consumers->aborted_at = ticket;
	__atomic_store_n(&watched->consumers->aborted, 1, __ATOMIC_RELEASE);
	__atomic_store_n(watched->abort, 1, __ATOMIC_RELEASE);
	if (!watched->consumers->stalls++)
		ct_say("nothing was written for %.1f s (--patience), and the ring is full; kernels "
		       "wait no longer, records are lost until the disk takes some again, the "
		       "program goes on",
		       (double)watched->patience_ms / 1000);
}

/* Between two looks; with the lock. */
static uint64_t pause_ms(void)
{
	uint64_t shortest = LOOK_EVERY_MS_MAX;

	for (const struct watched *watched = list; watched; watched = watched->next)
		if (watched->patience_ms / LOOKS_PER_PATIENCE < shortest)
			shortest = watched->patience_ms / LOOKS_PER_PATIENCE;
	return shortest < LOOK_EVERY_MS_MIN ? LOOK_EVERY_MS_MIN : shortest;
}

static void *watch(void *unused)
{
	ct_thread_begin_ours();
	pthread_mutex_lock(&lock);
	for (;;) {
		struct timespec pause;
		uint64_t ms;

		while (!list)
			pthread_cond_wait(&something_to_watch, &lock);
		ms = pause_ms();
		pause = (struct timespec){.tv_sec = (time_t)(ms / 1000),
					  .tv_nsec = (long)(ms % 1000) * 1000000};
		pthread_mutex_unlock(&lock);
		nanosleep(&pause, NULL);
		pthread_mutex_lock(&lock);
		for (struct watched *watched = list; watched; watched = watched->next)
			look(watched, ms);
	}
	return unused;
}

static bool start(void)
{
	sigset_t all, before;
	pthread_t thread;

	/* The program's signals are for the program's threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, watch, NULL) == 0) {
		pthread_detach(thread);
		runs = true;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return runs;
}

void ct_watchdog_add(struct ct_consumers *consumers, uint32_t *abort, uint64_t patience_ns)
{
	struct watched *watched = malloc(sizeof(*watched));

	if (!watched)
		return;
	pthread_mutex_lock(&lock);
	if (!runs && !start()) {
		pthread_mutex_unlock(&lock);
		free(watched);
		return;
	}
	*watched = (struct watched){
	    .next = list,
	    .consumers = consumers,
	    .abort = abort,
	    .patience_ms = patience_ns / 1000000,
	};
	list = watched;
	pthread_cond_signal(&something_to_watch);
	pthread_mutex_unlock(&lock);
}

void ct_watchdog_remove(const struct ct_consumers *consumers)
{
	struct watched **at = &list, *found;

	pthread_mutex_lock(&lock);
	while (*at && (*at)->consumers != consumers)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	pthread_mutex_unlock(&lock);
	free(found);
}
