/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What CUDA calls, and the device activities that they caused, took: sums over all parts of a
 * trace of the tables CALL and ACTIVITY. docs/calls.md says what each figure means.
 *
 * All times are nanoseconds. Texts are borrowed from the trace, but for source names.
 */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_CALLS_H
#define CT_POSTPROC_ANALYSIS_CALLS_CALLS_H

#include "base/map.h"
#include "postproc/analysis/calls/waits.h"
#include "postproc/symbols/stacks.h"
#include <stdbool.h>

struct ct_times {
	uint64_t count;
	uint64_t total_ns, least_ns, most_ns;
};

/* A function of the API, an NVTX range or a region of the program. */
struct ct_calls_function {
	const char *name;
	uint32_t kind; /* enum ct_span_kind */
	bool is_inner; /* made within another call that CUDA makes it for: in no other sum */
	struct ct_wait_kind wait;
	struct ct_times times;
	uint64_t failed; /* of the count, as open */
	uint64_t open;
	uint64_t bytes;
	uint64_t waited_ns;
	uint64_t device_ns; /* of the activities that they caused */
};

struct ct_calls_kernel {
	const char *symbol; /* mangled */
	char *name;         /* as in the source; owned */
	bool is_traced;     /* the instrumented clone */
	bool is_timed;      /* false: known by LAUNCH events alone */
	struct ct_times times;
	uint64_t share_ns; /* of the run, as in struct ct_calls_shares */
};

/* How much of the run the devices of a process were busy, each moment once: with a kernel, else
 * with a copy, else with a memset, else with what the tracer does for itself. Of several kernels
 * that ran, the moment belongs to the one that began first. */
struct ct_calls_shares {
	uint64_t kernels_ns, copies_ns, sets_ns, tracer_ns;
};

/* Copies of a direction, or memsets. */
struct ct_calls_copies {
	uint64_t count, bytes, total_ns;
	struct { /* of these, those with pageable host memory */
		uint64_t count, bytes, total_ns;
	} pageable;
};

#define CT_COPY_KINDS (CT_COPY_PEER + 1u)

struct ct_calls_thread {
	uint32_t part, thread;
	const char *name; /* "" unknown */
	uint64_t count, total_ns, waited_ns;
};

struct ct_calls_stream {
	uint32_t part, device;
	uint64_t stream;
	uint64_t kernels, copies, sets;
	uint64_t total_ns;
};

/* Calls of a function have waited for one of these: a kernel (its number), copies, memsets, or
 * the tracer. */
enum ct_waited_kind { CT_WAITED_KERNEL, CT_WAITED_COPY, CT_WAITED_SET, CT_WAITED_TRACER };

struct ct_calls_wait {
	uint32_t function;
	enum ct_waited_kind kind;
	uint32_t what; /* a kernel's number, or enum ct_copy_kind */
	uint64_t count, total_ns;
};

/* Calls of a function from a stack. */
struct ct_calls_path {
	uint32_t function;
	uint32_t node; /* of the stack tree; 0: not known */
	uint64_t count, total_ns, waited_ns, device_ns, bytes;
};

struct ct_calls_part {
	uint32_t part;
	const char *source, *missing; /* of the last CALLS event, "" without one */
	uint64_t begin_ns, end_ns;    /* of its calls and activities; both 0: it has none */
	uint64_t calls, inner, spans; /* of the API; calls within them; ranges and regions */
	uint64_t activities;
	uint64_t clock_error_ns; /* of the devices against the host, at most */
	uint64_t clock_copies;   /* that this follows from: the tightest of them; 0: from CLOCK */
	uint64_t clock_contradictions; /* of these, outside of the call that waited for them */
};

struct ct_calls {
	struct ct_trace *trace;
	const struct ct_stack_tree *stacks; /* or NULL */
	struct ct_calls_function *function;
	size_t functions;
	struct ct_calls_kernel *kernel;
	size_t kernels;
	struct ct_calls_copies copy[CT_COPY_KINDS]; /* by enum ct_copy_kind */
	bool copies_are_calls; /* no part has activities: times are those of the calls */
	struct ct_calls_copies set, tracer;
	struct ct_calls_thread *thread;
	size_t threads;
	struct ct_calls_stream *stream;
	size_t streams;
	struct ct_calls_wait *wait;
	size_t waits;
	struct ct_calls_path *path;
	size_t paths;
	struct ct_calls_part *part;
	size_t parts;
	uint64_t run_ns;    /* sum over the parts, from first begin to last end */
	uint64_t calls_ns;  /* of all calls of the API, without inner ones */
	uint64_t device_ns; /* of all activities but the tracer's */
	struct ct_calls_shares shares;
	bool waits_are_bounds; /* no part has activities: waited is at most so much */
};

/* All of the trace, which must outlive them. stacks: for paths, as long as they live; NULL: none.
 * 0 or a negative error. */
int ct_calls_init(struct ct_calls *calls, struct ct_trace *trace,
		  const struct ct_stack_tree *stacks);
void ct_calls_fini(struct ct_calls *calls);

/* Whether any part has recorded calls: a CALLS event, or rows. */
bool ct_calls_are_there(struct ct_trace *trace);

/* Whether it may wait, and how long it did is known. */
bool ct_calls_knows_wait(const struct ct_calls *calls, const struct ct_calls_function *function);

/* Returns the mean time of a launch of the kernel, of those that were not instrumented; 0: none
 * is timed. */
double ct_calls_mean_seconds(const struct ct_calls *calls, const char *symbol);

/* Names enum ct_copy_kind and ct_span_kind: "host to device", "runtime". */
const char *ct_copy_kind_name(uint32_t kind);
const char *ct_span_kind_name(uint32_t kind);

#endif
