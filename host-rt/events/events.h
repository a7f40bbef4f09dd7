/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the trace of this process says beside records: events, their strings, unit blobs,
 * losses. With the session's lock held, but for events of consumers, whose place among others
 * means nothing. */
#ifndef CT_HOST_RT_EVENTS_EVENTS_H
#define CT_HOST_RT_EVENTS_EVENTS_H

#include <cudatrace/format.h>
#include <stddef.h>
#include <stdint.h>

/* The id of a string, for an event; 0 for NULL and "". */
uint32_t ct_events_string(const char *string);
/* ct_events_write(ct_event_launch_header(&event)): an event whose time is 0 happens now. Errors
 * stop the session. */
void ct_events_write(struct ct_event_header *event);

/* Copies units registered since the last call into the trace. */
void ct_events_units(void);

/* chunks of a device were not stored; UINT64_MAX: it is not known how many. */
void ct_events_loss(uint64_t chunks, uint32_t launch, const char *reason);
/* They are of some of these launches. */
void ct_events_loss_among(uint64_t chunks, uint32_t first, uint32_t last, const char *reason);
/* Readers see that there are no records, as was asked for: nothing is lost. */
void ct_events_unstored(const char *reason);

#endif
