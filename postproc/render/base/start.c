/* SPDX-License-Identifier: Apache-2.0 */
/* When a trace begins. */
#include "postproc/render/base/start.h"

static void earlier(uint64_t *start, const struct ct_event_header *header)
{
	if (header->time_ns < *start)
		*start = header->time_ns;
}

uint64_t ct_start_ns(const struct ct_trace *trace)
{
	const struct ct_device_info *devices;
	const struct ct_launch_info *launches;
	const struct ct_object_info *objects;
	const struct ct_transfer_info *transfers;
	uint64_t start = UINT64_MAX;

	for (size_t i = ct_trace_devices(trace, &devices); i-- > 0;)
		earlier(&start, &devices[i].event->header);
	for (size_t i = ct_trace_launches(trace, &launches); i-- > 0;)
		earlier(&start, &launches[i].event->header);
	for (size_t i = ct_trace_objects(trace, &objects); i-- > 0;)
		earlier(&start, &objects[i].event->header);
	for (size_t i = ct_trace_transfers(trace, &transfers); i-- > 0;)
		earlier(&start, &transfers[i].event->header);
	return start == UINT64_MAX ? 0 : start;
}
