/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a program under tracing. */
#ifndef CT_DRIVER_CTRUN_RUN_H
#define CT_DRIVER_CTRUN_RUN_H

#include "driver/ctrun/output.h"

struct ctrun_run {
	const char *directory; /* of the trace; NULL: the environment's, or each process names its
				  own */
	bool is_off;           /* nothing is traced */
	bool injects;          /* by the library that CUDA's driver loads; else that is done where
				  it is of use (inject.h) */
	bool watches;          /* uses: the library around libc's functions is preloaded */
	char **program;        /* and its arguments, ended by NULL */
};

/* Whatever can go wrong before the program starts. The environment says what is traced, but for
 * what is named here. 0, or a negative error with one line in why. */
int ctrun_run_prepare(const struct ctrun_run *run, struct ctrun_output *output, char *why,
		      size_t why_bytes);

/* Runs it, after ct_process_init. Returns as ct_process_run. */
int ctrun_run(const struct ctrun_run *run);

/* The exit status that ctrun has when the program has this one. A program that could not be
 * started: that is said. */
int ctrun_run_status(const struct ctrun_run *run, int status);

#endif
