/* SPDX-License-Identifier: Apache-2.0 */
/* Tier values on the CPU target: what is kept of the values that a site moves (summary.h; on the
 * GPU: device-rt/summary.cuh). */
#ifndef CT_CPU_TARGET_RUNTIME_PRODUCER_SUMMARY_H
#define CT_CPU_TARGET_RUNTIME_PRODUCER_SUMMARY_H

#include "cpu-target/runtime/producer/counts.h"

/* A value that one lane is about to store, or has loaded: as __ct_value of hooks.def. */
void ct_producer_summarise(const struct ct_producer_counts *counts, uint64_t site, uint32_t element,
			   uint32_t bytes, uint64_t low, uint64_t high, uint64_t address);

/* The parts of a queued value carry what it consists of. */
#define CT_SUMMARY_PART(part, element) ((part) | (element) << 8)

/* The same when it is known which lanes have done it together. */
void ct_producer_summarise_group(const struct ct_producer_counts *counts,
				 const struct ct_align_group *group);

#endif
