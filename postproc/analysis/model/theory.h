/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work, depth and balance (seed 004, 2.2 to 2.6), roofline (4.2.4), and metrics to prune variants
 * by (specification, section 12). Pure functions; who divides by what is said at each. Numbers in
 * parentheses are the book's.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_THEORY_H
#define CT_POSTPROC_ANALYSIS_MODEL_THEORY_H

/* (2.1) Brent: unit operations one after another on so many processors; work ≥ depth ≥ 0. */
double ct_model_brent(double work, double depth, double processors);
/* Work by depth: how many processors there is work for. 0 without depth. */
double ct_model_parallelism(double work, double depth);

/* A machine as (2.4) sees it: time in cycles, words of any one size. */
struct ct_model_memory {
	double processors, rate; /* p; C0: operations of each per cycle */
	double latency;          /* alpha: cycles */
	double bandwidth;        /* beta: words per cycle */
	double line;             /* L: words of a transaction */
};

/* The terms of (2.4). Computation hides memory, the kernel is balanced, where
 * machine * little ≤ intensity * amdahl. */
struct ct_model_balance {
	double machine;   /* p C0 / beta: operations that the machine can do for each word */
	double little;    /* 1 + (alpha beta / L) / (Q / D) */
	double intensity; /* W / (Q L): operations for each word */
	double amdahl;    /* 1 + (p - 1) / (W / D): of the exact bound of Brent */
	double slack;     /* intensity * amdahl / (machine * little); ≥ 1: balanced */
	double twice_line, twice_bandwidth; /* slack with L, or beta, doubled */
};

/* depth and transactions > 0. transactions: Q. */
void ct_model_balance(struct ct_model_balance *balance, const struct ct_model_memory *memory,
		      double work, double depth, double transactions);

/* (4.31): operations per second at so many operations per byte. */
double ct_model_roof(double peak, double bandwidth, double intensity);

/* Ryoo's metrics: what is better is greater. instructions: of a thread; regions: stretches of them
 * between barriers and waits for memory, at least 1; warps of a CTA, CTAs of an SM. */
double ct_model_efficiency(double instructions, double threads);
double ct_model_utilization(double instructions, double regions, double cta_warps, double sm_ctas);

#endif
