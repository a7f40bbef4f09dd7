/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The envelope of a call of api.def: every wrapper enters one, on its stack, and leaves it when the
 * real call and what it means to us are done.
 */
#ifndef CT_HOST_RT_CALLS_CALL_H
#define CT_HOST_RT_CALLS_CALL_H

#include "host-rt/base/quiet.h"
#include "host-rt/calls/log.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ct_call_number {
#define CT_API(returns, name, version, thread, where, site, ...) CT_CALL_##name##version,
#include <cudatrace/api.def>
	CT_CALLS
};

struct ct_call {
	struct ct_call *outer;      /* the call of this thread that this one was made in, or NULL */
	const void *const *symbols; /* our wrappers: by its plain name, by its per-thread name */
	uint16_t number;            /* enum ct_call_number */
	bool per_thread;            /* by its per-thread name: stream 0 is the thread's own */
	bool has_waited;            /* for a device: what that has done may be written */
	bool is_inner;  /* not the program's: CUDA's own, within another call, or ours */
	int cancel;     /* whether the thread could be cancelled before the call */
	int32_t result; /* what the real call returned, when it is left */

	const void *base;   /* the wrapper's frame */
	struct ct_log *log; /* where it is noted; NULL: nowhere */
	uint32_t depth;     /* outer calls */
	uint32_t stack;     /* row of STACK: who made it; 0 not known */
	uint64_t begin_ns;  /* of the real call; 0: it was not made */
	uint64_t end_ns;
	/* The call collects this meanwhile (ct_call_innermost). */
	uint64_t stream, bytes;
	uint32_t correlation, launch;
	uint32_t id;  /* ct_call_identify; 0: none yet */
	uint8_t copy; /* enum ct_copy_kind */
};

extern _Thread_local struct ct_call *ct_call_innermost;

/* The number by which tables name the call, unique in the process. */
uint32_t ct_call_identify(struct ct_call *call);

/* Called when the program's outermost call of a thread has ended; NULL: no callback. */
extern void (*ct_call_around)(void);

/* Called when a call of the program that has waited is over; NULL: no callback. */
extern void (*ct_call_waited)(void);

/* "cuMemcpyHtoD": as CUDA documents it. */
const char *ct_call_name(enum ct_call_number number);
bool ct_call_is_of_driver(enum ct_call_number number);

/* The runtime makes calls of the driver for one of its own; what we call ourselves, or somebody
 * does whom we call, is in a quiet section. A thread that pthread_cancel ends goes on until it has
 * left the call, for it may hold locks in there. A frame that longjmp has left may still stand
 * there as the outer one: deeper in the stack than this one, it is none. */
__attribute__((always_inline)) static inline void ct_call_enter(struct ct_call *call,
								enum ct_call_number number,
								const void *const *symbols,
								bool per_thread)
{
	struct ct_call *outer = ct_call_innermost;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &call->cancel);
	call->outer = outer && (uintptr_t)outer > (uintptr_t)call ? outer : NULL;
	call->depth = call->outer ? call->outer->depth + 1 : 0;
	call->symbols = symbols;
	call->number = (uint16_t)number;
	call->per_thread = per_thread;
	call->is_inner = ct_quiet_depth || (call->outer && ct_call_is_of_driver(number) &&
					    !ct_call_is_of_driver(call->outer->number));
	call->base = __builtin_frame_address(0);
	call->log = NULL;
	call->begin_ns = call->stream = call->bytes = 0;
	call->correlation = call->launch = call->copy = call->id = 0;
	call->has_waited = false;
	ct_call_innermost = call;
	if (!ct_log_is_closed() && !ct_quiet_depth)
		ct_log_enter(call, call->base);
}

/* Around the real call. Of several the first begins and the last ends it. */
static inline void ct_call_real_begins(struct ct_call *call)
{
	if (call->log)
		ct_log_real_begins(call);
}

static inline void ct_call_real_ends(struct ct_call *call)
{
	if (call->log)
		ct_log_real_ends(call);
}

/* Its result is set. */
static inline void ct_call_leave(struct ct_call *call)
{
	if (call->log)
		ct_log_leave(call);
	ct_call_innermost = call->outer;
	if (ct_call_around && !call->outer && !call->is_inner)
		ct_call_around();
	if (call->has_waited && ct_call_waited && !call->is_inner)
		ct_call_waited();
	pthread_setcancelstate(call->cancel, NULL);
}

/* Collects what becomes known of the program's call that this thread is in. */
static inline void ct_call_note_stream(uint64_t stream)
{
	if (ct_call_innermost)
		ct_call_innermost->stream = stream;
}

static inline void ct_call_note_wait(void)
{
	if (ct_call_innermost)
		ct_call_innermost->has_waited = true;
}

/* More of them, if it moves several things. */
static inline void ct_call_note_bytes(uint64_t bytes)
{
	if (ct_call_innermost)
		ct_call_innermost->bytes += bytes;
}

#endif
