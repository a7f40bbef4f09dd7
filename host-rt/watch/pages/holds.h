/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that functions of libc have handed to the kernel, which has to be open until they return:
 * maybe for long, while other threads go on. With the watch's lock held. */
#ifndef CT_HOST_RT_WATCH_PAGES_HOLDS_H
#define CT_HOST_RT_WATCH_PAGES_HOLDS_H

#include <stdbool.h>
#include <stdint.h>

/* This thread's function uses what is in there (0, UINT64_MAX: anything) until ct_hold_end, which
 * ends the last that the thread has begun. */
void ct_hold_begin(uint64_t start, uint64_t end);
void ct_hold_end(void);

/* Does any thread's function use a byte in there? */
bool ct_is_held(uint64_t start, uint64_t end);

#endif
