/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace of this process: opened at its first CUDA activity, closed at
 * exit. One per process.
 *
 *   unopened --first activity--> active --exit--------------> closed
 *        \                          \---I/O error, limit--> stopped --exit--> closed
 *         \--tracing off, no instrumented code, fork--> closed
 *
 * Threads: any. The session's lock orders launches and allocations: whoever
 * writes one of these events holds it, so that their order in the trace is
 * the order in which the program made the calls.
 */
#ifndef CT_SESSION_H
#define CT_SESSION_H

#include "host-rt/base/options.h"
#include <cudatrace/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kept with atomic adds; written to the manifest. */
struct ct_session_totals {
	uint64_t launches;
	uint64_t traced_launches;
	uint64_t kernels; /* distinct kernels traced */
	uint64_t record_bytes;
	uint64_t lost_chunks;
	uint64_t ring_waits;     /* of producers for room in a ring */
	uint64_t hurried_chunks; /* coded in a hurry, as the ring was more than half full */
};

extern struct ct_session_totals ct_session_totals;

/* Adds to one of them; returns what it is then. */
static inline uint64_t ct_session_count(uint64_t *total, uint64_t more)
{
	return __atomic_add_fetch(total, more, __ATOMIC_RELAXED);
}

/* True while events are taken. The first call opens the trace, which
 * initialises the CUDA runtime: call it only where the program does so too. */
bool ct_session_is_active(void);
/* True if the trace was opened and is not closed yet; never opens it. */
bool ct_session_is_open(void);

const struct ct_options *ct_session_options(void);

void ct_session_lock(void);
/* Also in a signal handler: the calling thread was interrupted while it held the lock. */
bool ct_session_lock_is_mine(void);
void ct_session_unlock(void);

/* Events of an active session; with the lock held. Errors stop the session. An event
 * whose time is 0 happens now. */
uint32_t ct_session_string(const char *string);
void ct_session_event(struct ct_event_header *event, uint16_t kind, size_t bytes);
/* Copies units registered since the last call into the trace. */
void ct_session_write_units(void);

/* For the records of a device (records.h), without the lock. Streams are closed before the session.
 */
struct ct_writer_stream;
int ct_session_stream_open(struct ct_writer_stream **stream, uint32_t device);
/* False once the session is stopped, or its size limit reached. */
bool ct_session_takes_records(void);
/* What a call of the writer returned: an error stops the session, and is said once. Returns err. */
int ct_session_check(int err);
/* All events so far are in the files after this, and the manifest tells the totals so far. */
void ct_session_flush(void);

/* No records are stored any more; events are. */
bool ct_session_limit_reached(void);

/* A launch is complete: counted for the line that says why tracing stopped. */
void ct_session_count_done(void);

/* Writes the last manifest and closes the files; with the lock held. */
void ct_session_close(void);

/* chunks of a device were not stored; with the lock held. */
void ct_session_loss(uint64_t chunks, uint32_t launch, const char *reason);

#endif
