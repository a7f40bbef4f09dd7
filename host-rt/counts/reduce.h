/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts on the CPU target: what device-rt/count_kernels.cuh does on the GPU. */
#ifndef CT_HOST_RT_COUNTS_REDUCE_H
#define CT_HOST_RT_COUNTS_REDUCE_H

#include <cudatrace/counts.h>
#include <stdint.h>

/* Addresses are those of structures in the device's memory. */
struct ct_counts_collect {
	uint64_t area; /* struct ct_counts_area */
	uint64_t ring; /* struct ct_counts_ring */
	uint32_t launch;
	uint32_t number; /* of the area */
	uint32_t unit;   /* of the kernel, in the area's units */
};

/* Sum up the area's counters and maps, append what they say to the ring, clear them.
 * Any thread; nothing else uses the area meanwhile. */
void ct_counts_reduce(const struct ct_counts_collect *collect);

void ct_counts_tell_objects(uint64_t area, const struct ct_counts_batch *batch);

#endif
