/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks (producer_hooks.c) and the drain (producer.c) share this state. */
#ifndef CT_CPU_TARGET_RUNTIME_PRODUCER_STATE_H
#define CT_CPU_TARGET_RUNTIME_PRODUCER_STATE_H

#include "cpu-target/runtime/exec/thread.h"
#include "cpu-target/runtime/producer/align.h"
#include "cpu-target/runtime/producer/counts.h"
#include <cudatrace/ring.h>

#define CT_PRODUCER_NO_TRACE CT_STATE_OFF /* state of threads whose warp could not get one */

struct ct_warp_trace {
	struct ct_align_warp align;
	const struct ct_context *context;
	uint32_t launch;
	uint32_t sequence; /* segments written so far */
	uint64_t serial;   /* tells this use of the structure from others */
	uint32_t index;    /* in the worker's traces */
	struct ct_producer_counts counts;
	struct ct_warp_trace *next_free;
};

/* A worker runs one block at a time, on one thread: nothing here is shared. What is large is not in
 * it: a library that dlopen loads has little room for variables of threads. */
struct ct_producer_worker {
	const struct ct_context *context; /* of what the chunk holds */
	uint32_t launch;                  /* of its last segment */
	uint64_t serial;                  /* of the warp whose segment is open; 0 none */
	uint64_t last_serial;
	uint32_t words;
	uint64_t *chunk;               /* CT_CHUNK_BYTES, for the life of the worker */
	struct ct_warp_trace **traces; /* all it ever opened: used again, never freed */
	uint32_t trace_count;
	struct ct_warp_trace *free;
	struct {
		uint64_t serial; /* of the warp, 0: none */
		uint32_t lane;
		struct ct_cpu_access access;
	} fault; /* to be recorded when the warp is done */
};

extern __thread struct ct_producer_worker ct_producer_worker;

/* An empty trace of this worker; NULL, counted as a loss, without memory. */
struct ct_warp_trace *ct_producer_open_trace(const struct ct_context *context, uint32_t launch);

#endif
