/* SPDX-License-Identifier: Apache-2.0 */
/* Bring to the files what a wait has finished, within a share of the time. */
#include "host-rt/process/settle.h"
#include "base/clock.h"
#include "host-rt/base/quiet.h"
#include "host-rt/drain/drain.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/journal.h"
#include <stdint.h>

#define SHARE 100u /* one part of so many of the time */
#define CREDIT_MOST                                                                                \
	10000000 /* ns: what was not used is kept up to here; there is as much at first */
#define SETTLE_MOST 20000000u /* ns: of one wait, when the disk is slow */
#define ASK_EVERY_NS 10000000u

static int64_t credit = CREDIT_MOST; /* ns; session's lock, as all below */
static uint64_t credited_ns, asked_ns;

static bool has_credit(uint64_t now)
{
	if (credited_ns)
		credit += (int64_t)((now - credited_ns) / SHARE);
	credited_ns = now;
	if (credit > CREDIT_MOST)
		credit = CREDIT_MOST;
	return credit > 0;
}

/* Nobody waits. */
static void ask(struct ct_drain *drain, uint64_t now)
{
	if (now - asked_ns < ASK_EVERY_NS)
		return;
	asked_ns = now;
	ct_drain_send(drain);
	ct_journal_ask();
}

/* The journal may wait for the session's lock. */
static void wait_for_journal(uint32_t asked, uint64_t begin_ns)
{
	ct_session_unlock();
	ct_journal_settle(asked, begin_ns + SETTLE_MOST);
	ct_session_flush();
	ct_session_lock();
	asked_ns = ct_clock_monotonic_ns();
	credit -= (int64_t)(asked_ns - begin_ns);
}

void ct_settle_after_wait(void)
{
	struct ct_device *device;
	struct ct_quiet quiet;
	uint64_t now;

	if (!ct_session_takes_records())
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	now = ct_clock_monotonic_ns();
	device = ct_session_takes_records() ? ct_device_current() : NULL;
	if (device && has_credit(now)) {
		uint32_t asked = ct_journal_ask();

		ct_drain_send(ct_drain_of(device));
		ct_drain_settle(ct_drain_of(device), now + SETTLE_MOST);
		wait_for_journal(asked, now);
	} else if (device) {
		ask(ct_drain_of(device), now);
	}
	ct_session_unlock();
	ct_quiet_end(&quiet);
}
