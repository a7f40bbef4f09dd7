/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a run can be traced in a multiple of its time and analysed in seconds, from a run
 * whose kernels were pristine (--calls=only): the periods of ctrun --sample-launches and
 * --sample-blocks. What an instrumented kernel takes is not known ahead of it: CT_BUDGET_SLOWDOWN
 * times its own is more than most do (docs/validation.md, bench/trace-cost).
 */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_BUDGET_H
#define CT_POSTPROC_ANALYSIS_CALLS_BUDGET_H

#include "postproc/analysis/calls/calls.h"

/* Accesses of threads that are analysed in about a second, on several cores: as many are recorded
 * as can be analysed while the program runs once, but so many at least, and at most. */
#define CT_BUDGET_ACCESSES_A_SECOND 5e6
#define CT_BUDGET_ACCESSES_LEAST 4e6
#define CT_BUDGET_ACCESSES_MOST 256e6
/* Blocks of a launch that stand for the others, at least: as many as a device runs at a time,
 * about. Of fewer, what the caches serve and which SMs have work is another story. */
#define CT_BUDGET_BLOCKS_LEAST 64u
/* Where small grids take more than is allowed by themselves, leaving out more of the others brings
 * nothing. */
#define CT_BUDGET_BLOCKS_MOST 31u
/* At least so many of a thread. */
#define CT_BUDGET_THREAD 4

/* Says about how much a target does in a second of kernels, and how much slower instrumented ones
 * are. */
struct ct_budget_rate {
	double accesses, slowdown;
};
#define CT_BUDGET_GPU ((struct ct_budget_rate){2e11, 6})
#define CT_BUDGET_CPU ((struct ct_budget_rate){5e8, 20})
/* Short runs may take so long, whatever multiple of theirs that is. */
#define CT_BUDGET_LEAST_NS 2000000000u

struct ct_budget {
	uint64_t launches; /* of kernels that have an instrumented clone; 0: there are none */
	uint64_t contexts; /* of these: a kernel, launched from one line */
	uint64_t kernels_ns;
	uint64_t extra_ns; /* that the traced run may take beyond the run's own time */
	uint64_t launch_period, block_period; /* 1: all */
};

/* Samples by which a kernel's lines are told apart (docs/samples.md): as many at least of a run. */
#define CT_BUDGET_SAMPLES_NS 20000000u /* of kernels, at the longest period that is of use */
#define CT_BUDGET_CYCLES_MOST (1u << 18)
#define CT_BUDGET_CYCLES_LEAST (1u << 12)

/* Every how many cycles a multiprocessor is looked at, for ctrun --samples; 0: no time of a kernel
 * is known. */
uint64_t ct_budget_sample_cycles(const struct ct_calls *calls);

/* calls: of the trace. times: how many times the run's time the traced one may take, from 2; 0:
 * any. rate: of the target. 0 or -ENOMEM */
int ct_budget_find(struct ct_budget *budget, struct ct_trace *trace, const struct ct_calls *calls,
		   uint64_t times, const struct ct_budget_rate *rate);

#endif
