/* SPDX-License-Identifier: Apache-2.0 */
/* Bring to the files what a wait has finished, within a share of the time. */
#include "host-rt/process/finish.h"
#include "base/clock.h"
#include "host-rt/base/quiet.h"
#include "host-rt/drain/drain.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/journal.h"
#include <stdint.h>

#define SHARE 100u /* one part of so many of the time may be spent on it */
#define ASK_EVERY_NS 20000000u
#define FINISH_MOST_NS 20000000u /* in one wait, when the disk is slow */
/* So many waits bring everything to the files whatever it costs, as long as each takes no longer
 * than this: most programs that end early have made few. */
#define FIRST_WAITS 32u
#define FIRST_MOST_NS 2000000000u
/* Time that was not spent is kept up to here; at first there is so much. */
#define CREDIT_MOST_NS 10000000

static int64_t credit_ns = CREDIT_MOST_NS; /* session's lock */
static uint64_t credited_ns;
static uint32_t first_waits = FIRST_WAITS; /* that are left */
static uint64_t next_ns;                   /* atomic: until then waits do nothing */

static bool has_credit(uint64_t now)
{
	if (credited_ns)
		credit_ns += (int64_t)((now - credited_ns) / SHARE);
	credited_ns = now;
	if (credit_ns > CREDIT_MOST_NS)
		credit_ns = CREDIT_MOST_NS;
	return credit_ns > 0;
}

/* Until there is credit, or until somebody is to be asked again. */
static void rest(uint64_t now)
{
	uint64_t ns = (uint64_t)-credit_ns * SHARE;

	__atomic_store_n(&next_ns, now + (ns < ASK_EVERY_NS ? ns : ASK_EVERY_NS), __ATOMIC_RELAXED);
}

static void finish(struct ct_drain *drain, uint64_t begin_ns)
{
	uint64_t most = first_waits ? FIRST_MOST_NS : FINISH_MOST_NS, ns;
	uint32_t asked = ct_journal_ask();

	ct_drain_send(drain);
	ct_drain_finish(drain, begin_ns + most);
	ct_session_unlock(); /* the journal may wait for it */
	ct_journal_finish(asked, begin_ns + most);
	ct_session_flush();
	ct_session_lock();
	ns = ct_clock_monotonic_ns() - begin_ns;
	if (ns >= most)
		first_waits = 0;
	else if (first_waits)
		first_waits--;
	else
		credit_ns -= (int64_t)ns;
}

void ct_finish_after_wait(void)
{
	uint64_t now = ct_clock_monotonic_ns();
	struct ct_device *device;
	struct ct_quiet quiet;

	if (now < __atomic_load_n(&next_ns, __ATOMIC_RELAXED) || !ct_session_takes_records())
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	device = ct_session_takes_records() ? ct_device_current() : NULL;
	/* In a run that records times the wait must not take longer: what the program does behind
	 * it would seem to begin later. */
	if (device && !ct_session_options()->calls_only && (first_waits || has_credit(now))) {
		finish(ct_drain_of(device), now);
	} else if (device) {
		ct_drain_send_soon(ct_drain_of(device));
		ct_journal_ask();
	}
	if (credit_ns <= 0)
		rest(now);
	ct_session_unlock();
	ct_quiet_end(&quiet);
}
