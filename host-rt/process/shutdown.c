/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the trace at exit; later CUDA calls of destructors pass through untouched.
 *
 * The program may end anywhere: while a kernel runs that never ends, or in a
 * signal handler that interrupted a CUDA call, the allocator or us. So the thread
 * that exits allocates nothing and has others do what may wait (standby.h); it
 * waits for them only while records arrive.
 */
#include "host-rt/process/shutdown.h"
#include "host-rt/base/quiet.h"
#include "host-rt/base/say.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/journal.h"
#include "host-rt/process/devices.h"
#include "host-rt/process/life.h"
#include "host-rt/process/part.h"
#include "host-rt/process/standby.h"
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
		ct_devices_abandon();
		ct_part_close();
	}
	ct_session_unlock();
	__atomic_store_n(&has_ended, 1, __ATOMIC_RELEASE);
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

/* Says why a trace could not be closed, or only without the devices. */
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

void ct_shutdown(void)
{
	if (!ct_session_is_open())
		return;
	ct_life_end();
	if (ct_session_lock_is_mine()) {
		ct_say("exit was called in a signal handler, in the middle of a traced call; the "
		       "trace is not closed (it can be read)");
		return;
	}
	if (!ct_standby_run(finish_in_thread)) {
		finish();
		return;
	}
	if (wait_for_end(ct_session_options()->patience))
		return;
	say_why(ct_standby_run(save_in_thread) && wait_for_end(HASTE_NS));
}
