/* SPDX-License-Identifier: Apache-2.0 */
/* The user's sink (sink.h), loaded from a shared library. Without one all calls do nothing. */
#ifndef CT_HOST_RT_EVENTS_SINK_H
#define CT_HOST_RT_EVENTS_SINK_H

#include <cudatrace/sink.h>

/* Load the library and open its sink; "" is no library. 0, or a negative error that
 * was said on stderr. */
int ct_sink_open(const char *library, const char *directory, uint32_t part);

/* Any thread; the sink has them one at a time. */
void ct_sink_unit(const void *blob, size_t bytes);
void ct_sink_string(uint32_t id,
		    const char *string); /* one that was reported before: nothing is done */
void ct_sink_event(const struct ct_event_header *event);
void ct_sink_close(void);

/* Any thread. */
void ct_sink_records(uint32_t device, uint64_t ticket, const void *records, size_t bytes);

#endif
