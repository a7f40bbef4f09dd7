/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far the devices' times may be from the host's, by what the program did: a copy to the host
 * that its call waited for began and ended within the call. So its times, as recorded, are off by
 * no more than what would put it at the call's begin, or at its end.
 */
#include "base/map.h"
#include "postproc/analysis/calls/make.h"
#include <errno.h>
#include <string.h>

#define ASYNC "Async"

static bool waits(const char *name)
{
	size_t length = strlen(name), bytes = strlen(ASYNC);

	return strncmp(name, "cu", 2) == 0 && strstr(name, "Memcpy") &&
	       (length < bytes || strcmp(name + length - bytes, ASYNC) != 0);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void bound(struct ct_calls_part *part, const struct ct_row_call *call,
		  const struct ct_row_activity *copy)
{
	uint64_t early = distance(copy->begin_ns, call->begin_ns);
	uint64_t late =
	    distance(call->begin_ns + call->duration_ns, copy->begin_ns + copy->duration_ns);
	uint64_t most = early > late ? early : late;

	if (!part->clock_copies++ || most < part->clock_error_ns)
		part->clock_error_ns = most;
	part->clock_contradictions +=
	    copy->begin_ns < call->begin_ns ||
	    copy->begin_ns + copy->duration_ns > call->begin_ns + call->duration_ns;
}

static bool is_copy_to_host(const struct ct_row_activity *row)
{
	return row->kind == CT_ACTIVITY_COPY && row->copy == CT_COPY_TO_HOST && row->correlation &&
	       !(row->flags & CT_ACTIVITY_OURS);
}

int ct_calls_bound_clock(struct ct_calls_making *making)
{
	struct ct_map copies = {0};
	int err = 0;

	if (!strstr(making->part->source, "CUPTI"))
		return 0;
	for (size_t i = 0; i < making->activity_count && err == 0; i++) {
		union ct_map_value *copy = NULL;

		if (!is_copy_to_host(&making->activity[i]))
			continue;
		copy = ct_map_put(&copies, making->activity[i].correlation, 0);
		if (copy)
			copy->number = i + 1;
		else
			err = -ENOMEM;
	}
	for (size_t i = 0; i < making->call_count && err == 0 && copies.count; i++) {
		const struct ct_row_call *call = &making->call[i];
		const union ct_map_value *copy =
		    call->correlation ? ct_map_find(&copies, call->correlation, 0) : NULL;

		if (copy &&
		    waits(ct_trace_string(making->calls->trace, making->part->part, call->name)))
			bound(making->part, call, &making->activity[copy->number - 1]);
	}
	ct_map_fini(&copies);
	return err;
}
