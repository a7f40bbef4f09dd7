/* SPDX-License-Identifier: Apache-2.0 */
/* When the program ran (RAN): from its load to its exit, the time before and behind its calls of
 * CUDA included. */
#ifndef CT_HOST_RT_PROCESS_LIFE_H
#define CT_HOST_RT_PROCESS_LIFE_H

/* The program has called exit or returned from main; what follows is ours. The first call counts.
 */
void ct_life_end(void);

/* Writes the event if the program has ended. Session's lock held. */
void ct_life_write(void);

#endif
