/* SPDX-License-Identifier: Apache-2.0 */
/* Names of calls, spans and threads, as strings of the trace. The journal's thread alone. */
#ifndef CT_HOST_RT_JOURNAL_NAMES_H
#define CT_HOST_RT_JOURNAL_NAMES_H

#include "host-rt/calls/log.h"
#include <stdbool.h>

/* The string of what an entry is called; *kind: enum ct_span_kind. */
uint32_t ct_journal_name(const struct ct_log_entry *entry, uint8_t *kind);
/* True once if there are strings that the trace's files may lack. */
bool ct_journal_has_new_names(void);

/* A log is read: what its thread is called is reported when it is first seen, when the program has
 * named threads since, and at its end. */
void ct_journal_tell_thread(struct ct_log *log, bool is_last);
/* All logs have been reported, when so many names were given (ct_thread_names_given). */
void ct_journal_reported_threads(uint32_t given);

void ct_journal_free_names(void);

#endif
