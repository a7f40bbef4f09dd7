/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of the process' own threads by the kernel's perf events: one every CT_PERF_PERIOD_NS of a
 * thread's processor time outside of the kernel, with its registers and the innermost part of its
 * stack. No signals; the program's system calls are not interrupted. An event and a ring for each
 * thread, so that none of it is left to processes that it starts. One thread calls.
 */
#ifndef CT_HOST_RT_SAMPLES_PERF_H
#define CT_HOST_RT_SAMPLES_PERF_H

#include "unwind/unwind.h"
#include <stdbool.h>
#include <stdint.h>

#define CT_PERF_PERIOD_NS UINT64_C(10000000)
/* Threads that are sampled at a time: each has a ring of 132 KiB. */
#define CT_PERF_THREADS_MAX 256u

/* 0, or -errno of what the kernel does not allow for the calling thread; *why: a sentence (static).
 */
int ct_perf_probe(const char **why);

/* Threads that have come since the last time; those of `is_left_out` are. Threads that cannot be
 * had are counted. Those for which there is no room are looked at again the next time; returns how
 * many they are. */
size_t ct_perf_attach(bool (*is_left_out)(uint32_t thread));

/* All that has come since, of each thread until it ended; copies hold during the call. */
void ct_perf_read(void (*take)(uint32_t thread, const struct ct_stack_copy *copy));

/* Since the beginning: samples without room, and threads that could not be watched. */
uint64_t ct_perf_lost(void);
uint64_t ct_perf_unwatched(void);

void ct_perf_close(void);
/* In the child of a fork, which has no rings: the kernel does not copy them. */
void ct_perf_forget(void);

#endif
