/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that waits for the end of the program. Who ends it may have interrupted the allocator,
 * whose lock beginning a thread takes: so this one began with the trace, and begins others.
 */
#ifndef CT_HOST_RT_PROCESS_STANDBY_H
#define CT_HOST_RT_PROCESS_STANDBY_H

#include <stdbool.h>

/* The trace has just been opened. In the child of a fork that has a trace of its own, too. */
void ct_standby_begin(void);

/* Have a thread run the function, whose result is not used. Takes no lock and allocates nothing.
 * False: there is no such thread. */
bool ct_standby_run(void *(*function)(void *unused));

#endif
