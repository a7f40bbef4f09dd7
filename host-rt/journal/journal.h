/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal: a thread of ours that takes ended calls out of the threads' logs and writes them to
 * the trace's tables, a few times a second, so that a process that is killed leaves all but the
 * last moments.
 */
#ifndef CT_HOST_RT_JOURNAL_JOURNAL_H
#define CT_HOST_RT_JOURNAL_JOURNAL_H

#include <stdint.h>

/* Who reports calls. */
enum ct_journal_source {
	CT_JOURNAL_NONE, /* they are not recorded */
	CT_JOURNAL_CPU_TARGET,
	CT_JOURNAL_WRAPPERS, /* and CUPTI */
	CT_JOURNAL_INJECTED, /* CUPTI alone */
};

/* The trace has just been opened: calls are recorded from now on, or never are. Session's lock
 * held. */
void ct_journal_begin(enum ct_journal_source source);

/* Calls that have ended are to be written now: returns a number for ct_journal_finish. Any thread.
 */
uint32_t ct_journal_ask(void);
/* Waits until that is done, or until a time (ct_clock_monotonic_ns). Harmless without a journal. */
void ct_journal_finish(uint32_t asked, uint64_t until_ns);

/* Everything is written, calls that have not ended among them; nothing is recorded any more.
 * Without the session's lock, before it is closed. Any thread, any number of times. */
void ct_journal_end(void);

/* In the child of a fork: there is no journal. */
void ct_journal_forget(void);

#endif
