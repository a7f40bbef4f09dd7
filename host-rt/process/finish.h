/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host has waited for is in the files, so that a process that is killed, or ends without
 * running exit handlers, leaves it: each wait brings it there, as long as that takes no more than a
 * small share of the time; else it is asked for and comes some milliseconds later.
 */
#ifndef CT_HOST_RT_PROCESS_FINISH_H
#define CT_HOST_RT_PROCESS_FINISH_H

/* The calling thread's call, which has waited, is over. */
void ct_finish_after_wait(void);

#endif
