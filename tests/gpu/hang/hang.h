/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the hang programs share. Each takes the number of launches, checks its
 * results against the host's, and prints "count KERNEL store N": what a launch
 * of that kernel stores, for run-hang.sh to look for in the trace; several such
 * lines if launches differ.
 */
#ifndef HANG_H
#define HANG_H

#include "feature.h"

static inline int launches_wanted(int argc, char **argv)
{
	int launches = argc > 1 ? atoi(argv[1]) : 3;

	if (launches <= 0) {
		printf("FAILED usage: %s [LAUNCHES]\n", argv[0]);
		exit(2);
	}
	return launches;
}

static inline void count_stores(const char *kernel, unsigned long long stores)
{
	printf("count %s store %llu\n", kernel, stores);
}

static inline int multiprocessors()
{
	int count;

	need(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0),
	     "cudaDeviceGetAttribute");
	return count;
}

/* Numbers without a pattern, the same in every run. */
static inline unsigned scramble(unsigned x)
{
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	return x ^ x >> 16;
}

static inline unsigned *scrambled_array(unsigned *host, size_t count)
{
	unsigned *device = device_array<unsigned>(count);

	for (size_t i = 0; i < count; i++)
		host[i] = scramble((unsigned)i);
	upload(device, host, count);
	return device;
}

#endif
