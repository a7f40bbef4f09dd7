/* SPDX-License-Identifier: Apache-2.0 */
/* The calling thread: its id, without asking the system each time, and whose it is. */
#ifndef CT_HOST_RT_BASE_THREAD_H
#define CT_HOST_RT_BASE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

extern _Thread_local uint32_t ct_thread_own; /* 0: not known yet */

uint32_t ct_thread_ask(void);

/* It is one of the tracer: all that it does is our own work. */
extern _Thread_local bool ct_thread_is_ours;

/* Says so of the calling thread, and keeps its id: of others it can be asked. */
void ct_thread_begin_ours(void);
bool ct_thread_is_of_ours(uint32_t id);

/* gettid */
static inline uint32_t ct_thread_id(void)
{
	return ct_thread_own ? ct_thread_own : ct_thread_ask();
}

#endif
