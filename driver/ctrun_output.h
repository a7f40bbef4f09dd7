/* SPDX-License-Identifier: Apache-2.0 */
/* The trace directory before and after the program runs. */
#ifndef CT_DRIVER_CTRUN_OUTPUT_H
#define CT_DRIVER_CTRUN_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctrun_output {
	char path[PATH_MAX]; /* absolute; "" if each process names its own, in the working directory
			      */
	bool created;        /* by us */
	uint64_t start_ns;   /* CLOCK_REALTIME: older traces are not this run's */
};

/* Make sure that a trace can be written to name (NULL: to the working
 * directory) before anything runs, and name it in the environment. Returns 0,
 * or a negative error with one line in why. */
int ctrun_output_prepare(struct ctrun_output *output, const char *name, char *why,
			 size_t why_bytes);

/* One line on stderr per trace of this run. Returns how many there were. An
 * empty directory that we made is removed. */
unsigned ctrun_output_report(const struct ctrun_output *output);

#endif
