/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime has the C library's names of these functions (ends/calls.c), so the program's calls
 * come there first, and go on here.
 *
 * Any thread may end the program, in a signal handler that has interrupted a CUDA call, malloc or
 * us: it takes no lock and asks another (standby.h). That thread may meet a lock that is never
 * released, so the one that ends does not wait for it for ever.
 */
#include "host-rt/process/ending.h"
#include "base/clock.h"
#include "host-rt/base/quiet.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/journal.h"
#include "host-rt/process/devices.h"
#include "host-rt/process/standby.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define FINISH_MOST_NS 2000000000u
#define WAIT_MOST_NS 2500000000u
#define LOOK_EVERY_NS 200000

static uint32_t has_finished; /* atomic */

/* The functions behind ours: the C library's, or a sanitizer's. */
static void (*next_exit)(int status);
static void (*next_abort)(void);

__attribute__((constructor)) static void find_next(void)
{
	*(void **)&next_exit = dlsym(RTLD_NEXT, "_exit");
	*(void **)&next_abort = dlsym(RTLD_NEXT, "abort");
}

static void finish(void)
{
	uint64_t until_ns = ct_clock_monotonic_ns() + FINISH_MOST_NS;
	struct ct_quiet quiet;

	ct_quiet_begin(&quiet);
	ct_session_lock();
	if (ct_session_takes_records())
		ct_devices_flush(until_ns);
	ct_session_unlock(); /* the journal may wait for it */
	ct_journal_finish(ct_journal_ask(), until_ns);
	ct_session_lock();
	ct_session_flush();
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

static void *finish_in_thread(void *unused)
{
	finish();
	__atomic_store_n(&has_finished, 1, __ATOMIC_RELEASE);
	return unused;
}

static void leave_what_is_done(void)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};
	uint64_t until_ns = ct_clock_monotonic_ns() + WAIT_MOST_NS;

	if (!ct_session_is_open() || ct_session_lock_is_mine() || !ct_standby_run(finish_in_thread))
		return;
	while (!__atomic_load_n(&has_finished, __ATOMIC_ACQUIRE) &&
	       ct_clock_monotonic_ns() < until_ns)
		nanosleep(&pause, NULL);
}

extern const char __ct_has_ends; /* ends/calls.c */

void ct_ending_begin(void)
{
	static bool is_registered;
	/* A use, so that links have it. */
	const volatile char *ends = &__ct_has_ends;

	(void)*ends;
	has_finished = 0;
	if (!is_registered)
		is_registered = at_quick_exit(leave_what_is_done) == 0;
}

void __ct_end_by_exit(int status)
{
	leave_what_is_done();
	if (next_exit)
		next_exit(status);
}

void __ct_end_by_abort(void)
{
	leave_what_is_done();
	if (next_abort)
		next_abort();
}
