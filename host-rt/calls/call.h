/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The envelope of a call of api.def: every wrapper enters one, on its stack, and leaves it when the
 * real call and what it means to us are done.
 */
#ifndef CT_CALL_H
#define CT_CALL_H

#include "host-rt/base/quiet.h"
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
	bool is_inner;  /* not the program's: CUDA's own, within another call, or ours */
	int32_t result; /* what the real call returned, when it is left */
	/* Room for whoever records calls; nobody sets these yet. */
	uint32_t thread, stack;
	uint64_t begin_ns, end_ns;
	uint64_t stream, bytes;
};

extern _Thread_local struct ct_call *ct_call_innermost;

/* "cuMemcpyHtoD": as CUDA documents it. */
const char *ct_call_name(enum ct_call_number number);
bool ct_call_is_of_driver(enum ct_call_number number);

/* The runtime makes calls of the driver for one of its own; what we call ourselves, or somebody
 * does whom we call, is in a quiet section. A frame that longjmp has left may still stand there as
 * the outer one: deeper in the stack than this one, it is none. */
static inline void ct_call_enter(struct ct_call *call, enum ct_call_number number,
				 const void *const *symbols, bool per_thread)
{
	struct ct_call *outer = ct_call_innermost;

	call->outer = outer && (uintptr_t)outer > (uintptr_t)call ? outer : NULL;
	call->symbols = symbols;
	call->number = (uint16_t)number;
	call->per_thread = per_thread;
	call->is_inner = ct_quiet_depth || (call->outer && ct_call_is_of_driver(number) &&
					    !ct_call_is_of_driver(call->outer->number));
	ct_call_innermost = call;
}

/* Its result is set. */
static inline void ct_call_leave(struct ct_call *call)
{
	ct_call_innermost = call->outer;
}

#endif
