/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution of retargeted kernels on CPU threads: what ct-retarget's objects
 * register, how a grid is run, and what the trace producer can ask.
 *
 * A block runs on one worker thread from start to end. Its threads are fibers
 * if the kernel can block (barriers, warp operations, hooks, spin loops), else
 * iterations of a loop. Within a warp each lane runs until it waits, ends or
 * yields; when no lane of the warp can go on ("idle"), the producer is called,
 * then warp operations and barriers that are complete release their lanes. A
 * completed operation never releases a lane before the warp has been idle, so
 * what the producer sees does not depend on the order of lanes.
 */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_EXEC_H
#define CT_CPU_TARGET_RUNTIME_EXEC_EXEC_H

#include "cpu-target/runtime/exec/thread.h"
#include <stddef.h>
#include <stdint.h>

/* The registry. ct-retarget builds these layouts (retarget/entry.cpp). */

/* Runs the threads of the block of `thread`: one thread (fiber kernels) or
 * all in a loop. args[i] points at parameter i. */
typedef void (*ct_cpu_entry)(struct ct_cpu_thread *thread, void **args);

struct ct_cpu_kernel {
	const char *name; /* mangled device symbol */
	ct_cpu_entry entry;
	const uint32_t *param_bytes; /* [param_count], then as many alignments */
	uint32_t param_count;
	uint32_t blocking;            /* 1: one fiber per thread */
	uint32_t static_shared_bytes; /* of the shared variables it can reach */
	uint32_t max_threads;         /* launch bound, 1024 if none */
	uint32_t cluster[3];          /* blocks of a cluster that every launch must have; 0: any */
	uint32_t reserved;
};

struct ct_cpu_variable {
	const char *name;
	void *address;
	uint64_t bytes;
};

/* One per object file; static, never freed. */
struct ct_cpu_unit {
	const char *id; /* what --id= gave: names the unit in the host's fat binary */
	const struct ct_cpu_kernel *kernels;
	const struct ct_cpu_variable *variables;
	uint32_t kernel_count;
	uint32_t variable_count;
	uint64_t shared_bytes;    /* static shared memory a block of any kernel needs */
	struct ct_cpu_unit *next; /* owned by the registry */
};

/* From the object's constructor (priority 101), before main. */
void __ct_cpu_register_unit(struct ct_cpu_unit *unit);

/* NULL if there is none. Any thread. unit is filled if not NULL. */
const struct ct_cpu_kernel *ct_cpu_find_kernel(const char *id, const char *name,
					       const struct ct_cpu_unit **unit);
const struct ct_cpu_variable *ct_cpu_find_variable(const char *id, const char *name);

/* A grid is run. */

enum ct_cpu_error {
	CT_CPU_OK = 0,
	CT_CPU_TRAP,            /* trap instruction, deadlock: cudaErrorLaunchFailure */
	CT_CPU_ASSERT,          /* cudaErrorAssert */
	CT_CPU_UNSUPPORTED,     /* an operation the retargeter could not translate */
	CT_CPU_DEADLOCK,        /* no thread of a block can go on */
	CT_CPU_ILLEGAL_ADDRESS, /* cudaErrorIllegalAddress */
	CT_CPU_STACK_OVERFLOW,  /* of a device thread */
	CT_CPU_NO_MEMORY,       /* stacks or shared memory could not be had */
};

struct ct_cpu_grid {
	const struct ct_cpu_kernel *kernel;
	const struct ct_cpu_unit *unit;
	uint32_t grid[3];  /* blocks, each >= 1 */
	uint32_t block[3]; /* threads, product 1..1024 */
	uint32_t dynamic_shared_bytes;
	uint32_t cooperative; /* 1: all blocks are resident at once */
	uint32_t cluster[3];  /* blocks of a cluster, divide grid; 0 in x: no clusters */
	void **args;          /* kernel->param_count pointers, valid during the call */
	uint64_t id;          /* free for the caller; struct ct_cpu_warp.grid_id */
};

/* Runs the grid on the shared workers and returns when it is done, 0 or an
 * enum ct_cpu_error, which has been reported on stderr in one line. The grid's
 * other blocks stop early after an error. Several grids may run at once from
 * different threads. The process survives an illegal address or an overflow. */
