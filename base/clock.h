/* SPDX-License-Identifier: Apache-2.0 */
/* The two clocks, in nanoseconds. */
#ifndef CT_BASE_CLOCK_H
#define CT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t ct_clock_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

static inline uint64_t ct_clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return ct_clock_of(&now);
}

/* For spans of time: since some moment in the past, never set back. */
static inline uint64_t ct_clock_monotonic_ns(void)
{
	return ct_clock_ns(CLOCK_MONOTONIC);
}

/* For points in time: since 1970-01-01 UTC, the clock of a trace's events. */
static inline uint64_t ct_clock_real_ns(void)
{
	return ct_clock_ns(CLOCK_REALTIME);
}

#endif
