/* SPDX-License-Identifier: Apache-2.0 */
/* All devices that the process has used, at its end. */
#ifndef CT_HOST_RT_PROCESS_DEVICES_H
#define CT_HOST_RT_PROCESS_DEVICES_H

#include <stdint.h>

/* Waits until they have done what they were asked to do; that may never be. Without the session's
 * lock. */
void ct_devices_wait(void);

/* With the lock: what they have produced is taken, or what can be without them. */
void ct_devices_finish(void);
void ct_devices_abandon(void);
/* Brings what ended launches have produced to the files, unless that would take longer than until
 * a time (ct_clock_monotonic_ns). */
void ct_devices_flush(uint64_t until_ns);

#endif
