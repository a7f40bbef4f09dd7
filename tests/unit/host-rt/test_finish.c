/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what a wait of the program does for the files; all that it calls only counts here. */
#include "host-rt/base/quiet.h"
#include "host-rt/drain/drain.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/journal.h"
#include "host-rt/process/finish.h"
#include <criterion/criterion.h>

#define WAITS 40u /* more than are brought to the files whatever it costs */

static struct ct_options options;
static bool takes_records = true;
static int locks;
static unsigned waited, asked, flushed, sent, sent_soon;

bool ct_session_takes_records(void)
{
	return takes_records;
}

const struct ct_options *ct_session_options(void)
{
	return &options;
}

void ct_session_lock(void)
{
	locks++;
}

void ct_session_unlock(void)
{
	locks--;
}

void ct_session_flush(void)
{
	cr_expect_eq(locks, 0, "others may want it meanwhile");
	flushed++;
}

struct ct_device *ct_device_current(void)
{
	return (struct ct_device *)&options;
}

struct ct_drain *ct_drain_of(const struct ct_device *device)
{
	return (struct ct_drain *)(uintptr_t)device;
}

void ct_drain_send(struct ct_drain *drain)
{
	(void)drain;
	sent++;
}

void ct_drain_send_soon(struct ct_drain *drain)
{
	(void)drain;
	sent_soon++;
}

void ct_drain_finish(struct ct_drain *drain, uint64_t until_ns)
{
	(void)drain;
	(void)until_ns;
	waited++;
}

uint32_t ct_journal_ask(void)
{
	return ++asked;
}

void ct_journal_finish(uint32_t number, uint64_t until_ns)
{
	(void)until_ns;
	cr_expect_eq(number, asked, "of what it has asked for");
	waited++;
}

void ct_quiet_begin(struct ct_quiet *quiet)
{
	(void)quiet;
}

void ct_quiet_end(const struct ct_quiet *quiet)
{
	(void)quiet;
}

Test(conclude, the_first_waits_bring_to_the_files_what_they_have_finished)
{
	ct_finish_after_wait();
	cr_expect_eq(waited, 2, "the drain and the journal");
	cr_expect_eq(sent, 1);
	cr_expect_eq(sent_soon, 0);
	cr_expect_eq(flushed, 1);
	cr_expect_eq(locks, 0);
}

/* Work that the program does behind a wait would seem to begin later. */
Test(conclude, waits_of_a_run_for_times_do_not_wait_for_the_files)
{
	options.calls_only = true;
	for (unsigned i = 0; i < WAITS; i++)
		ct_finish_after_wait();
	cr_expect_eq(waited, 0);
	cr_expect_eq(flushed, 0);
	cr_expect_eq(sent, 0);
	cr_expect_eq(sent_soon, WAITS, "somebody else is to bring it there");
	cr_expect_eq(asked, WAITS);
	cr_expect_eq(locks, 0);
}

Test(conclude, without_records_there_is_nothing_to_bring)
{
	takes_records = false;
	ct_finish_after_wait();
	cr_expect_eq(waited + sent + sent_soon + asked, 0);
}
