/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of which we do not know yet that they are done. Session's lock held. */
#ifndef CT_HOST_RT_EVENTS_PENDING_H
#define CT_HOST_RT_EVENTS_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#define CT_ANY_STREAM UINT64_MAX

void ct_pending_add(uint32_t launch, int device, uint64_t stream);

/* Those of a device, and of a stream unless CT_ANY_STREAM, are done: writes
 * their LAUNCH_DONE events. */
void ct_pending_done(int device, uint64_t stream, int error);

/* How many have been added. */
uint64_t ct_pending_added(void);
/* The launches of a stream that were added first, so many of all streams, have succeeded. */
void ct_pending_done_until(int device, uint64_t stream, uint64_t added);

/* One launch that failed at once, never added. */
void ct_pending_failed(uint32_t launch, int error);

/* How many launches have a LAUNCH_DONE. */
uint64_t ct_pending_ended(void);
/* And how many of these have not failed. Needs no lock. */
uint64_t ct_pending_succeeded(void);

#endif
