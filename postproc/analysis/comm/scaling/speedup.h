/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a program would take on several devices (seed 001, chapter 7): its kernels, divided as
 * CTAs are, what crosses between devices, and copies of the host. Pure functions.
 *
 *   kernels    of each superstep: what every kernel takes beyond what it does stays, the rest is
 *              divided among the devices and takes as long as on the fullest one
 *   exchange   into each superstep: latency, and what the busiest link moves at its bandwidth
 *   host       what it takes to ask for all of that, for one device after another, while they run:
 *              nothing is done sooner
 *   copies     of the host: each device has a link of its own. Divided, if each gets and gives its
 *              part; replicated, if each gets all that one device gets
 *
 * Supersteps run one after another. Overlapped: what crosses into a superstep does so while the one
 * before it computes, as far as that takes as long.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_SCALING_SPEEDUP_H
#define CT_POSTPROC_ANALYSIS_COMM_SCALING_SPEEDUP_H

#include "postproc/analysis/comm/scaling/scaling.h"

/* A program on one device. Times in seconds. */
struct ct_speedup_program {
	uint64_t supersteps;
	const double *kernel;      /* of each superstep; 0: not known */
	double fixed;              /* of each kernel: beyond what it does */
	double launch;             /* of the host: to ask for a kernel; 0: not known */
	double issue;              /* for a kernel, a copy to another device, a wait; likewise */
	double to_device, to_host; /* copies */
};

struct ct_speedup {
	double kernels, exchange, host;
	double seconds;    /* with copies that are divided, nothing overlaps */
	double replicated; /* likewise, with all that is copied to one device copied to each */
	double overlapped; /* as seconds, with exchange behind kernels */
	double speedup, efficiency; /* of seconds, over one device and each */
	bool is_best;               /* of its number of devices: least seconds */
};

/* On one device: kernels, host, seconds; 0 the rest. */
struct ct_speedup ct_speedup_alone(const struct ct_speedup_program *program);
/* For each row (rows of a number of devices together). */
void ct_speedup_of(struct ct_speedup *speedup, const struct ct_scaling_row *row, size_t rows,
		   const struct ct_speedup_program *program,
		   const struct ct_scaling_options *options);

#endif
