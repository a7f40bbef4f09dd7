/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that ends without exit handlers, by _exit, _Exit, quick_exit or abort, leaves in the
 * files what its waits have finished: the trace is not closed, but nothing lies in memory any more.
 */
#ifndef CT_HOST_RT_PROCESS_ENDING_H
#define CT_HOST_RT_PROCESS_ENDING_H

/* The trace has just been opened. Session's lock held. */
void ct_ending_begin(void);

/* Leave it, and end; they return where there is no next such function. Names that links see. */
void __ct_end_by_exit(int status);
void __ct_end_by_abort(void);

#endif
