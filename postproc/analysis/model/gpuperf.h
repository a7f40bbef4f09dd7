/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPUPerf: how long a kernel takes on an SM, and what of that which optimisation could save (seed
 * 004, 4.1.1, equations (4.1) to (4.30); the successor of MWP/CWP). Pure functions. All T, W, O and
 * B are cycles of one SM over all its warps.
 *
 * What differs from the book, and why:
 *   (4.12) hit_latency is that of hits times their share: measured latencies of memory are those of
 *          a whole load, look-ups included.
 *   (4.24) with wide_requests, a request moves transactions * transaction_bytes, not one
 *          transaction: true of machines whose warps have all transactions under way at once.
 *   (4.11) is at least least_memory_cycles: warps cannot have more under way than caches and memory
 *          deliver, whatever their latencies.
 *   (4.26) size_of_data is transactions of an SM, which makes it bytes by bandwidth: printed as
 * bytes it has no unit of time. (4.29) may be negative, since (4.25) divides by ITILP: it is as it
 * is; who shows it clamps it. O_CFdiv is the caller's: 0 where instructions count both sides of
 * branches that diverge.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_GPUPERF_H
#define CT_POSTPROC_ANALYSIS_MODEL_GPUPERF_H

#include <stdbool.h>

struct ct_gpuperf_kernel {
	/* The inputs of a warp, on average. */
	double instructions;           /* without those of special functions */
	double memory_instructions;    /* of these: loads, stores, atomics of global memory */
	double syncs, special, floats; /* barriers; special functions; floating-point ones */
	double ilp, mlp;               /* at least 1 */
	double divergence_cycles, bank_cycles; /* O_CFdiv, O_bank: of an SM */
	double sm_warps;                       /* #total_warps / #active_SMs */
	double active_sms;
	double warps;               /* N: that an SM holds at a time, at least 1 */
	double transactions;        /* avg_trans_warp: of a memory instruction, at least 1 */
	double miss_ratio;          /* of transactions: those that go to DRAM */
	double least_memory_cycles; /* that the bytes alone take; 0: as in the book */
	double data_bytes;          /* that have to move from or to DRAM, of the whole device */
};

struct ct_gpuperf_machine {
	double clock_hz, bandwidth; /* bytes per second: of DRAM, peak */
	double transaction_bytes;
	double instruction_latency; /* avg_inst_lat */
	double float_latency;
	double dram_latency, hit_latency, departure_delay;
	double barrier_factor;                   /* gamma */
	double warp_size, simd_width, sfu_width; /* lanes */
	bool wide_requests;
};

struct ct_gpuperf {
	double t_exec, t_comp, t_mem, t_overlap;                   /* (4.1) (4.2) (4.11) (4.16) */
	double w_parallel, w_serial;                               /* (4.3) (4.6) */
	double itilp, itilp_max;                                   /* (4.4) (4.5) */
	double o_sync, o_sfu, o_divergence, o_bank, f_sync, f_sfu; /* (4.7) (4.9) (4.8) (4.10) */
	double amat, dram_latency;                                 /* (4.12) (4.13) */
	double itmlp, mwp_cp;                                      /* (4.14) (4.15) */
	double f_overlap;                                          /* (4.17) */
	double cwp, cwp_full, comp_cycles, mem_cycles;             /* (4.18) to (4.21) */
	double mwp, mwp_peak_bw, bandwidth_per_warp; /* (4.22) to (4.24); bytes per second */
	double t_fp, t_mem_min;                      /* (4.25) (4.26) */
	double b_itilp, b_serial, b_fp, b_memlp;     /* (4.27) to (4.30) */
	double seconds;                              /* t_exec by the clock */
};

void ct_gpuperf(struct ct_gpuperf *result, const struct ct_gpuperf_kernel *kernel,
		const struct ct_gpuperf_machine *machine);

#endif
