/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace of this process: opened at its first CUDA activity, closed at
 * exit. One per process.
 *
 *   unopened --first activity--> active --exit--------------> closed
 *        \                          \---I/O error---------> stopped --exit--> closed
 *         \--tracing off, no instrumented code, fork--> closed
 *
 * Threads: any. The session's lock orders launches and allocations: whoever
 * writes one of these events holds it, so that their order in the trace is
 * the order in which the program made the calls.
 */
#ifndef CT_HOST_RT_EVENTS_SESSION_H
#define CT_HOST_RT_EVENTS_SESSION_H

#include "host-rt/base/options.h"
#include <stdbool.h>
#include <stdint.h>

struct ct_writer;

/*
 * What the process does around its trace: where it is, its manifest, what is said of it.
 * That knows devices and streams, which write events, so it stands above them, in process/.
 * It is a symbol of the link and registers nowhere: the program's static objects, and those of its
 * libraries, may call CUDA before any constructor of ours has run.
 */
struct ct_session_root {
	/* There is something to trace. Any thread, with or without the lock. */
	bool (*is_due)(void);
	/* Fills options and *writer, and writes what the trace begins with. False: nothing is
	 * traced. Lock held, quiet section. */
	bool (*open)(struct ct_options *options, struct ct_writer **writer);
	/* Records are not stored any more, as the writer says (error.h). Any thread, once per
	 * reason. */
	void (*stopped)(int err);
	/* All events so far are in their file. Any thread. */
	void (*flushed)(void);
	/* cuda-trace has not built the program: calls and activities are all there is. */
	bool is_injected;
};
extern const struct ct_session_root ct_session_root;

/* Kept with atomic adds; all but the last are written to the manifest. */
struct ct_session_totals {
	uint64_t launches;
	uint64_t traced_launches;
	uint64_t kernels;      /* distinct kernels traced */
	uint64_t record_bytes; /* stored */
	uint64_t lost_chunks;
	uint64_t ring_waits;     /* of producers for room in a ring */
	uint64_t hurried_chunks; /* coded in a hurry, as the ring was more than half full */
	uint64_t calls;          /* rows of CALL */
	uint64_t activities;     /* rows of ACTIVITY */
	uint64_t arrived_bytes;  /* taken out of rings, stored or not; not in the manifest */
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
/* False once the session is stopped, or records are refused. */
bool ct_session_takes_records(void);
/* Why no records are stored any more, while events are: CT_ELIMIT, CT_ESPACE; 0: they are. */
int ct_session_refusal(void);

const struct ct_options *ct_session_options(void);
/* The session must be open. */
struct ct_writer *ct_session_writer(void);

void ct_session_lock(void);
/* Also in a signal handler: the calling thread was interrupted while it held the lock. */
bool ct_session_lock_is_mine(void);
void ct_session_unlock(void);

/* Checks what a call of the writer returned: an error stops the session. Returns err. */
int ct_session_check(int err);
/* All events so far are in the files after this. */
void ct_session_flush(void);

/* Nothing is taken any more; the writer is the root's to close. Returns whether the session was
 * active. */
bool ct_session_close(void);

#endif
