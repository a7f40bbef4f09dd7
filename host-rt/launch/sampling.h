/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampling (seed 002, IV-A-c): launches by their context, which is the kernel and
 * where on the host it is launched from, and CTAs of a launch. All with the
 * session's lock held.
 */
#ifndef CT_HOST_RT_LAUNCH_SAMPLING_H
#define CT_HOST_RT_LAUNCH_SAMPLING_H

#include "host-rt/base/options.h"
#include "host-rt/base/registry.h"

struct ct_sample {
	uint32_t context; /* as in the LAUNCH event */
	uint32_t launch_period;
	uint32_t block_period, block_offset;
};

struct ct_launch_context;

/* The context of a launch of kernel. site: descriptor or NULL; base: frame address
 * of the function that the program launches through, 0: the call path does not
 * count. NULL out of memory. */
struct ct_launch_context *ct_sampling_context(const struct ct_kernel *kernel, const char *site,
					      uintptr_t base);
/* Its number in LAUNCH events: the same in every process of the program. */
uint32_t ct_sampling_id(const struct ct_launch_context *context);
/* One more launch of the context: true of the first, and then of every period-th. */
bool ct_sampling_takes(struct ct_launch_context *context, uint64_t period);

/* Which CTAs of a launch are recorded, of so many. number: of the launch, or of what else r is
 * drawn for: the same seed and number, the same CTAs. */
void ct_sampling_blocks(struct ct_sample *sample, const struct ct_options *options, uint64_t ctas,
			uint64_t number);

#endif
