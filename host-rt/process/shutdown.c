/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the trace at exit; later CUDA calls of destructors pass through untouched.
 *
 * The program may end anywhere: while a kernel runs that never ends, or in a
 * signal handler that interrupted a CUDA call, the allocator or us. So the thread
 * that exits allocates nothing, and beginning a thread would: one that began with
 * the trace begins those that do what may wait. The one that exits waits for them
 * only while records arrive.
 */
#include "host-rt/process/shutdown.h"
#include "host-rt/base/quiet.h"
#include "host-rt/base/say.h"
#include "host-rt/base/thread.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/journal.h"
#include "host-rt/process/devices.h"
#include "host-rt/process/life.h"
#include "host-rt/process/part.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define LOOK_EVERY_NS 1000000
#define HASTE_NS 2000000000ull

static uint32_t has_ended;    /* atomic */
static uint32_t has_computed; /* atomic: the devices have done what they were asked to do */

static void finish(void)
{
	struct ct_quiet quiet;

	ct_quiet_begin(&quiet);
	ct_devices_wait();
	__atomic_store_n(&has_computed, 1, __ATOMIC_RELEASE);
	ct_journal_end();
	ct_session_lock();
	if (ct_session_is_open()) {
		ct_devices_finish();
		ct_part_close();
	}
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

static void *finish_in_thread(void *unused)
{
	finish();
	__atomic_store_n(&has_ended, 1, __ATOMIC_RELEASE);
	return unused;
}

/* Without the devices: what has arrived. */
static void *save_in_thread(void *unused)
{
	ct_journal_end();
	ct_session_lock();
	if (ct_session_is_open()) {
		ct_devices_bury();
		ct_part_close();
	}
	ct_session_unlock();
	__atomic_store_n(&has_ended, 1, __ATOMIC_RELEASE);
	return unused;
}

static sem_t asked;       /* once to finish, once more to save what there is */
static bool has_beginner; /* a thread waits for it */

/* Detached. The program's signals are for the program's threads. */
static int begin(void *(*function)(void *))
{
	sigset_t all, before;
	pthread_t thread;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, NULL, function, NULL);
	if (err == 0)
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

static void *begin_when_asked(void *unused)
{
	ct_thread_begin_ours();
	while (sem_wait(&asked) != 0)
		;
	if (begin(finish_in_thread) < 0)
		finish_in_thread(NULL);
	while (sem_wait(&asked) != 0)
		;
	save_in_thread(NULL);
	return unused;
}

/* False: it has not ended, and no record has arrived for so long (0: no limit). */
static bool wait_for_end(uint64_t patience_ns)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};
	uint64_t waited_ns = 0, arrived = 0;

	while (!__atomic_load_n(&has_ended, __ATOMIC_ACQUIRE)) {
		uint64_t now = __atomic_load_n(&ct_session_totals.arrived_bytes, __ATOMIC_RELAXED);

		waited_ns = now == arrived ? waited_ns + LOOK_EVERY_NS : 0;
		arrived = now;
		if (patience_ns && waited_ns >= patience_ns)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* Of a trace that could not be closed, or only without the devices. */
static void say_why(bool is_closed)
{
	double seconds = (double)ct_session_options()->patience / 1e9;
	bool is_disk = __atomic_load_n(&has_computed, __ATOMIC_ACQUIRE);

	if (is_disk)
		ct_say(
		    "the disk took nothing for %.1f s (--patience) at the end of the program; what "
		    "was not written is lost%s",
		    seconds, is_closed ? "" : ", the trace is not closed (it can be read)");
	else if (is_closed)
		ct_say("the program ended while kernels were running; nothing came from them for "
		       "%.1f s (--patience), what they had not sent is lost",
		       seconds);
	else
		ct_say(
		    "the program ended in the middle of a CUDA call; the trace is not closed (it "
		    "can be read)");
}

static void end_at_exit(void)
{
	if (!ct_session_is_open())
		return;
	ct_life_end();
	if (ct_session_lock_is_mine()) {
		ct_say("exit was called in a signal handler, in the middle of a traced call; the "
		       "trace is not closed (it can be read)");
		return;
	}
	if (!has_beginner) {
		finish();
		return;
	}
	sem_post(&asked);
	if (wait_for_end(ct_session_options()->patience))
		return;
	sem_post(&asked);
	say_why(wait_for_end(HASTE_NS));
}

void ct_shutdown_prepare(void)
{
	has_beginner = sem_init(&asked, 0, 0) == 0 && begin(begin_when_asked) == 0;
	atexit(end_at_exit);
}
