/* SPDX-License-Identifier: Apache-2.0 */
/* The watch's lock: of ranges, waits and all else that says so. */
#ifndef CT_HOST_RT_WATCH_RANGES_LOCK_H
#define CT_HOST_RT_WATCH_RANGES_LOCK_H

#include <stdbool.h>

/* False: this thread has it already, for a signal handler interrupted us, or a fault came from
 * within: nothing may be done. */
bool ct_watch_lock(void);
void ct_watch_unlock(void);
bool ct_watch_lock_is_mine(void);

/* This thread has it already, and an access was missed: of what is armed it is not known any more
 * whether it was accessed. reason is static. */
void ct_watch_lock_missed(const char *reason);

#endif
