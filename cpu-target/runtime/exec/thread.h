/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of one device thread: shared by retargeted kernels (ct-retarget uses
 * the offsets), the device runtime bitcode and the execution runtime.
 */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_THREAD_H
#define CT_CPU_TARGET_RUNTIME_EXEC_THREAD_H

#include <stdint.h>

#define CT_CPU_WARP_LANES 32u

struct ct_cpu_block;
struct ct_cpu_cluster;

struct ct_cpu_thread {
	uint32_t tid[3]; /* first four in this order: ct-retarget counts on it */
	uint32_t ctaid[3];
	uint32_t ntid[3];
	uint32_t nctaid[3];
	char *shared;         /* static shared memory of the block */
	char *dynamic_shared; /* behind it */
	uint32_t dynamic_shared_bytes;
	uint32_t static_shared_bytes;
	uint32_t predicate; /* second result of the last shuffle or match */
	uint32_t spins;     /* accesses in wait loops since the last yield */
	uint32_t worker;    /* index of the worker = %smid */
	uint32_t reserved;
	uint64_t cta;                   /* linear block id */
	struct ct_cpu_cluster *cluster; /* NULL: a block of its own */
	uint64_t cluster_rank;
	void *workspace; /* of a cooperative grid: 64 bytes, zero when it starts; else NULL */
	struct ct_cpu_block *block;
};

/* The device thread that runs on this host thread, else NULL. */
extern __thread struct ct_cpu_thread *__ct_cpu_thread __attribute__((tls_model("initial-exec")));

/* The access that this host thread makes next and records behind it (__ct_at of hooks.def): what
 * faults there is not recorded yet. */
struct ct_cpu_access {
	uint64_t site, address;
	uint32_t bytes;
};
extern __thread struct ct_cpu_access __ct_cpu_next_access
    __attribute__((tls_model("initial-exec")));

static inline uint32_t ct_cpu_thread_linear(const struct ct_cpu_thread *thread)
{
	return thread->tid[0] +
	       thread->ntid[0] * (thread->tid[1] + thread->ntid[1] * thread->tid[2]);
}

static inline uint32_t ct_cpu_thread_lane(const struct ct_cpu_thread *thread)
{
	return ct_cpu_thread_linear(thread) % CT_CPU_WARP_LANES;
}

static inline uint32_t ct_cpu_thread_warp(const struct ct_cpu_thread *thread)
{
	return ct_cpu_thread_linear(thread) / CT_CPU_WARP_LANES;
}

#endif
