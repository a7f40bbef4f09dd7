/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A section of our own work inside one of the program's calls: keeps errno and
 * the CUDA last error as the program left them, and may be entered while the
 * thread captures a graph.
 */
#ifndef CT_HOST_RT_BASE_QUIET_H
#define CT_HOST_RT_BASE_QUIET_H

#include <stdbool.h>

/* How many sections the calling thread is in. */
extern _Thread_local unsigned ct_quiet_depth;

struct ct_quiet {
	bool is_light;
	int saved_errno;
	int pending; /* cudaError_t that the program has not fetched yet */
	int capture_mode;
};

void ct_quiet_begin(struct ct_quiet *quiet);
/* A section in which CUDA is asked nothing but what cannot fail and is allowed in captures: the
 * device, its properties. It costs none of the calls that the other one makes. */
void ct_quiet_begin_light(struct ct_quiet *quiet);
/* An error of ours is taken back. If the program had one pending, an error
 * code stays pending: the runtime has no way to put a given one there. */
void ct_quiet_end(const struct ct_quiet *quiet);

#endif
