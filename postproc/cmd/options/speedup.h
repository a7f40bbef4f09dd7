/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost comm --scale with times: what a program would take on several devices. */
#ifndef CT_POSTPROC_CMD_OPTIONS_SPEEDUP_H
#define CT_POSTPROC_CMD_OPTIONS_SPEEDUP_H

#include "postproc/analysis/comm/scaling/speedup.h"
#include "postproc/command.h"

/* Holds what is known of a run on one device; zero-initialise. */
struct ctpost_speedups {
	struct ct_speedup_program program;
	double *kernel;             /* owned */
	struct ct_speedup *speedup; /* one for each row, owned */
	uint64_t launches, untimed; /* that are known of; of which no time is */
	struct ct_speedup alone;    /* on one device */
};

/* Reads --machine=FILE: bandwidth and latency of the links, where --bandwidth and --latency do
 * not say them, and what kernels and the host take besides, in *program. CTPOST_OK, or another
 * status with call->why set. */
int ctpost_comm_read_machine(struct ctpost_call *call, struct ct_scaling_options *options,
			     struct ct_speedup_program *program);

/* Times of --times, of kernels by name, grid and block, for speedups->program, which knows the
 * machine. CTPOST_OK, or likewise. */
int ctpost_comm_speedups(struct ctpost_speedups *speedups, struct ctpost_call *call,
			 const struct ct_comm *comm, const struct ct_scaling *scaling,
			 const struct ct_scaling_options *options);
void ctpost_speedups_fini(struct ctpost_speedups *speedups);

#endif