int ct_cpu_grid_run(const struct ct_cpu_grid *grid);

/* Workers (= SMs): cores of the affinity mask, or CUDATRACE_CPU_THREADS. */
unsigned ct_cpu_worker_count(void);

/* Hooks of the producer ask for the calling device thread. */

/* Never NULL inside a kernel, NULL outside. Borrowed, of this thread only. */
struct ct_cpu_thread *ct_cpu_current(void);
/* When a thread of the current block first asked: __ct_cpu_globaltimer. */
uint64_t ct_cpu_block_begin_ns(void);

/* Global: neither in the shared memory of this block's cluster, nor on this
 * thread's stack, nor in the kernel's argument copies, nor constant memory. */
enum ct_cpu_space {
	CT_CPU_SPACE_GLOBAL,
	CT_CPU_SPACE_SHARED,
	CT_CPU_SPACE_LOCAL,
	CT_CPU_SPACE_PARAM,
	CT_CPU_SPACE_CONSTANT,
};
int ct_cpu_address_space(const void *pointer);

/* This lane's queue is full: let the other lanes of the warp run. Returns
 * after on_warp_idle of this warp. */
void ct_cpu_lane_wait_trace(void);

enum ct_cpu_lane_state {
	CT_LANE_READY = 0, /* can run (within on_warp_idle: only in state YIELDED or TRACE) */
	CT_LANE_YIELDED,   /* can run, but waits in a spin loop for others */
	CT_LANE_TRACE,     /* in ct_cpu_lane_wait_trace */
	CT_LANE_BARRIER,   /* waits at a barrier */
	CT_LANE_WARP,      /* waits at a warp operation */
	CT_LANE_EXITED,    /* or never existed */
};

/* A warp of a resident block; for the producer. */
struct ct_cpu_warp {
	uint64_t cta;    /* linear */
	uint32_t index;  /* within the block */
	uint32_t lanes;  /* mask of lanes that exist */
	uint32_t worker; /* index of the worker that runs it */
	uint32_t reserved;
	uint64_t grid_id; /* struct ct_cpu_grid.id */
	/* The producer's own: NULL when the warp starts, whatever the producer
	 * puts there until on_warp_done. */
	void *producer;
	uint8_t state[32]; /* enum ct_cpu_lane_state, valid within on_warp_idle */
};

/* The warp of the calling device thread (fiber kernels only, else NULL). */
struct ct_cpu_warp *ct_cpu_current_warp(void);

/* Called on the worker thread, not on a fiber: may not block on device
 * threads, may wait for the ring. All may be NULL. A warp whose kernel calls
 * no hook has producer == NULL: return at once. */
struct ct_cpu_producer {
	/* No lane of the warp can run. Take records as the alignment rule
	 * says: a lane in state YIELDED or TRACE with an empty queue holds the
	 * others back, lanes in other states do not. A YIELDED lane may wait for
	 * a lane in TRACE: if the call makes no room for any TRACE lane, take
	 * as if the YIELDED ones were waiting. TRACE lanes run on afterwards. */
	void (*on_warp_idle)(struct ct_cpu_warp *warp);
	/* All lanes have exited, or the grid was stopped (then state tells). */
	void (*on_warp_done)(struct ct_cpu_warp *warp);
	/* In a signal handler of the worker: this access of a lane has faulted before it was
	 * recorded. on_warp_done of its warp follows. */
	void (*on_fault)(struct ct_cpu_warp *warp, uint32_t lane,
			 const struct ct_cpu_access *access);
	/* After the on_warp_done of all its warps. */
	void (*on_block_done)(uint64_t cta, unsigned worker);
	/* Once per worker that ran blocks of the grid, on that worker,
	 * before ct_cpu_grid_run returns. */
	void (*on_grid_done)(uint64_t grid_id, unsigned worker);
};

/* Before the first grid; borrowed for the life of the process. */
void ct_cpu_set_producer(const struct ct_cpu_producer *producer);

/* device heap limit etc. are the API's; device printf goes to stdout, a line
 * at a time: flush before a synchronisation call returns. */
void ct_cpu_flush_printf(void);

#endif
