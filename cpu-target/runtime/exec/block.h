/* SPDX-License-Identifier: Apache-2.0 */
/* A resident block: its threads as fibers, their warps, and who runs next. */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_BLOCK_H
#define CT_CPU_TARGET_RUNTIME_EXEC_BLOCK_H

#include "cpu-target/runtime/exec/barrier.h"
#include "cpu-target/runtime/exec/cluster.h"
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/exec/fiber.h"
#include "cpu-target/runtime/exec/pool.h"

struct ct_cpu_fiber {
	struct ct_cpu_thread thread; /* first: __ct_cpu_thread points here */
	struct ct_cpu_context context;
	struct ct_cpu_lanes *warp;
	uint32_t lane;
	uint32_t started;
	uint32_t cluster_phase; /* in which it arrived at the cluster's barrier */
	uint32_t cluster_arrived;
	uint32_t skew; /* of the stack's top: equal frames of neighbours in different cache sets */
	/* what it waits for: a warp operation (warp.c) or a barrier (barrier.c) */
	uint32_t operation;
	uint32_t mask;
	uint32_t operand[2];
	uint64_t value;
	uint64_t result;
};

/* A warp: masks of lanes by what they can do. state[] in view says the same. */
struct ct_cpu_lanes {
	struct ct_cpu_warp view;
	struct ct_cpu_fiber *fibers; /* of lane 0 */
	uint32_t alive;
	uint32_t ready;
	uint32_t yielded;
	uint32_t trace;
	uint32_t waiting; /* at a warp operation */
	uint32_t asking;  /* for the active mask */
	uint32_t done;    /* on_warp_done was called */
};

struct ct_cpu_block {
	struct ct_cpu_job *job;
	struct ct_cpu_worker *worker;
	struct ct_cpu_block *next;      /* resident or free list of the worker */
	struct ct_cpu_cluster *cluster; /* NULL: none */
	uint64_t cta;
	uint64_t begin_ns; /* 0: it was not asked for */
	uint32_t thread_count;
	uint32_t warp_count;
	uint32_t alive;
	uint64_t random; /* state of the seeded shuffle, 0: in order */
	struct ct_cpu_barriers barriers;
	struct ct_cpu_lanes warps[32];
	struct ct_cpu_fiber *fibers; /* [fiber_count] */
	uint32_t fiber_count;
	struct ct_cpu_stacks stacks;
	char *shared;
	size_t shared_bytes;
};

/* NULL if there is no memory; reusable for any number of blocks. */
struct ct_cpu_block *ct_cpu_block_new(struct ct_cpu_worker *worker);
void ct_cpu_block_free(struct ct_cpu_block *block);

/* Make block cta of job resident in block, with this rank in its cluster (NULL:
 * none). 0, or an error that is reported. */
int ct_cpu_block_start(struct ct_cpu_block *block, struct ct_cpu_job *job, uint64_t cta,
		       struct ct_cpu_cluster *cluster, uint32_t rank);

enum ct_cpu_progress {
	CT_BLOCK_DONE,   /* all threads ended, or the grid was stopped */
	CT_BLOCK_YIELDS, /* some threads spin, the others wait */
};

/* Run until one of the above; reports a deadlock. Calls the producer. */
enum ct_cpu_progress ct_cpu_block_run(struct ct_cpu_block *block);

/* The fiber that runs on this worker thread; NULL outside kernels. */
struct ct_cpu_fiber *ct_cpu_current_fiber(void);

/* Suspend the calling fiber in state; it continues when made ready again. */
void ct_cpu_fiber_wait(struct ct_cpu_fiber *fiber, enum ct_cpu_lane_state state);

/* Make the lanes of mask ready. */
void ct_cpu_lanes_wake(struct ct_cpu_lanes *warp, uint32_t mask);

/* Stop the grid: report the error unless one was reported before, and abandon
 * the calling fiber. Callable from a signal handler of the worker. */
void ct_cpu_fiber_fail(struct ct_cpu_fiber *fiber, enum ct_cpu_error error, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* One line on stderr that names kernel, block and thread (fiber may be NULL). */
void ct_cpu_job_fail(struct ct_cpu_job *job, const struct ct_cpu_block *block,
		     const struct ct_cpu_thread *thread, enum ct_cpu_error error, const char *text);

extern const struct ct_cpu_producer *ct_cpu_producer;

/* Retargeted code calls these. */

void __ct_cpu_yield(void);
/* Frees the processor for so long, a millisecond at most, if the caller is the only thread that it
 * could run; does nothing among others. */
void __ct_cpu_sleep(uint32_t ns);
void __ct_cpu_exit(void) __attribute__((noreturn));

#endif
