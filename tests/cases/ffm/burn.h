// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
// Host work: sleeps, so that a shared machine does not matter. MS: a millisecond.
static inline uint32_t burn(long n, uint32_t x = 1)
{
	usleep(n);
	return x;
}
static volatile uint32_t burn_sink;
#ifndef MS
#define MS 1000L
#endif
// Device work: thread 0 of the grid lasts so many microseconds.
__device__ inline unsigned spin(int us, unsigned i)
{
	if (i == 0) {
		unsigned long long a, b;
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a));
		do {
			__nanosleep(20000);
			asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b));
		} while (b - a < us * 1000ull);
	}
	return i == 0xfffffff0u ? 7u : 8u;
}
#define OK(call)                                                                                   \
	do {                                                                                       \
		cudaError_t e_ = (call);                                                           \
		if (e_ != cudaSuccess) {                                                           \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                         \
				cudaGetErrorString(e_));                                           \
			exit(3);                                                                   \
		}                                                                                  \
	} while (0)
#ifndef ROUNDS
#define ROUNDS (8000 * 400) /* / 400: 8 ms */
#endif
