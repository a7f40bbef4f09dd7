/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a launch takes, by going through what its warps do in time: each warp's blocks and
 * requests in its own order (streams.h, script.h), on SMs of four schedulers, an L1 each, one L2,
 * and memory. What a mean over warps cannot have follows of itself: few warps, waves of CTAs, warps
 * that wait for the same line, the slowest of loads that are under way together.
 *
 *   computation   takes a scheduler as long as it needs to issue it, one stretch after the other,
 *                 and the warp at least as long as its chain of uses
 *   a request     takes the SM's load-store unit a cycle for each line and for each 128 bytes; what
 *                 the L1 has comes after its latency, or when the fetch that is under way is there
 *   a fetch       takes the SM's way to the L2, 64 bytes in a cycle, then the L2, then memory, each
 *                 by its bandwidth, and the latency of where it ends; lines that a request has more
 *                 of come departure_delay_l2 one after another
 *   stores        take the same ways, and nobody waits for them
 *   a barrier     ends when the last warp has come, barrier_latency later
 *   CTAs          begin cta_seconds one after another, in turn on all SMs, where one has ended
 *
 * The whole launch takes kernel_seconds more: that is what an empty kernel takes.
 */
#ifndef CT_MODEL_SIMULATE_H
#define CT_MODEL_SIMULATE_H

#include "postproc/analysis/model/kernel.h"

/* kernel: with resident, scale, bank conflicts. 0; 1: nothing can be said, since blocks are only
 * counted, or a CTA has more of them than there is room for; -ENOMEM. */
int ct_simulate(struct ct_simulation *result, const struct ct_model_kernel *kernel,
		const struct ct_model_job *job, const struct ct_machine *machine, bool is_cold);

#endif
