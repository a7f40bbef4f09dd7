/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the names that the program gives its threads, by NVTX. */
#ifndef CT_HOST_RT_SPANS_THREADS_H
#define CT_HOST_RT_SPANS_THREADS_H

#include <stdint.h>

/* thread: gettid; it need not be there yet. Any thread. */
void ct_thread_name_give(uint32_t thread, const char *name);
/* NULL: it has none. Lives as long as the process. */
const char *ct_thread_name_given(uint32_t thread);
/* The thread has ended: the next one of that id is another. */
void ct_thread_name_forget(uint32_t thread);
/* Grows whenever one is given. */
uint32_t ct_thread_names_given(void);

#endif
