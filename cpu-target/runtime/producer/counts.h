/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts on the CPU target: a group of lanes is counted where it would be recorded. */
#ifndef CT_CPU_TARGET_RUNTIME_PRODUCER_COUNTS_H
#define CT_CPU_TARGET_RUNTIME_PRODUCER_COUNTS_H

#include "cpu-target/runtime/producer/align.h"
#include <cudatrace/counts.h>

/* Where the accesses of one warp count; area NULL: they are recorded. */
struct ct_producer_counts {
	struct ct_counts_area *area;
	uint32_t unit; /* of the kernel, in the area's units */
	uint32_t row;  /* of counters */
	int is_values; /* of tier values: what is moved is summarised, nothing else (summary.h) */
};

/* flags: of the launch. context: address of its struct ct_context. */
struct ct_producer_counts ct_producer_counts_of(uint64_t context, uint32_t flags, uint32_t worker);

/* An access of the lanes of mask, of bytes (not 0) from address on each. */
void ct_producer_count(const struct ct_producer_counts *counts, uint64_t site, uint32_t mask,
		       const uint64_t address[CT_WARP_LANES], const uint64_t bytes[CT_WARP_LANES]);
/* The counter of a site; the last one if it is of no unit here. */
uint32_t ct_producer_counter(const struct ct_producer_counts *counts, uint64_t site);
/* The first object, of so many, that ends after address. */
uint32_t ct_producer_object_after(const struct ct_counts_object *object, uint32_t count,
				  uint64_t address);

/* An execution of a site without addresses. */
void ct_producer_count_event(const struct ct_producer_counts *counts, uint64_t site, uint32_t mask);

/* Distinct sectors of an execution. from[lane]: the first that the lane counts, up to that of
 * its last byte. */
uint64_t ct_producer_sectors(uint32_t mask, const uint64_t address[CT_WARP_LANES],
			     const uint64_t bytes[CT_WARP_LANES], uint64_t from[CT_WARP_LANES]);

#endif
