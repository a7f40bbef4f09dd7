/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of this test share. The line of each call that is a problem ends with
 * `// problem: KIND`, or the line before it says so, and how often it is one where that is not
 * always: `3 of 4 times`. What has no mark is no problem, however much it looks like one.
 */
#ifndef CT_TEST_TRUTH_H
#define CT_TEST_TRUTH_H

#include <cuda_runtime.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CASE static __attribute__((noinline)) void

/* Long enough for the host to be at the wait before the kernel ends, on a busy machine, too. */
#define LONG_MS 60
/* A first use is far if it comes after more than truth.sh says; these are farther. */
#define FAR_MS 250

/* Bytes of a block of CONTENT: copies are as many of them. */
#define BLOCK 4096

/* Lasts, and keeps no processor busy. */
static __global__ void last(unsigned ms)
{
	unsigned long long begin, now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
	do {
		__nanosleep(100000);
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	} while (now - begin < ms * 1000000ull);
}

static __global__ void set(int *data, int value)
{
	data[threadIdx.x] = value;
}

/* The host does this meanwhile. */
static inline void work(unsigned ms)
{
	usleep(ms * 1000);
}

/* Never freed, so that nothing but the case uses it. */
static inline int *pinned(size_t bytes)
{
	int *memory;

	if (cudaMallocHost(&memory, bytes) != cudaSuccess)
		abort();
	memset(memory, 0, bytes);
	return memory;
}

#endif
