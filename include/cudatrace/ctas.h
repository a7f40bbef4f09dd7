/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CTA clock: where producers write when each CTA began and ended.
 *
 *   ct_launch.clock ──► struct ct_cta_times[CTAs of the grid], by linear CTA id, less than
 *                       2^32 of them; 0: not wanted
 *
 * Nothing is waited for, and nothing is atomic: each warp keeps the time at which
 * it began, and its leaving lanes store the whole entry. The last store stays,
 * that of the warp that ends last; of warps that end within some 50 ns of each
 * other it may be the other's. Entries are never cleared: device time only
 * grows, so what an earlier launch left there ended before this one began, and
 * is found by that. Times are nanoseconds of the device's clock (%globaltimer); on
 * the CPU target CLOCK_REALTIME.
 */
#ifndef CUDATRACE_CTAS_H
#define CUDATRACE_CTAS_H

#include <stdint.h>

struct ct_cta_times {
	uint64_t begin; /* CT_CTA_BEGIN of the warp that ends last */
	uint64_t end;   /* of the last lane that has left */
};

/* The SM in the low bits, the low 52 bits of the time above. */
#define CT_CTA_SM_BITS 12
#define CT_CTA_BEGIN(time, sm)                                                                     \
	((uint64_t)(time) << CT_CTA_SM_BITS | (((1u << CT_CTA_SM_BITS) - 1) & (uint32_t)(sm)))
#define CT_CTA_SM(begin) ((uint32_t)(begin) & ((1u << CT_CTA_SM_BITS) - 1))
/* How long before `now` it was: less than 52 days. */
#define CT_CTA_AGE(begin, now)                                                                     \
	((((uint64_t)(now) << CT_CTA_SM_BITS) - ((begin) & ~0xfffull)) >> CT_CTA_SM_BITS)

#endif
