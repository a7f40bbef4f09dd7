/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what logs hold as rows of CALL, and what devices did as rows of ACTIVITY. The journal's
 * thread alone. */
#ifndef CT_HOST_RT_JOURNAL_ROWS_H
#define CT_HOST_RT_JOURNAL_ROWS_H

#include "host-rt/calls/log.h"
#include <stdbool.h>
#include <stddef.h>

/* Writes all that has come since, and names of threads; at the end what has not ended, too. False:
 * the trace takes no more. */
bool ct_journal_write(bool is_last);

/* stack_rows.c: frames that are new, their modules first. 0 or an error of the session. */
int ct_journal_write_stacks(void);

/* use_rows.c: accesses and waits that are finished. */
int ct_journal_write_uses(void);

/* activity_rows.c: a call whose activities may come. Of some million calls, those of the last. */
void ct_journal_link(const struct ct_log_entry *entry);
/* Writes the activities that have come since, with what is known of their calls. Of the others,
 * those whose call may still be under way wait for the next time, if there is one. 0 or an error
 * of the session. */
int ct_journal_write_activities(bool is_last);

/* content_rows.c: what copies have moved. 0 or an error of the session. */
int ct_journal_write_contents(void);

/* sample_rows.c: program counters that were sampled. 0 or an error of the session. */
int ct_journal_write_samples(void);

/* host_sample_rows.c: where host threads were. 0 or an error of the session. */
int ct_journal_write_host_samples(bool is_last);

/* compile_rows.c: what the driver has compiled. 0 or an error of the session. */
int ct_journal_write_reported(void);

#endif
