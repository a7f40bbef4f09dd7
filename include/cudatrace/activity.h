/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What devices do, between who runs or watches them (the CPU target's streams) and host-rt, which
 * records it:
 *
 *	a call asks for work ── cause ──► the work waits in its stream, runs ── happened ──►
 */
#ifndef CUDATRACE_ACTIVITY_H
#define CUDATRACE_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct CUstream_st;

/* Who asked for the work. */
struct ct_cause {
	uint64_t stream; /* as in ACTIVITY */
	uint32_t correlation, launch;
	int32_t device;
	bool is_known; /* else it is not asked for */
};

struct ct_activity {
	struct ct_cause cause;
	uint64_t begin_ns, end_ns; /* CLOCK_REALTIME */
	uint64_t bytes;            /* of copies and memsets */
	const char *kernel;        /* mangled name of what ran, of kernels; valid during the call */
	uint32_t grid[3], block[3];
	uint32_t shared_bytes;
	uint32_t registers; /* of a thread; 0 not known */
	uint32_t kind;      /* enum ct_activity_kind */
	uint32_t copy;      /* enum ct_copy_kind */
	bool is_pageable;
	bool is_ours; /* the tracer asked for it, not the program */
};

struct ct_activity_sink {
	/* On the thread and within the call that asks for work in that stream. device is 0. */
	struct ct_cause (*cause)(struct CUstream_st *stream);
	/* Any thread, if the cause is known. Takes no lock that is held while somebody waits for a
	 * device. */
	void (*happened)(const struct ct_activity *activity);
	/* As memmove, for copies: pages of the program may be protected
	 * (host-rt/watch/pages/past.h). */
	void (*move)(void *to, const void *from, size_t bytes);
};

/* Does the calling thread do a device's work? The CPU target's; NULL where devices are others. */
bool ct_is_of_device(void) __attribute__((weak));

/* host-rt's; NULL in programs without it. */
extern const struct ct_activity_sink ct_activity_sink __attribute__((weak));

#endif
