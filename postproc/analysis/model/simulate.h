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
 *   stores        take the same ways, and nothing waits for them
 *   a barrier     ends when the last warp has come, barrier_latency later
 *   CTAs          begin cta_seconds one after another, in turn on all SMs, where one has ended
 *
 * The whole launch takes kernel_seconds more: that is what an empty kernel takes. Of a launch that
 * is not all there some CTAs run on as large a part of the machine (part.h).
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_SIMULATE_H
#define CT_POSTPROC_ANALYSIS_MODEL_SIMULATE_H

#include "postproc/analysis/model/kernel.h"

/* Sectors (addresses by 32) from begin up to end. */
struct ct_simulate_range {
	uint64_t begin, end;
};

/* The launch as it would be after a change; zero: as it is. */
struct ct_simulate_change {
	double chain;      /* of chains of uses, the part that is left; 0: all */
	double issue;      /* likewise of what schedulers issue */
	bool joins_lanes;  /* no lane is idle: blocks are executed by as many warps as that takes */
	bool is_coalesced; /* requests of `line` (0: all) move `sectors` at most */
	uint32_t line;
	uint32_t sectors;
	/* Loaded data is in shared memory: an SM asks for it once, by tiles that are large
	 * enough, before it is used. Of these ranges alone, if there are any. */
	bool keeps_loads;
	const struct ct_simulate_range *kept;
	uint32_t kept_ranges;
	bool waits_late; /* two rounds of loads are under way together */
	bool has_no_conflicts, has_no_barriers;
	/* Loads of these sectors are of constant memory: they take no turn at the load-store unit,
	 * and as long as those that the L1 has. */
	struct ct_simulate_range constant;
	struct ct_simulate_range unwritten; /* stores there are left out */
	uint32_t resident;                  /* CTAs of an SM; 0: as many as there are */
};

struct ct_lowered;
struct ct_simulate_options {
	const struct ct_lowered *lowered; /* as of ct_scripts_make */
	const struct ct_machine *machine;
	bool is_cold;
	/* Blocks, requests and sectors that are gone through at most, but of a few CTAs at least;
	 * 0: all that are kept. */
	uint64_t most;
	struct ct_simulate_change change;
};

/* kernel: with resident, scale, bank conflicts. 0; 1: nothing can be said, since blocks are only
 * counted, or a CTA has more of them than there is room for; -ENOMEM. */
int ct_simulate(struct ct_simulation *result, const struct ct_model_kernel *kernel,
		const struct ct_model_job *job, const struct ct_simulate_options *options);

#endif
