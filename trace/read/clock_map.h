/* SPDX-License-Identifier: Apache-2.0 */
/* Times of devices' clocks as times of the host's, by the CLOCK events of a part. */
#ifndef CT_TRACE_READ_CLOCK_MAP_H
#define CT_TRACE_READ_CLOCK_MAP_H

#include "trace/read/reader.h"

/* Zero-initialise. It borrows the events from the trace. */
struct ct_clock_map {
	const struct ct_event_clock **list; /* by device, then by its time */
	size_t count;
};

/* 0 or -ENOMEM; ct_clock_map_fini frees in either case. */
int ct_clock_map_init(struct ct_clock_map *map, const struct ct_trace *trace, uint32_t part);
void ct_clock_map_fini(struct ct_clock_map *map);

/* CLOCK_REALTIME of the host at that moment. Between two events the clocks' difference changes
 * evenly, outside of them it is that of the nearest. *error_ns (may be NULL): the larger error of
 * the events used, UINT64_MAX if there is none of the device, whose clock is then taken for the
 * host's. */
uint64_t ct_clock_map_host(const struct ct_clock_map *map, uint32_t device, uint64_t device_ns,
			   uint64_t *error_ns);

#endif
