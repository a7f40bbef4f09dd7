/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run child processes as a good parent: signals that end us are passed on, and
 * the caller gets to clean up before it dies of them.
 */
#ifndef CT_DRIVER_BASE_PROCESS_H
#define CT_DRIVER_BASE_PROCESS_H

#include "driver/base/args.h"
#include <limits.h>
#include <stdbool.h>

/* The child's standard error, kept while it is passed through. Zero-initialise. */
struct ct_capture {
	bool held;  /* in: it is kept alone */
	char *text; /* NUL-terminated, its first CT_CAPTURE_MAX bytes; free() it */
	size_t bytes;
};
#define CT_CAPTURE_MAX (1u << 20)

#define CT_STATUS_SIGNAL 256

/* Catch SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 from now on, and
 * pass them on to the child, except those of the terminal, which it gets too. */
void ct_process_init(void);

/* Run args (words[0] is looked up in PATH) and wait. Returns the exit status
 * (0..255), CT_STATUS_SIGNAL + the signal that ended the child, or -errno if it
 * could not be started. capture may be NULL. */
int ct_process_run(const struct ct_args *args, struct ct_capture *capture);

/* The same, with this descriptor as its standard output. */
int ct_process_run_to(const struct ct_args *args, int stdout_fd);

/* Likewise, even if a signal has asked us to end: what is to be done before that. Another signal
 * ends it. */
int ct_process_run_anyway(const struct ct_args *args);

/* Returns what a program prints on its standard output, malloc'ed; NULL if there is nothing, or
 * it cannot be run. Its messages are lost. */
char *ct_process_read(const struct ct_args *args);

/* Replace this process; returns only on failure, with -errno. */
int ct_process_exec(const struct ct_args *args);

/* The signal that asked us to end, or 0. */
int ct_process_signal(void);

/* End as the status says: die of the signal if we were sent one or if one
 * ended a child, else return status. */
int ct_process_end(int status);

/* Where execvp finds a program of that name that can be executed, with interpreters that are there
 * if it has any. 0 or -ENOENT. */
int ct_process_find(const char *name, char file[PATH_MAX]);
/* Whether there is one. */
bool ct_process_can_run(const char *name);

#endif
