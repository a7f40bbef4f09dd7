/* SPDX-License-Identifier: Apache-2.0 */
/* Two lists in turns, as of the device's samples: one that grows, and one that the journal writes.
 */
#include "host-rt/samples/host.h"
#include "base/array.h"
#include "base/map.h"
#include "host-rt/base/say.h"
#include "host-rt/base/thread.h"
#include "host-rt/samples/perf.h"
#include "unwind/unwind.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOOK_EVERY_NS 50000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake;
static pthread_t thread;
static bool runs, is_to_end;
static struct ct_row_cpu_sample *coming, *taken;
static size_t coming_count, coming_room, taken_room;
static struct ct_map row_of; /* (stack, thread): 1 + number in coming */
static size_t without_room;  /* threads at a time, at most */
static char missing[320];

static bool is_ours(uint32_t id)
{
	return ct_thread_is_of_ours(id);
}

static void add(uint32_t of, const struct ct_stack_copy *copy)
{
	uint32_t stack = ct_thread_is_of_ours(of) ? 0 : ct_stack_of_copy(copy);
	union ct_map_value *known;

	if (!stack)
		return;
	pthread_mutex_lock(&lock);
	known = ct_map_put(&row_of, stack, of);
	if (known && !known->number &&
	    ct_array_reserve(&coming, &coming_room, coming_count + 1, sizeof(*coming)) == 0) {
		coming[coming_count] = (struct ct_row_cpu_sample){.stack = stack, .thread = of};
		known->number = ++coming_count;
	}
	if (known && known->number)
		coming[known->number - 1].samples++;
	pthread_mutex_unlock(&lock);
}

/* Said once: how many there were in the end is reported in the trace. */
static void attach(void)
{
	size_t left = ct_perf_attach(is_ours);

	if (left && !without_room)
		ct_say("--samples: no more than %u host threads are sampled at a time; others are "
		       "not",
		       CT_PERF_THREADS_MAX);
	without_room = left > without_room ? left : without_room;
}

static void look(void)
{
	ct_perf_read(add);
	attach();
}

/* False: it is to end. */
static bool pause_a_while(void)
{
	struct timespec until;
	bool goes_on;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += LOOK_EVERY_NS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (!is_to_end && pthread_cond_timedwait(&wake, &lock, &until) == 0)
		;
	goes_on = !is_to_end;
	pthread_mutex_unlock(&lock);
	return goes_on;
}

static void *run(void *unused)
{
	ct_thread_begin_ours();
	while (pause_a_while())
		look();
	look();
	return unused;
}

static void refuse(const char *why)
{
	snprintf(missing, sizeof(missing), "%s", why);
	ct_say("--samples: host threads are not sampled: %s", why);
}

void ct_host_samples_begin(void)
{
	pthread_condattr_t attributes;
	sigset_t signals, before;
	const char *why;

	if (runs)
		return;
	if (ct_perf_probe(&why) < 0) {
		refuse(why);
		return;
	}
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&wake, &attributes);
	pthread_condattr_destroy(&attributes);
	is_to_end = false;
	without_room = 0;
	attach();
	sigfillset(&signals);
	pthread_sigmask(SIG_SETMASK, &signals, &before);
	runs = pthread_create(&thread, NULL, run, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (runs)
		return;
	ct_perf_close();
	refuse("there is no room for another thread");
}

void ct_host_samples_end(void)
{
	if (!runs)
		return;
	pthread_mutex_lock(&lock);
	is_to_end = true;
	pthread_cond_signal(&wake);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	runs = false;
	if (ct_perf_lost() || ct_perf_unwatched() || without_room)
		snprintf(missing, sizeof(missing),
			 "%llu samples of host threads that found no room, %llu threads that the "
			 "kernel did not let be sampled, and at most %zu threads at a time that "
			 "were too many (%u, or a quarter of ulimit -n)",
			 (unsigned long long)ct_perf_lost(),
			 (unsigned long long)ct_perf_unwatched(), without_room,
			 CT_PERF_THREADS_MAX);
	ct_perf_close();
}

void ct_host_samples_forget(void)
{
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	if (runs)
		ct_perf_forget();
	runs = false;
	coming_count = 0;
	ct_map_fini(&row_of);
}

const char *ct_host_samples_missing(void)
{
	return missing[0] ? missing : NULL;
}

size_t ct_host_samples_take(const struct ct_row_cpu_sample **rows)
{
	struct ct_row_cpu_sample *spare = taken;
	size_t spare_room = taken_room, count;

	pthread_mutex_lock(&lock);
	taken = coming;
	taken_room = coming_room;
	count = coming_count;
	coming = spare;
	coming_room = spare_room;
	coming_count = 0;
	ct_map_fini(&row_of);
	pthread_mutex_unlock(&lock);
	*rows = taken;
	return count;
}
