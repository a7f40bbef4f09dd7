/* SPDX-License-Identifier: Apache-2.0 */
/* The trace directory before and after the program runs. */
#ifndef CT_DRIVER_CTRUN_OUTPUT_H
#define CT_DRIVER_CTRUN_OUTPUT_H

#include "trace/names/rank.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctrun_output {
	char path[PATH_MAX]; /* absolute; "" if each process names its own, in the working directory
			      */
	bool created;        /* by us */
	bool joined;         /* a ctrun around this one has begun the run */
	uint64_t start_ns;   /* CLOCK_REALTIME: older traces are not this run's */
	struct ct_rank rank;
	char run[CT_JOB_BYTES]; /* in the manifests of the run; "" unknown */
};

/* The directory with its missing parents. Returns 1 if it was made, 0 if it was there, -errno. */
int ctrun_output_make(const char *path);

/* An absolute name without a / at the end: the same directory has the same one in all processes.
 * 0, or a negative error with one line in why. */
int ctrun_output_name(char path[PATH_MAX], const char *name, char *why, size_t why_bytes);

/* Whether the directory can be written and holds nothing but what is ours. 0, or a negative error
 * with one line in why. */
int ctrun_output_check(const char *path, const char *name, bool (*is_ours)(const char *entry),
		       char *why, size_t why_bytes);

/* Until this process ends no other ctrun begins a run there, but such as share it, as ranks of a
 * job do. Where the file system has no locks, there are none. 0, or a negative error with one line
 * in why. */
int ctrun_output_lock(const char *path, const char *name, bool is_shared, char *why,
		      size_t why_bytes);

/* Make sure that a trace can be written to name (NULL: to the working
 * directory) before anything runs, and name it in the environment. An earlier
 * trace there is removed, as far as it is up to this rank of a job, unless
 * keep: nothing will be traced. Returns 0, or a negative error with one line in why. */
int ctrun_output_prepare(struct ctrun_output *output, const char *name, bool keep, char *why,
			 size_t why_bytes);

/* report.c. One line on stderr per trace of this run, over all its
 * processes. Of a job only rank 0 speaks, for itself, and not a ctrun within
 * another; all of them if verbose. Returns how many traces there were. */
unsigned ctrun_output_report(const struct ctrun_output *output, bool verbose);

/* Calls a function for each trace of this run that is this rank's to treat: for none if this
 * ctrun runs within another. */
void ctrun_output_each(const struct ctrun_output *output,
		       void (*take)(void *user, const char *directory), void *user);

/* A directory that we made is removed if it is empty. */
void ctrun_output_end(const struct ctrun_output *output);

/* Why the trace is not whole: a process of the run has stopped tracing before its end, has lost
 * records, or could not even say so; "": it is. Of an output with a path, in which something was
 * written. */
void ctrun_output_stopped(const struct ctrun_output *output, char *why, size_t why_bytes);

/* Whether all that a trace has was recorded by libcudatrace-inject.so, of programs that cuda-trace
 * has not built. */
bool ctrun_output_is_injected(const char *directory);

/* Whether a process of a trace has lost records: of a launch in whose middle the limit was reached,
 * among others. */
bool ctrun_output_has_lost(const char *directory);

/* Whether this ctrun has anything to say. */
bool ctrun_output_speaks(const struct ctrun_output *output, bool verbose);

#endif
