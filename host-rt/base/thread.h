/* SPDX-License-Identifier: Apache-2.0 */
/* The calling thread's id, without asking the system each time. */
#ifndef CT_THREAD_H
#define CT_THREAD_H

#include <stdint.h>

extern _Thread_local uint32_t ct_thread_own; /* 0: not known yet */

uint32_t ct_thread_ask(void);

/* gettid */
static inline uint32_t ct_thread_id(void)
{
	return ct_thread_own ? ct_thread_own : ct_thread_ask();
}

#endif
